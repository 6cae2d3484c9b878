// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "connectors/prometheus/kube/kubefacts.h"
#include "connectors/prometheus/kube/presence.h"
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
#include <vector>

namespace gpuledger::prometheus {

// Assembles what kube-state-metrics reports about one stretch of time: the pods that request a GPU, their labels,
// owners and running times, and the nodes. One chunk, one thread.
class KubeAssembler final : public KubeFacts {
public:
    // `names`: the metrics that the server has.
    KubeAssembler(base::TimeRange range, base::UtcTime now, const KubeMapping &mapping, ClusterNaming clusters,
                  const std::set<std::string> &names);

    bool present() const { return m_has("kube_pod_container_resource_requests") || m_has("kube_node_info"); }
    // First round of queries; the visitors are owned by this object.
    std::vector<Query> queries();
    // Second round: whether the pods named by series are known, and everything about those that hold devices through a
    // claim, which does not request a countable resource.
    std::vector<Query> followUps(const std::vector<PodName> &named, const std::set<PodName> &claimants);
    // Third round: the controllers of the pods' owners.
    std::vector<Query> ownerQueries();

    PodVerdict verdict(const PodName &pod) const override;
    bool knowsRequests(const std::string &cluster) const override;
    bool isNode(const std::string &cluster, const std::string &name) const override;
    std::string nodeAt(const std::string &cluster, const std::string &address) const override;
    std::string nodeOfPod(const PodName &pod) const override;

    // Adds the nodes with GPUs; call it before the usage is written. finish() then adds what is known about the nodes
    // in the batch, and the holders.
    void addGpuNodes(ports::FactBatch &batch) const;
    void finish(ports::FactBatch &batch) const;

private:
    class Visitor;
    using Labels = std::span<const format::Label>;
    using Samples = std::span<const format::Sample>;
    using Take = std::function<void(Labels, Samples)>;
    struct PodKey {
        PodName name;
        std::string uid;
        auto operator<=>(const PodKey &) const = default;
    };
    struct Counted { // of several versions of a label set, the most frequent one counts
        double count = 0;
        model::Labels labels;
        void offer(double n, model::Labels found);
    };
    struct Pod {
        using Requests = std::map<std::string, std::map<std::string, double>>; // resource, container
        Requests requests, initRequests;
        std::set<std::string> sidecars; // init containers that keep running
        bool claims = false;
        std::string node;
        Presence running, pending; // pending: also placed, but not started
        Counted labels, annotations;
        double ownerCount = 0;
        std::string ownerKind, ownerName;
        std::optional<base::UtcTime> created, scheduled, start, completion;
        std::optional<model::EndReason> end;
    };
    struct NodeFacts {
        Presence presence;
        Counted labels;
        std::string providerId, address;
        std::map<std::string, double> capacity;
    };
    using Name = std::pair<std::string, std::string>; // cluster and name
    using Controller = std::pair<std::string, std::string>; // kind and name

    Query instant(std::string expression, Take take);
    Query overBuckets(std::string expression, Take take);
    void addPodQueries(std::vector<Query> &out);
    void addWaitingQueries(std::vector<Query> &out);
    void addEndQueries(std::vector<Query> &out);
    std::vector<std::string> endExpressions(const std::string &matcher) const;
    void addNodeQueries(std::vector<Query> &out);
    void askByName(std::vector<Query> &out, const char *metric, const std::string &label,
                   const std::set<std::string> &names, const Take &take);
    void addClaimantQueries(std::vector<Query> &out, const std::set<PodName> &claimants);
    std::string requesting(const char *function, base::Seconds window) const;
    std::string holdersOnly(const std::string &expression, base::Seconds window) const;
    PodKey podKey(Labels labels) const;
    std::vector<Pod *> podsOf(Labels labels);
    void takeCounts(Presence &presence, Samples samples) const;
    void takeRequest(Labels labels, Samples samples, Pod::Requests Pod::*kind);
    static void takeOwner(Pod &pod, Labels labels, double count);
    static void takeEnd(Pod &pod, Labels labels);
    void takeNode(Labels labels, Samples samples);
    void takeController(std::map<std::pair<Name, std::string>, Controller> &into, const char *label, Labels labels);
    void describeNode(model::Node &node, const NodeFacts &facts) const;
    model::Holder holderOf(const PodKey &key, const Pod &pod) const;
    static std::map<std::string, std::int64_t> requestsOf(const Pod &pod);
    std::optional<base::TimeRange> waitOf(const Pod &pod, std::uint16_t full) const;
    void addWaits(ports::FactBatch &batch) const;
    std::vector<base::TimeRange> timesOf(const Pod &pod, std::uint16_t full) const;

    base::TimeRange m_range;
    base::TimeRange m_wide; // with a margin that shows what was there before and after
    const KubeMapping &m_mapping;
    ClusterNaming m_clusters;
    std::function<bool(const char *)> m_has;
    std::vector<std::unique_ptr<format::SeriesVisitor>> m_visitors;
    std::map<PodKey, Pod> m_pods;
    std::map<PodName, std::string> m_others; // pods that request no GPU, with their node
    std::map<std::string, Presence> m_phases; // by cluster: whether the phases of pods were recorded
    std::map<Name, NodeFacts> m_nodes;
    std::map<Name, std::string> m_addresses;
    std::map<Name, Counted> m_namespaces;
    std::map<std::pair<Name, std::string>, Controller> m_replicaSets, m_jobs; // (cluster, namespace), name
};

} // namespace gpuledger::prometheus
