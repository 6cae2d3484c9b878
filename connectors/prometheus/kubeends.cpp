// SPDX-License-Identifier: GPL-3.0-or-later
// The part of KubeAssembler that finds out why pods ended.
#include "connectors/prometheus/kube/kubeassembler.h"
#include "connectors/prometheus/kube/kubelabels.h"
#include "connectors/prometheus/query/promql.h"

#include <array>

namespace gpuledger::prometheus {

namespace {

constexpr std::array kEndMetrics{"kube_pod_status_reason", "kube_pod_status_disruption_reason"};

} // namespace

void KubeAssembler::takeEnd(Pod &pod, Labels labels)
{
    const auto reason = model::endReasonFromString(labelValue(labels, "reason"));
    if (reason && (!pod.end || *reason < *pod.end))
        pod.end = reason;
}

// Older versions of kube-state-metrics export a series with 0 for each reason that does not apply.
std::vector<std::string> KubeAssembler::endExpressions(const std::string &matcher) const
{
    std::vector<std::string> out;
    for (const char *metric : kEndMetrics) {
        if (m_has(metric))
            out.push_back(promql::overTime("max_over_time", metric, matcher, m_wide.length()) + " > 0");
    }
    return out;
}

void KubeAssembler::addEndQueries(std::vector<Query> &out)
{
    for (const std::string &ended : endExpressions({})) {
        out.push_back(instant(holdersOnly(ended, m_wide.length()), [this](Labels labels, Samples) {
            for (Pod *pod : podsOf(labels))
                takeEnd(*pod, labels);
        }));
    }
}

} // namespace gpuledger::prometheus
