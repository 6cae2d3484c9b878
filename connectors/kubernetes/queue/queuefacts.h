// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/waiting.h"
#include "connectors/kubernetes/queue/podneeds.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::kubernetes {

// Collects what is waiting for GPUs in a cluster, and the room on its nodes, from the objects of its lists. Pure; one
// thread.
//
// A pod is waiting while it is Pending, has no node and is not being deleted; a Workload while it is active and neither
// admitted nor finished. The pods of a waiting Workload are reported through it. Every pod that has a node and is not
// finished takes up room there. An object that does not conform to the API fails with Parse: nothing is guessed.
class QueueFacts {
public:
    explicit QueueFacts(std::string cluster)
        : m_cluster(std::move(cluster))
    {
    }

    // Call before the first object of a list, also when the list is read again.
    void beginPods() { m_pods = {}; }
    void beginNodes() { m_nodes.clear(); }
    void beginNamespaces() { m_namespaces.clear(); }
    void beginWorkloads() { m_workloads = {}; }
    void beginQueues() { m_queues.clear(); }
    // Adds one object of the list.
    [[nodiscard]] base::Result<void> addPod(const Json &pod);
    [[nodiscard]] base::Result<void> addNode(const Json &node);
    [[nodiscard]] base::Result<void> addNamespace(const Json &space);
    [[nodiscard]] base::Result<void> addWorkload(const Json &workload);
    [[nodiscard]] base::Result<void> addQueue(const Json &localQueue);

    bool hasWorks() const { return !m_pods.waiting.empty() || !m_workloads.waiting.empty(); }
    bool hasWorkloads() const { return !m_workloads.waiting.empty(); }
    // The lists that were read to their end.
    struct Lists {
        bool pods = false, nodes = false, workloads = false;
    };
    // Without the node list, only what is held on a node is known about it.
    model::WaitingFacts finish(Lists read) const;

private:
    struct Waiting {
        model::WaitingWork work;
        std::set<std::string> owners; // uids
    };
    struct PodList {
        std::vector<Waiting> waiting;
        std::vector<model::HeldRoom> holders;
        std::map<std::string, Amounts> used; // by node
    };
    struct WorkloadList {
        std::vector<model::WaitingWork> waiting;
        std::set<std::string> owners; // uids of the objects that it stands for
    };

    model::WaitingWork workOf(const Json &object) const;
    base::Result<void> addPods(model::WaitingWork &work, const Json &podSets, const std::string &what) const;
    void addWorks(model::WaitingFacts &facts) const;
    void addRooms(model::WaitingFacts &facts, bool areNodesRead) const;

    std::string m_cluster;
    PodList m_pods;
    WorkloadList m_workloads;
    std::vector<model::NodeRoom> m_nodes;
    std::map<std::string, model::Labels> m_namespaces;
    std::map<std::pair<std::string, std::string>, std::string> m_queues; // namespace and LocalQueue: ClusterQueue
};

} // namespace gpuledger::kubernetes
