// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/fleet.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What waits for GPUs at a moment, and the room that nodes have. Plain values; keys of labels and names of resources as
// kube-state-metrics writes them (nvidia_com_gpu). An optional that is empty: not known.
namespace gpuledger::model {

struct Taint {
    std::string key, value, effect; // NoSchedule, NoExecute, PreferNoSchedule
};
struct Toleration {
    std::string key, op, value, effect; // op Exists or Equal (also when empty); no key: any; no effect: all
};

struct WaitingWork {
    enum class Kind {
        Pod, // not given to a node yet
        Queue, // workloads that a Kueue ClusterQueue holds back, of which only the number is known
        Workload, // one of Kueue that is not admitted
    };
    // Pods of one kind, each with all its GPUs on one node.
    struct Pods {
        std::int64_t count = 1;
        std::string resource; // that each wants most of
        std::int64_t gpus = 0; // of it, each
        bool wantsOthers = false;
        std::int64_t cpuMilli = 0, memoryBytes = 0; // each
        Labels selector;
        std::vector<Toleration> tolerations;
    };
    Kind kind = Kind::Pod;
    std::string cluster, nameSpace, name, uid;
    std::string ownerKind, ownerName; // controller; empty: none, or not known
    Labels labels, namespaceLabels;
    std::string team; // whoever asked the source fills it in
    std::string resource; // that it wants most of
    std::optional<std::int64_t> gpus; // of that resource in all; on one node where `pods` is empty
    std::vector<Pods> pods; // several that start together, on any nodes; empty: one, told by the other fields
    bool wantsOthers = false; // other GPU resources as well
    std::optional<std::int64_t> cpuMilli, memoryBytes; // that it requests besides
    std::optional<base::UtcTime> since;
    std::optional<Labels> selector; // nodeSelector
    std::optional<std::vector<Toleration>> tolerations;
    std::string queue; // Kueue's ClusterQueue; empty: none, or not known
    std::string localQueue; // of its namespace, where that is known
    std::optional<bool> hasQuota; // as Kueue says of this very workload
    std::string message; // why it waits in the platform's own words, one line; may be empty
    std::int64_t count = 1; // workloads that this stands for
};

struct NodeRoom {
    std::string cluster, name;
    std::optional<Labels> labels;
    std::map<std::string, std::int64_t> gpus, gpusUsed; // allocatable and requested, by resource
    std::optional<std::int64_t> cpuMilli, cpuMilliUsed, memoryBytes, memoryBytesUsed;
    std::vector<Taint> taints;
    bool isCordoned = false;
    bool areTaintsKnown = true;
};

// What a pod that has a node requests there.
struct HeldRoom {
    std::string cluster, nameSpace, name, uid, node;
    std::map<std::string, std::int64_t> gpus;
    std::int64_t cpuMilli = 0, memoryBytes = 0;
};

struct QueueQuota {
    std::string cluster, queue, flavour, resource;
    std::int64_t nominal = 0, used = 0;
};

// What a source that asks the cluster itself tells completely. It is believed before the others there.
struct ReportedCluster {
    std::string cluster;
    bool jobs = false; // pods, and who holds GPUs
    bool nodes = false;
    bool queues = false; // every workload that Kueue holds back
};

struct WaitingFacts {
    bool isKnown = false; // false: this source can't tell whether anything waits
    std::vector<std::string> missing; // metrics or lists that would tell more
    std::vector<ReportedCluster> told; // empty: of metrics
    std::vector<WaitingWork> works;
    std::vector<NodeRoom> nodes; // with GPUs
    std::vector<HeldRoom> holders; // of GPUs
    std::vector<QueueQuota> quotas;
};

} // namespace gpuledger::model
