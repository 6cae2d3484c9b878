// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/poolwaits.h"

#include "app/savings/capacity/fragments.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace gpuledger::services {

namespace {

std::int64_t wholeGpusOf(const model::PastWait &wait, const std::set<std::string> &sharing)
{
    const bool isWhole = wait.resource == "nvidia_com_gpu" || wait.resource == "amd_com_gpu";
    return isWhole && !sharing.contains(wait.cluster) ? wait.gpus : 1;
}

} // namespace

base::Result<void> addWaiting(std::vector<savings::CapacityPool> &pools, store::FactReader &facts,
                              base::TimeRange range)
{
    struct Cluster {
        std::vector<base::TimeRange> known;
        std::vector<savings::WaitedFor> waits;
    };
    if (range.empty())
        return {};
    auto past = facts.pastWaiting(range);
    GPULEDGER_TRY(past);
    if (past->known.empty())
        return {};
    const auto nodes = facts.nodes();
    GPULEDGER_TRY(nodes);
    std::set<std::string> sharing;
    for (const model::Node &node : *nodes) {
        if (node.sharedGpus)
            sharing.insert(node.cluster);
    }
    std::map<std::string, Cluster> clusters;
    for (const auto &[cluster, known] : past->known)
        clusters[cluster].known.push_back(known);
    for (const model::PastWait &wait : past->waits)
        clusters[wait.cluster].waits.push_back({wholeGpusOf(wait, sharing), wait.range});
    std::map<std::string, std::vector<savings::WaitingHour>> hours;
    for (savings::CapacityPool &pool : pools) {
        const auto found = clusters.find(pool.cluster);
        if (pool.cluster.empty() || found == clusters.end() || found->second.known.empty())
            continue;
        const auto [at, isNew] = hours.try_emplace(pool.cluster);
        if (isNew)
            at->second =
                savings::waitingHours(std::move(found->second.waits), found->second.known, range.start, pool.hours);
        pool.waiting = at->second;
    }
    return {};
}

} // namespace gpuledger::services
