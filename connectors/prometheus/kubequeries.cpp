// SPDX-License-Identifier: GPL-3.0-or-later
// The questions of KubeAssembler; what becomes of the answers is in kubeassembler.cpp.
#include "connectors/prometheus/kubeassembler.h"
#include "connectors/prometheus/promql.h"

#include <algorithm>

namespace gpuledger::prometheus {

namespace {

constexpr std::size_t kNamesPerQuery = 150;

model::Labels stripped(std::span<const format::Label> labels)
{
    static constexpr std::string_view kPrefix = "label_";
    model::Labels out;
    for (const format::Label &label : labels) {
        if (label.name.starts_with(kPrefix))
            out.emplace(label.name.substr(kPrefix.size()), label.value);
    }
    return out;
}

std::optional<base::UtcTime> timeOf(double seconds)
{
    if (!(seconds > 0) || seconds > 4e9)
        return std::nullopt;
    return base::fromUnix(static_cast<std::int64_t>(seconds));
}

} // namespace

class KubeAssembler::Visitor final : public format::SeriesVisitor {
public:
    explicit Visitor(Take take)
        : m_take(std::move(take))
    {
    }
    void series(Labels labels, Samples samples) override
    {
        if (!samples.empty())
            m_take(labels, samples);
    }
    void refused(std::string_view) override { }

private:
    Take m_take;
};

Query KubeAssembler::instant(std::string expression, Take take)
{
    m_visitors.push_back(std::make_unique<Visitor>(std::move(take)));
    return {instantQuery(std::move(expression), m_wide.end), m_visitors.back().get()};
}

Query KubeAssembler::overBuckets(std::string expression, Take take)
{
    m_visitors.push_back(std::make_unique<Visitor>(std::move(take)));
    return {rangeQuery(std::move(expression), m_wide.start + base::kBucket, m_wide.end, base::kBucket),
            m_visitors.back().get()};
}

std::string KubeAssembler::holdersOnly(std::string expression, base::Seconds window) const
{
    const std::string cluster = m_clusters.label.empty() ? std::string() : ',' + m_clusters.label;
    return expression + " and on(namespace,pod,exported_namespace,exported_pod" + cluster + ") "
        + promql::overTime("max_over_time", "kube_pod_container_resource_requests",
                           "resource=~" + promql::quoted(m_mapping.gpuResources), window);
}

std::vector<Query> KubeAssembler::queries()
{
    std::vector<Query> out;
    if (m_has("kube_pod_container_resource_requests"))
        addPodQueries(out);
    if (m_has("kube_node_info"))
        addNodeQueries(out);
    return out;
}

void KubeAssembler::addPodQueries(std::vector<Query> &out)
{
    const base::Seconds window = m_wide.length();
    const std::string gpu = "resource=~" + promql::quoted(m_mapping.gpuResources);
    out.push_back(instant(promql::overTime("max_over_time", "kube_pod_container_resource_requests", gpu, window),
                          [this](Labels labels, Samples samples) { takeRequest(labels, samples); }));
    const bool phases = m_has("kube_pod_status_phase");
    const auto running = [this](Labels labels, Samples samples) {
        takeCounts(m_pods[podKey(labels)].running, samples);
    };
    out.push_back(overBuckets(
        phases ? holdersOnly(
            promql::overTime("sum_over_time", "kube_pod_status_phase", "phase=\"Running\"", base::kBucket),
            base::kBucket)
               : promql::overTime("count_over_time", "kube_pod_container_resource_requests", gpu, base::kBucket),
        running));
    const auto aboutPods = [&](const char *metric, const char *function,
                               std::function<void(Pod &, Labels, double)> take) {
        if (!m_has(metric))
            return;
        out.push_back(instant(holdersOnly(promql::overTime(function, metric, "", window), window),
                              [this, take = std::move(take)](Labels labels, Samples samples) {
                                  for (Pod *pod : podsOf(labels))
                                      take(*pod, labels, samples.back().value);
                              }));
    };
    aboutPods("kube_pod_labels", "count_over_time",
              [](Pod &pod, Labels labels, double count) { pod.labels.offer(count, stripped(labels)); });
    aboutPods("kube_pod_owner", "count_over_time", [](Pod &pod, Labels labels, double count) {
        if (count > pod.ownerCount && labelValue(labels, "owner_is_controller") != "false") {
            pod.ownerCount = count;
            pod.ownerKind = labelValue(labels, "owner_kind");
            pod.ownerName = labelValue(labels, "owner_name");
        }
    });
    aboutPods("kube_pod_start_time", "max_over_time",
              [](Pod &pod, Labels, double value) { pod.start = timeOf(value); });
    aboutPods("kube_pod_completion_time", "max_over_time",
              [](Pod &pod, Labels, double value) { pod.completion = timeOf(value); });
    if (m_has("kube_namespace_labels")) {
        out.push_back(instant(promql::overTime("count_over_time", "kube_namespace_labels", "", window),
                              [this](Labels labels, Samples samples) {
                                  m_namespaces[{m_clusters.of(labels),
                                                std::string(exportedOr(labels, "exported_namespace", "namespace"))}]
                                      .offer(samples.back().value, stripped(labels));
                              }));
    }
}

void KubeAssembler::addNodeQueries(std::vector<Query> &out)
{
    const base::Seconds window = m_wide.length();
    out.push_back(overBuckets(promql::overTime("count_over_time", "kube_node_info", "", base::kBucket),
                              [this](Labels labels, Samples samples) { takeNode(labels, samples); }));
    const auto node = [this](Labels labels) -> NodeFacts & {
        return m_nodes[{m_clusters.of(labels), std::string(exportedOr(labels, "exported_node", "node"))}];
    };
    if (m_has("kube_node_labels")) {
        out.push_back(instant(promql::overTime("count_over_time", "kube_node_labels", "", window),
                              [node](Labels labels, Samples samples) {
                                  node(labels).labels.offer(samples.back().value, stripped(labels));
                              }));
    }
    if (m_has("kube_node_status_capacity")) {
        out.push_back(instant(promql::overTime("max_over_time", "kube_node_status_capacity",
                                               "resource=~" + promql::quoted(m_mapping.gpuResources), window),
                              [node](Labels labels, Samples samples) {
                                  double &capacity = node(labels).capacity[std::string(labelValue(labels, "resource"))];
                                  capacity = std::max(capacity, samples.back().value);
                              }));
    }
}

std::vector<Query> KubeAssembler::followUps(const std::vector<PodName> &named)
{
    std::set<std::string> replicaSets, jobs, unknown;
    for (const auto &[key, pod] : m_pods) {
        if (pod.ownerKind == "ReplicaSet")
            replicaSets.insert(pod.ownerName);
        else if (pod.ownerKind == "Job")
            jobs.insert(pod.ownerName);
    }
    for (const PodName &pod : named) {
        if (verdict(pod) == PodVerdict::Unknown)
            unknown.insert(pod.name);
    }
    std::vector<Query> out;
    const auto ask = [&](const char *metric, const std::string &label, const std::set<std::string> &names, Take take) {
        if (!m_has(metric))
            return;
        const std::vector<std::string> all(names.begin(), names.end());
        for (std::size_t at = 0; at < all.size(); at += kNamesPerQuery) {
            const std::span<const std::string> some(all.data() + at, std::min(kNamesPerQuery, all.size() - at));
            out.push_back(instant(
                promql::overTime("count_over_time", metric, label + "=~" + promql::anyOf(some), m_wide.length()),
                take));
        }
    };
    ask("kube_replicaset_owner", "replicaset", replicaSets,
        [this](Labels labels, Samples) { takeController(m_replicaSets, "replicaset", labels); });
    ask("kube_job_owner", "job_name", jobs,
        [this](Labels labels, Samples) { takeController(m_jobs, "job_name", labels); });
    const auto known = [this](Labels labels, Samples) {
        m_others[podKey(labels).name] = exportedOr(labels, "exported_node", "node");
    };
    ask("kube_pod_info", "pod", unknown, known);
    ask("kube_pod_info", "exported_pod", unknown, known);
    return out;
}

} // namespace gpuledger::prometheus
