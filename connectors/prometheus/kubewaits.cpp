// SPDX-License-Identifier: GPL-3.0-or-later
// The part of KubeAssembler that finds out which pods waited for GPUs, and when.
#include "connectors/prometheus/kubeassembler.h"
#include "connectors/prometheus/kubelabels.h"
#include "connectors/prometheus/promql.h"

#include <algorithm>

namespace gpuledger::prometheus {

using ports::FactBatch;

// One sample at the end of each bucket: creation and placement have exact times of their own, and the samples only show
// how long a pod that was never placed waited.
void KubeAssembler::addWaitingQueries(std::vector<Query> &out)
{
    if (!m_has("kube_pod_status_phase"))
        return;
    const std::string pending = "kube_pod_status_phase{phase=\"Pending\"}";
    const std::string label = m_clusters.label.empty() ? std::string() : ',' + m_clusters.label;
    const auto waiting = [&](const char *requests) {
        out.push_back(overBuckets(
            pending + " == 1 and on(namespace,pod,exported_namespace,exported_pod" + label + ") " + requests + '{'
                + m_mapping.matcher() + '}',
            [this](Labels labels, Samples samples) { takeCounts(m_pods[podKey(labels)].pending, samples); }));
    };
    waiting("kube_pod_container_resource_requests");
    if (m_has("kube_pod_init_container_resource_requests"))
        waiting("kube_pod_init_container_resource_requests");
    const std::string by = m_clusters.label.empty() ? std::string() : " by(" + m_clusters.label + ')';
    out.push_back(overBuckets("count" + by + '(' + pending + ") >= bool 1", [this](Labels labels, Samples samples) {
        takeCounts(m_phases[m_clusters.of(labels)], samples);
    }));
}

// A pod that was seen waiting before and after an outage of the recorder waited all the time: no pod waits twice.
std::optional<base::TimeRange> KubeAssembler::waitOf(const Pod &pod) const
{
    const std::vector<base::TimeRange> seen = spansOf(pod.pending, 1, pod.created, m_wide);
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
    for (const auto &[cluster, presence] : m_phases) {
        for (const base::TimeRange &span : spansOf(presence, 1, std::nullopt, m_range))
            batch.waitingKnown.push_back({cluster, span});
    }
    for (const auto &[key, pod] : m_pods) {
        const auto requests = requestsOf(pod);
        const auto most = std::max_element(requests.begin(), requests.end(),
                                           [](const auto &a, const auto &b) { return a.second < b.second; });
        if (most == requests.end() || most->second <= 0 || !m_phases.contains(key.name.cluster))
            continue;
        const bool isPlaced = pod.scheduled || pod.start; // else the node may be that of kube-state-metrics
        if (const auto range = waitOf(pod))
            batch.waits.push_back({key.name.cluster, key.name.nameSpace, key.name.name, key.uid, most->first,
                                   most->second, isPlaced ? pod.node : std::string(), *range});
    }
}

} // namespace gpuledger::prometheus
