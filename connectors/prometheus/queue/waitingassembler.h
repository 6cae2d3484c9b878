// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/waiting.h"
#include "connectors/prometheus/kube/kubefacts.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/series/exportermapping.h"
#include "connectors/prometheus/series/seriesnormalizer.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::prometheus {

// The queries of askWaiting() and the processing of their answers. One point in time, one thread.
class WaitingAssembler {
public:
    WaitingAssembler(const KubeMapping &mapping, ClusterNaming clusters, base::UtcTime at);

    // The visitors are owned by this object.
    std::vector<Query> queries();
    model::WaitingFacts finish() const;

private:
    class Visitor;
    using Labels = std::span<const format::Label>;
    using Take = std::function<void(Labels, double)>;
    using Name = std::pair<std::string, std::string>; // cluster and name
    struct PodKey {
        PodName name;
        std::string uid;
        auto operator<=>(const PodKey &) const = default;
    };
    using Requests = std::map<std::string, std::map<std::string, double>>; // resource, container
    struct Pod {
        Requests requests, initRequests;
        std::string node, exportedNode, phase, ownerKind, ownerName;
        model::Labels labels;
        std::optional<model::Labels> selector;
        std::optional<std::vector<model::Toleration>> tolerations;
        std::optional<base::UtcTime> created;
    };
    struct Quota {
        std::optional<double> nominal, reserved, used;
    };

    void add(std::string expression, Take take);
    void addPods();
    void addWaiting();
    void addNodes();
    void addKueue();
    std::string joint(const char *names) const;
    PodKey podKey(Labels labels) const;
    Name nodeName(Labels labels) const;
    static bool isPlain(std::string_view resource); // cpu or memory
    static double sumOf(const Requests &requests, const std::string &resource);
    static double requested(const Pod &pod, const std::string &resource);
    std::string nodeOf(const Pod &pod) const;
    std::map<std::string, std::int64_t> gpusOf(const Pod &pod) const;
    model::WaitingWork workOf(const PodKey &key, const Pod &pod) const;
    void finishPods(model::WaitingFacts &facts) const;
    void finishQueues(model::WaitingFacts &facts) const;
    std::vector<std::string> missing(const model::WaitingFacts &facts) const;

    const KubeMapping &m_mapping;
    const ClusterNaming m_clusters;
    const base::UtcTime m_at;
    std::vector<Query> m_queries;
    std::vector<std::unique_ptr<format::SeriesVisitor>> m_visitors;
    std::map<PodKey, Pod> m_pods;
    std::map<Name, model::NodeRoom> m_nodes;
    std::map<Name, model::Labels> m_namespaces;
    std::map<std::pair<Name, std::string>, double> m_nodeUsed; // (cluster, node), cpu or memory
    std::map<std::pair<Name, std::string>, Quota> m_quotas; // (cluster, queue), "flavour\nresource"
    std::map<Name, std::map<std::string, double>> m_queued; // (cluster, queue), status
    bool m_hasPhases = false, m_hasRequests = false, m_hasSelectors = false, m_hasExportedNodes = false;
};

} // namespace gpuledger::prometheus
