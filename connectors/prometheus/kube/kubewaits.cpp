// SPDX-License-Identifier: GPL-3.0-or-later
// The part of KubeAssembler that finds out which pods waited for GPUs, and when.
#include "connectors/prometheus/kube/kubeassembler.h"
#include "connectors/prometheus/kube/kubelabels.h"
#include "connectors/prometheus/query/promql.h"

#include <algorithm>

namespace gpuledger::prometheus {

using ports::FactBatch;

namespace {

// The number of samples in a full bucket: the most frequent one, because jitter gives some buckets one more.
std::uint16_t fullCountOf(const Presence &presence)
{
    std::map<std::uint16_t, std::size_t> times;
    for (const std::uint16_t count : presence.counts) {
        if (count > 0)
            ++times[count];
    }
    const auto most = std::max_element(times.rbegin(), times.rend(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == times.rend() ? std::uint16_t{1} : most->first;
}

} // namespace

void KubeAssembler::addWaitingQueries(std::vector<Query> &out)
{
    if (!m_has("kube_pod_status_phase"))
        return;
    const auto pending = [](const char *function) {
        return promql::overTime(function, "kube_pod_status_phase", "phase=\"Pending\"", base::kBucket);
    };
    out.push_back(
        overBuckets(holdersOnly(pending("sum_over_time") + " > 0", base::kBucket),
                    [this](Labels labels, Samples samples) { takeCounts(m_pods[podKey(labels)].pending, samples); }));
    const std::string by = m_clusters.label.empty() ? std::string() : " by(" + m_clusters.label + ')';
    out.push_back(
        overBuckets("max" + by + '(' + pending("count_over_time") + ')',
                    [this](Labels labels, Samples samples) { takeCounts(m_phases[m_clusters.of(labels)], samples); }));
}

// A pod that was seen waiting before and after an outage of the recorder waited all the time: no pod waits twice.
std::optional<base::TimeRange> KubeAssembler::waitOf(const Pod &pod, std::uint16_t full) const
{
    const std::vector<base::TimeRange> seen = spansOf(pod.pending, full, pod.created, m_wide);
    std::optional<base::UtcTime> from = pod.created, until = pod.scheduled ? pod.scheduled : pod.start;
    if (!from && !seen.empty())
        from = seen.front().start;
    if (!until && !seen.empty())
        until = seen.back().end;
    if (!from || !until || *until - *from < model::kLeastPastWait)
        return std::nullopt;
    const base::TimeRange wait = base::TimeRange{*from, *until}.intersect(m_range);
    return wait.empty() ? std::nullopt : std::optional(wait);
}

void KubeAssembler::addWaits(FactBatch &batch) const
{
    std::map<std::string, std::uint16_t> full; // by cluster
    for (const auto &[cluster, presence] : m_phases) {
        full[cluster] = fullCountOf(presence);
        for (const base::TimeRange &span : spansOf(presence, full[cluster], std::nullopt, m_range))
            batch.waitingKnown.push_back({cluster, span});
    }
    for (const auto &[key, pod] : m_pods) {
        const auto requests = requestsOf(pod);
        const auto most = std::max_element(requests.begin(), requests.end(),
                                           [](const auto &a, const auto &b) { return a.second < b.second; });
        const auto known = full.find(key.name.cluster);
        if (most == requests.end() || most->second <= 0 || known == full.end())
            continue;
        const bool isPlaced = pod.scheduled || pod.start; // else the node may be that of kube-state-metrics
        if (const auto range = waitOf(pod, known->second))
            batch.waits.push_back({key.name.cluster, key.name.nameSpace, key.name.name, key.uid, most->first,
                                   most->second, isPlaced ? pod.node : std::string(), *range});
    }
}

} // namespace gpuledger::prometheus
