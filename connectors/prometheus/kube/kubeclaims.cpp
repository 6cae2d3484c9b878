// SPDX-License-Identifier: GPL-3.0-or-later
// The later rounds of KubeAssembler: queries that depend on the first answers.
#include "connectors/prometheus/kube/kubeassembler.h"
#include "connectors/prometheus/kube/kubelabels.h"
#include "connectors/prometheus/query/promql.h"

#include <algorithm>

namespace gpuledger::prometheus {

namespace {

constexpr std::size_t kNamesPerQuery = 150;

template <typename Ask> void forParts(const std::set<std::string> &names, Ask ask)
{
    const std::vector<std::string> all(names.begin(), names.end());
    for (std::size_t at = 0; at < all.size(); at += kNamesPerQuery)
        ask(std::span<const std::string>(all.data() + at, std::min(kNamesPerQuery, all.size() - at)));
}

} // namespace

void KubeAssembler::askByName(std::vector<Query> &out, const char *metric, const std::string &label,
                              const std::set<std::string> &names, const Take &take)
{
    if (!m_has(metric))
        return;
    forParts(names, [&](std::span<const std::string> some) {
        out.push_back(instant(
            promql::overTime("count_over_time", metric, label + "=~" + promql::anyOf(some), m_wide.length()), take));
    });
}

std::vector<Query> KubeAssembler::followUps(const std::vector<PodName> &named, const std::set<PodName> &claimants)
{
    std::set<std::string> unknown;
    std::set<PodName> claiming;
    for (const PodName &pod : named) {
        if (verdict(pod) != PodVerdict::Unknown)
            continue;
        unknown.insert(pod.name);
        if (claimants.contains(pod))
            claiming.insert(pod);
    }
    std::vector<Query> out;
    const Take known = [this](Labels labels, Samples) {
        m_others[podKey(labels).name] = exportedOr(labels, "exported_node", "node");
    };
    askByName(out, "kube_pod_info", "pod", unknown, known);
    askByName(out, "kube_pod_info", "exported_pod", unknown, known);
    if (!claiming.empty())
        addClaimantQueries(out, claiming);
    return out;
}

// No metric counts the devices of a claim, so these pods are found by the names that the exporter reports.
void KubeAssembler::addClaimantQueries(std::vector<Query> &out, const std::set<PodName> &claimants)
{
    std::set<std::string> names;
    for (const PodName &pod : claimants)
        names.insert(pod.name);
    const auto about = [this, claimants](std::function<void(Pod &, Labels, Samples)> take) -> Take {
        return [this, claimants, take = std::move(take)](Labels labels, Samples samples) {
            const PodKey key = podKey(labels);
            if (!claimants.contains(key.name))
                return; // of the same name in another namespace
            Pod &pod = m_pods[key];
            pod.claims = true;
            if (const std::string_view node = exportedOr(labels, "exported_node", "node"); !node.empty())
                pod.node = node;
            take(pod, labels, samples);
        };
    };
    const bool phases = m_has("kube_pod_status_phase");
    const Take running = about([this](Pod &pod, Labels, Samples samples) { takeCounts(pod.running, samples); });
    const auto time = [&](std::optional<base::UtcTime> Pod::*field) {
        return about([field](Pod &pod, Labels, Samples samples) { pod.*field = timeOf(samples.back().value); });
    };
    const Take start = time(&Pod::start), completion = time(&Pod::completion);
    const Take ended = about([](Pod &pod, Labels labels, Samples) { takeEnd(pod, labels); });
    for (const char *label : {"pod", "exported_pod"}) {
        askByName(out, "kube_pod_info", label, names, about([](Pod &, Labels, Samples) {}));
        askByName(out, "kube_pod_labels", label, names, about([](Pod &pod, Labels labels, Samples samples) {
                      pod.labels.offer(samples.back().value, stripped(labels));
                  }));
        askByName(out, "kube_pod_annotations", label, names, about([](Pod &pod, Labels labels, Samples samples) {
                      pod.annotations.offer(samples.back().value, ownAnnotations(labels));
                  }));
        askByName(out, "kube_pod_owner", label, names, about([](Pod &pod, Labels labels, Samples samples) {
                      takeOwner(pod, labels, samples.back().value);
                  }));
        forParts(names, [&](std::span<const std::string> some) {
            const std::string who = std::string(label) + "=~" + promql::anyOf(some);
            out.push_back(overBuckets(phases ? promql::overTime("sum_over_time", "kube_pod_status_phase",
                                                                "phase=\"Running\"," + who, base::kBucket)
                                             : promql::overTime("count_over_time", "kube_pod_info", who, base::kBucket),
                                      running));
            for (const std::string &expression : endExpressions(who))
                out.push_back(instant(expression, ended));
            for (const auto &[metric, take] :
                 {std::pair("kube_pod_start_time", &start), std::pair("kube_pod_completion_time", &completion)}) {
                if (m_has(metric))
                    out.push_back(instant(promql::overTime("max_over_time", metric, who, m_wide.length()), *take));
            }
        });
    }
}

std::vector<Query> KubeAssembler::ownerQueries()
{
    std::set<std::string> replicaSets, jobs;
    for (const auto &[key, pod] : m_pods) {
        if (pod.ownerKind == "ReplicaSet")
            replicaSets.insert(pod.ownerName);
        else if (pod.ownerKind == "Job")
            jobs.insert(pod.ownerName);
    }
    std::vector<Query> out;
    askByName(out, "kube_replicaset_owner", "replicaset", replicaSets,
              [this](Labels labels, Samples) { takeController(m_replicaSets, "replicaset", labels); });
    askByName(out, "kube_job_owner", "job_name", jobs,
              [this](Labels labels, Samples) { takeController(m_jobs, "job_name", labels); });
    return out;
}

} // namespace gpuledger::prometheus
