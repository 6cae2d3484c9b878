// SPDX-License-Identifier: GPL-3.0-or-later
// askWaiting(), and the questions of WaitingAssembler; what becomes of the answers is in waitingassembler.cpp.
#include "connectors/prometheus/queue/waitingquestion.h"

#include "connectors/prometheus/kube/kubelabels.h"
#include "connectors/prometheus/query/discovery.h"
#include "connectors/prometheus/query/impatient.h"
#include "connectors/prometheus/query/promql.h"
#include "connectors/prometheus/queue/waitingassembler.h"

namespace gpuledger::prometheus {

namespace {

constexpr double kMostGpus = 1e6, kMostAmount = 1e15; // larger values are not valid amounts
constexpr const char *kRequests = "kube_pod_container_resource_requests";
constexpr const char *kPods = "namespace,pod,exported_namespace,exported_pod";
constexpr const char *kNodes = "node,exported_node";

bool isAmount(double value, double most)
{
    return value >= 0 && value < most;
}

std::string selector(const std::string &metric, const std::string &matchers)
{
    return metric + '{' + matchers + '}';
}

std::string text(std::string_view view)
{
    return std::string(view);
}

model::Labels nodeSelectorOf(std::span<const format::Label> labels)
{
    static constexpr std::string_view kPrefix = "nodeselector_";
    model::Labels out;
    for (const format::Label &label : labels) {
        if (label.name.starts_with(kPrefix))
            out.emplace(label.name.substr(kPrefix.size()), label.value);
    }
    return out;
}

} // namespace

class WaitingAssembler::Visitor final : public format::SeriesVisitor {
public:
    explicit Visitor(Take take)
        : m_take(std::move(take))
    {
    }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        if (!samples.empty())
            m_take(labels, samples.back().value);
    }
    void refused(std::string_view) override { }

private:
    Take m_take;
};

WaitingAssembler::WaitingAssembler(const KubeMapping &mapping, ClusterNaming clusters, base::UtcTime at)
    : m_mapping(mapping)
    , m_clusters(std::move(clusters))
    , m_at(at)
{
}

void WaitingAssembler::add(std::string expression, Take take)
{
    m_visitors.push_back(std::make_unique<Visitor>(std::move(take)));
    m_queries.push_back({instantQuery(std::move(expression), m_at), m_visitors.back().get()});
}

// Labels that two metrics of the same object share.
std::string WaitingAssembler::joint(const char *names) const
{
    return '(' + text(names) + (m_clusters.label.empty() ? std::string() : ',' + m_clusters.label) + ") ";
}

WaitingAssembler::PodKey WaitingAssembler::podKey(Labels labels) const
{
    return {{m_clusters.of(labels), text(exportedOr(labels, "exported_namespace", "namespace")),
             text(exportedOr(labels, "exported_pod", "pod"))},
            text(exportedOr(labels, "exported_uid", "uid"))};
}

WaitingAssembler::Name WaitingAssembler::nodeName(Labels labels) const
{
    return {m_clusters.of(labels), text(exportedOr(labels, "exported_node", "node"))};
}

std::vector<Query> WaitingAssembler::queries()
{
    add("count(kube_pod_status_phase)", [this](Labels, double count) { m_hasPhases = count > 0; });
    add("count(" + text(kRequests) + ')', [this](Labels, double count) { m_hasRequests = count > 0; });
    addPods();
    addWaiting();
    addNodes();
    addKueue();
    return std::move(m_queries);
}

// Pods that request GPUs, in any phase, and what their nodes have allocated.
void WaitingAssembler::addPods()
{
    const std::string gpu = m_mapping.matcher();
    const std::string plain = "resource=~\"cpu|memory\"";
    const auto request = [this](Requests Pod::*kind) {
        return [this, kind](Labels labels, double value) {
            const std::string resource = text(labelValue(labels, "resource"));
            if (!isAmount(value, isPlain(resource) ? kMostAmount : kMostGpus))
                return;
            Pod &pod = m_pods[podKey(labels)];
            double &known = (pod.*kind)[resource][text(exportedOr(labels, "exported_container", "container"))];
            known = std::max(known, value); // two recorders of the same object
            if (const std::string_view node = labelValue(labels, "node"); !node.empty())
                pod.node = node;
            if (const std::string_view node = labelValue(labels, "exported_node"); !node.empty()) {
                pod.exportedNode = node;
                m_hasExportedNodes = true;
            }
        };
    };
    const std::string holding = " and on" + joint(kPods) + selector(kRequests, gpu);
    add(selector(kRequests, gpu), request(&Pod::requests));
    add(selector(kRequests, plain) + holding, request(&Pod::requests));
    for (const std::string &matcher : {gpu, plain})
        add(selector("kube_pod_init_container_resource_requests", matcher) + (matcher == gpu ? std::string() : holding),
            request(&Pod::initRequests));
    add("kube_pod_status_phase == 1" + holding,
        [this](Labels labels, double) { m_pods[podKey(labels)].phase = labelValue(labels, "phase"); });
    const std::string each = joint("namespace,pod,uid,container,exported_namespace,exported_pod,exported_container,"
                                   "node,exported_node,resource");
    add("sum by " + joint("node,exported_node,resource") + "(max by " + each + '(' + selector(kRequests, plain)
            + ") unless on" + joint(kPods) + "(kube_pod_status_phase{phase=~\"Succeeded|Failed\"} == 1))",
        [this](Labels labels, double value) {
            if (isAmount(value, kMostAmount))
                m_nodeUsed[{nodeName(labels), text(labelValue(labels, "resource"))}] = value;
        });
}

