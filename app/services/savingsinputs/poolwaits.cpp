// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/poolwaits.h"

#include "app/savings/capacity/fragments.h"
#include "app/services/savingsinputs/poolkinds.h"

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

std::set<std::string> sharingClusters(const std::vector<model::Node> &nodes)
{
    std::set<std::string> sharing;
    for (const model::Node &node : nodes) {
        if (node.sharedGpus)
            sharing.insert(node.cluster);
    }
    return sharing;
}

} // namespace

base::Result<void> addWaiting(std::vector<savings::CapacityPool> &pools, store::FactReader &facts,
                              base::TimeRange range)
{
    if (range.empty())
        return {};
    const auto past = facts.pastWaiting(range);
    GPULEDGER_TRY(past);
    if (past->known.empty())
        return {};
    const auto nodes = facts.nodes();
    GPULEDGER_TRY(nodes);
    const auto devices = facts.devices();
    GPULEDGER_TRY(devices);
    const std::set<std::string> sharing = sharingClusters(*nodes);
    PoolKinds kinds(pools, *devices, *nodes);
    std::vector<std::vector<savings::WaitedFor>> waits(pools.size());
    for (const model::PastWait &wait : past->waits) {
        for (const auto &[pool, fit] : kinds.fits(wait.cluster, wait.resource, wait.node)) {
            if (fit != PoolFit::No)
                waits[pool].push_back({wholeGpusOf(wait, sharing), wait.range, fit == PoolFit::Yes});
        }
    }
    std::map<std::string, std::vector<base::TimeRange>> known; // by cluster
    for (const auto &[cluster, when] : past->known)
        known[cluster].push_back(when);
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const auto found = known.find(pools[i].cluster);
        if (!pools[i].cluster.empty() && found != known.end())
            pools[i].waiting = savings::waitingHours(std::move(waits[i]), found->second, range.start, pools[i].hours);
    }
    return {};
}

} // namespace gpuledger::services
