// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What waits for GPUs at a moment, and the capacity of nodes. Plain values; label keys and resource names as
// kube-state-metrics writes them (nvidia_com_gpu). An empty optional means unknown.
namespace gpuledger::model {

// A taint of a Kubernetes node.
struct Taint {
    std::string key, value, effect; // NoSchedule, NoExecute, PreferNoSchedule
};
// A toleration of a pod.
struct Toleration {
    std::string key, op, value, effect; // op Exists or Equal (also if empty); no key: any; no effect: all
};

// A job that waits for GPUs, or a group of them.
struct WaitingWork {
    enum class Kind {
        Pod, // not assigned to a node yet
        Queue, // workloads held back by a Kueue ClusterQueue, of which only the number is known
        Workload, // a Kueue workload that is not admitted
    };
    // Pods of one kind, each with all its GPUs on one node.
    struct Pods {
        std::int64_t count = 1;
        std::string resource; // the resource that each requests most of
        std::int64_t gpus = 0; // requested amount of it, per pod
        bool wantsOthers = false;
        std::int64_t cpuMilli = 0, memoryBytes = 0; // per pod
        Labels selector;
        std::vector<Toleration> tolerations;
    };
    Kind kind = Kind::Pod;
    std::string cluster, nameSpace, name, uid;
    std::string ownerKind, ownerName; // controller; empty: none, or unknown
    Labels labels, namespaceLabels;
    std::string team; // set by the caller that queried the source
    std::string resource; // the resource that it requests most of
    std::optional<std::int64_t> gpus; // total amount of that resource; on one node if `pods` is empty
    std::vector<Pods> pods; // several that start together, on any nodes; empty: one, described by the other fields
    bool wantsOthers = false; // other GPU resources as well
    std::optional<std::int64_t> cpuMilli, memoryBytes; // requested in addition
    std::optional<base::UtcTime> since;
    std::optional<Labels> selector; // nodeSelector
    std::optional<std::vector<Toleration>> tolerations;
    std::string queue; // Kueue's ClusterQueue; empty: none, or unknown
    std::string localQueue; // in its namespace, if known
    std::optional<bool> hasQuota; // as Kueue reports for this particular workload
    std::string message; // the reason for waiting in the platform's own words, one line; may be empty
    std::int64_t count = 1; // number of workloads that this entry represents
};

// The capacity of a node, and what of it is requested.
struct NodeRoom {
    std::string cluster, name;
    std::optional<Labels> labels;
    std::map<std::string, std::int64_t> gpus, gpusUsed; // allocatable and requested, by resource
    std::optional<std::int64_t> cpuMilli, cpuMilliUsed, memoryBytes, memoryBytesUsed;
    std::vector<Taint> taints;
    bool isCordoned = false;
    bool areTaintsKnown = true;
};

// What a pod that is assigned to a node requests there.
struct HeldRoom {
    std::string cluster, nameSpace, name, uid, node;
    std::map<std::string, std::int64_t> gpus;
    std::int64_t cpuMilli = 0, memoryBytes = 0;
};

// The quota of a Kueue ClusterQueue for one resource and flavor.
struct QueueQuota {
    std::string cluster, queue, flavour, resource;
    std::int64_t nominal = 0, used = 0;
};

// What a source that queries the cluster directly reports completely. It takes precedence over the other sources there.
struct ReportedCluster {
    std::string cluster;
    bool jobs = false; // pods, and the holders of GPUs
    bool nodes = false;
    bool queues = false; // every workload held back by Kueue
};

// What one source reports about waiting jobs and capacity.
struct WaitingFacts {
    bool isKnown = false; // false: this source cannot report whether anything waits
    std::vector<std::string> missing; // metrics or lists that would provide more
    std::vector<ReportedCluster> told; // empty: from metrics
    std::vector<WaitingWork> works;
    std::vector<NodeRoom> nodes; // nodes with GPUs
    std::vector<HeldRoom> holders; // holders of GPUs
    std::vector<QueueQuota> quotas;
};

// A pod that had requested GPUs and was not placed on a node yet, in the past. Shorter waits than kLeastPastWait are
// the scheduler's ordinary work and are not recorded.
struct PastWait {
    std::string cluster, nameSpace, name, uid;
    std::string resource; // the resource that it requested most of
    std::int64_t gpus = 0; // requested amount of it, on one node
    std::string node; // where it was placed in the end; empty: nowhere, or unknown
    base::TimeRange range; // from its creation, or when it was first seen waiting, until it was placed or last seen
};
inline constexpr base::Seconds kLeastPastWait{60};

} // namespace gpuledger::model