void WaitingAssembler::addWaiting()
{
    const std::string pending = " and on" + joint(kPods) + "(kube_pod_status_phase{phase=\"Pending\"} == 1) and on"
        + joint(kPods) + selector(kRequests, m_mapping.matcher());
    const auto about = [&](const char *metric, std::function<void(Pod &, Labels, double)> take) {
        add(metric + pending, [this, take = std::move(take)](Labels labels, double value) {
            take(m_pods[podKey(labels)], labels, value); // answers arrive in any order
        });
    };
    about("kube_pod_created", [](Pod &pod, Labels, double value) { pod.created = timeOf(value); });
    about("kube_pod_owner", [](Pod &pod, Labels labels, double) {
        if (labelValue(labels, "owner_is_controller") == "false")
            return;
        pod.ownerKind = labelValue(labels, "owner_kind");
        pod.ownerName = labelValue(labels, "owner_name");
    });
    about("kube_pod_labels", [](Pod &pod, Labels labels, double) { pod.labels = stripped(labels); });
    about("kube_pod_nodeselectors", [this](Pod &pod, Labels labels, double) {
        m_hasSelectors = true;
        pod.selector = nodeSelectorOf(labels);
    });
    about("kube_pod_tolerations", [](Pod &pod, Labels labels, double) {
        if (!pod.tolerations)
            pod.tolerations.emplace();
        pod.tolerations->push_back({text(labelValue(labels, "key")), text(labelValue(labels, "operator")),
                                    text(labelValue(labels, "value")), text(labelValue(labels, "effect"))});
    });
    add("kube_namespace_labels", [this](Labels labels, double) {
        m_namespaces[{m_clusters.of(labels), text(exportedOr(labels, "exported_namespace", "namespace"))}] =
            stripped(labels);
    });
}

void WaitingAssembler::addNodes()
{
    const std::string gpuNodes = selector("kube_node_status_allocatable", m_mapping.matcher());
    const std::string onGpuNodes = " and on" + joint(kNodes) + gpuNodes;
    const auto node = [this](Labels labels) -> model::NodeRoom & {
        const Name name = nodeName(labels);
        model::NodeRoom &room = m_nodes[name];
        room.cluster = name.first;
        room.name = name.second;
        return room;
    };
    add(gpuNodes, [this, node](Labels labels, double value) {
        if (isAmount(value, kMostGpus) && !nodeName(labels).second.empty())
            node(labels).gpus[text(labelValue(labels, "resource"))] = std::llround(value);
    });
    const auto about = [&](const std::string &metric, std::function<void(model::NodeRoom &, Labels, double)> take) {
        add(metric + onGpuNodes, [this, node, take = std::move(take)](Labels labels, double value) {
            if (!nodeName(labels).second.empty())
                take(node(labels), labels, value);
        });
    };
    about("kube_node_status_allocatable{resource=~\"cpu|memory\"}",
          [](model::NodeRoom &room, Labels labels, double value) {
              if (!isAmount(value, kMostAmount))
                  return;
              if (labelValue(labels, "resource") == "cpu")
                  room.cpuMilli = std::llround(value * 1000);
              else
                  room.memoryBytes = std::llround(value);
          });
    about("kube_node_labels", [](model::NodeRoom &room, Labels labels, double) { room.labels = stripped(labels); });
    about("kube_node_spec_taint", [](model::NodeRoom &room, Labels labels, double) {
        room.taints.push_back(
            {text(labelValue(labels, "key")), text(labelValue(labels, "value")), text(labelValue(labels, "effect"))});
    });
    about("kube_node_spec_unschedulable == 1", [](model::NodeRoom &room, Labels, double) { room.isCordoned = true; });
}

// The leader and its followers report the same values.
void WaitingAssembler::addKueue()
{
    const auto by = [this](const char *names, const char *metric) {
        return "max by " + joint(names) + '(' + metric + ')';
    };
    add(by("cluster_queue,status", "kueue_pending_workloads"), [this](Labels labels, double value) {
        if (isAmount(value, kMostGpus))
            m_queued[{m_clusters.of(labels), text(labelValue(labels, "cluster_queue"))}]
                    [text(labelValue(labels, "status"))] = value;
    });
    const auto quota = [&](const char *metric, std::optional<double> Quota::*field) {
        add(by("cluster_queue,flavor,resource", metric), [this, field](Labels labels, double value) {
            if (!isAmount(value, kMostAmount))
                return;
            const Name queue{m_clusters.of(labels), text(labelValue(labels, "cluster_queue"))};
            m_quotas[{queue, text(labelValue(labels, "flavor")) + '\n' + text(labelValue(labels, "resource"))}].*field =
                value;
        });
    };
    quota("kueue_cluster_queue_nominal_quota", &Quota::nominal);
    quota("kueue_cluster_queue_resource_reservation", &Quota::reserved);
    quota("kueue_cluster_queue_resource_usage", &Quota::used);
}

base::Result<model::WaitingFacts> askWaiting(Connection &connection, const KubeMapping &mapping,
                                             const ClusterNaming &clusters, base::UtcTime at,
                                             const std::stop_token &stop)
{
    connection.retries = kImpatient;
    auto server = askServer(connection, stop);
    if (!server)
        return base::fail(std::move(server).error());
    connection.endpoint.product = server->product;
    GPULEDGER_TRY(askStores(connection, stop));
    WaitingAssembler assembler(mapping, clusters, at);
    auto done = QueryRunner(connection, assembler.queries(), stop).finish();
    if (!done)
        return base::fail(std::move(done).error());
    if (!connection.warnings.empty())
        return base::fail(base::ErrorCode::Server,
                          http::shownUrl(connection.endpoint.base)
                              + " returned a partial response: " + *connection.warnings.begin());
    return assembler.finish();
}

} // namespace gpuledger::prometheus
