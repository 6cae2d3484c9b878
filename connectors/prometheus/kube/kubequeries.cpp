// SPDX-License-Identifier: GPL-3.0-or-later
// The questions of KubeAssembler; what becomes of the answers is in kubeassembler.cpp.
#include "connectors/prometheus/kube/kubeassembler.h"
#include "connectors/prometheus/kube/kubelabels.h"
#include "connectors/prometheus/query/promql.h"

#include <algorithm>
#include <array>

namespace gpuledger::prometheus {

namespace {

constexpr const char *kInitRequests = "kube_pod_init_container_resource_requests";

} // namespace

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

model::Labels ownAnnotations(std::span<const format::Label> labels)
{
    // No others: owners and protection are decided by labels.
    static constexpr std::array<std::string_view, 3> kNeeds{"gpu_ledger_io_checkpoint_every", "gpu_ledger_io_deadline",
                                                            "gpu_ledger_io_interruptible"};
    static constexpr std::string_view kPrefix = "annotation_";
    model::Labels out;
    for (const format::Label &label : labels) {
        if (label.name.starts_with(kPrefix)
            && std::find(kNeeds.begin(), kNeeds.end(), std::string_view(label.name).substr(kPrefix.size()))
                != kNeeds.end())
            out.emplace(label.name.substr(kPrefix.size()), label.value);
    }
    return out;
}

std::string labelOr(const model::Labels &labels, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        if (const auto it = labels.find(name); it != labels.end() && !it->second.empty())
            return it->second;
    }
    return {};
}

std::optional<base::UtcTime> timeOf(double seconds)
{
    if (!(seconds > 0) || seconds > 4e9)
        return std::nullopt;
    return base::fromUnix(static_cast<std::int64_t>(seconds));
}

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

// GPU requests of containers, including init containers: either makes a pod a holder.
std::string KubeAssembler::requesting(const char *function, base::Seconds window) const
{
    const std::string gpu = m_mapping.matcher();
    const std::string containers = promql::overTime(function, "kube_pod_container_resource_requests", gpu, window);
    if (!m_has(kInitRequests))
        return containers;
    return '(' + containers + " or " + promql::overTime(function, kInitRequests, gpu, window) + ')';
}

std::string KubeAssembler::holdersOnly(const std::string &expression, base::Seconds window) const
{
    const std::string cluster = m_clusters.label.empty() ? std::string() : ',' + m_clusters.label;
    return expression + " and on(namespace,pod,exported_namespace,exported_pod" + cluster + ") "
        + requesting("max_over_time", window);
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
    const std::string gpu = m_mapping.matcher();
    out.push_back(instant(promql::overTime("max_over_time", "kube_pod_container_resource_requests", gpu, window),
                          [this](Labels labels, Samples samples) { takeRequest(labels, samples, &Pod::requests); }));
    if (m_has(kInitRequests)) {
        out.push_back(
            instant(promql::overTime("max_over_time", kInitRequests, gpu, window),
                    [this](Labels labels, Samples samples) { takeRequest(labels, samples, &Pod::initRequests); }));
    }
    const bool phases = m_has("kube_pod_status_phase");
    const auto running = [this](Labels labels, Samples samples) {
        takeCounts(m_pods[podKey(labels)].running, samples);
    };
    out.push_back(overBuckets(phases ? holdersOnly(promql::overTime("sum_over_time", "kube_pod_status_phase",
                                                                    "phase=\"Running\"", base::kBucket),
                                                   base::kBucket)
                                     : requesting("count_over_time", base::kBucket),
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
    aboutPods("kube_pod_annotations", "count_over_time",
              [](Pod &pod, Labels labels, double count) { pod.annotations.offer(count, ownAnnotations(labels)); });
    aboutPods("kube_pod_owner", "count_over_time", takeOwner);
    if (m_has(kInitRequests)) {
        aboutPods("kube_pod_init_container_info", "count_over_time", [](Pod &pod, Labels labels, double) {
            if (labelValue(labels, "restart_policy") == "Always")
                pod.sidecars.insert(std::string(exportedOr(labels, "exported_container", "container")));
        });
    }
    aboutPods("kube_pod_created", "max_over_time", [](Pod &pod, Labels, double value) { pod.created = timeOf(value); });
    aboutPods("kube_pod_status_scheduled_time", "max_over_time",
              [](Pod &pod, Labels, double value) { pod.scheduled = timeOf(value); });
    aboutPods("kube_pod_start_time", "max_over_time",
              [](Pod &pod, Labels, double value) { pod.start = timeOf(value); });
    aboutPods("kube_pod_completion_time", "max_over_time",
              [](Pod &pod, Labels, double value) { pod.completion = timeOf(value); });
    addWaitingQueries(out);
    addEndQueries(out);
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
        out.push_back(
            instant(promql::overTime("max_over_time", "kube_node_status_capacity", m_mapping.matcher(), window),
                    [node](Labels labels, Samples samples) {
                        double &capacity = node(labels).capacity[std::string(labelValue(labels, "resource"))];
                        capacity = std::max(capacity, samples.back().value);
                    }));
    }
}

} // namespace gpuledger::prometheus
