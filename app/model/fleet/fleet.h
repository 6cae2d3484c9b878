// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/time/time.h"
#include "app/model/fleet/endreason.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What exists: nodes, devices and the workloads that schedulers assigned devices to. Plain values.
namespace gpuledger::model {

using Labels = std::map<std::string, std::string>;

// MIG fraction: compute slices of the profile over those of the device (1g.10gb on an A100 or H100 = 1/7, 1g.6gb on an
// A30 = 1/4).
struct Fraction {
    std::int64_t part = 1;
    std::int64_t of = 1;
    constexpr bool operator==(const Fraction &) const = default;
};

// A Kubernetes node, or another machine with GPUs.
struct Node {
    base::NodeId id;
    std::string cluster;
    std::string name;
    Labels labels; // keys as kube-state-metrics writes them, without "label_" (mangled)
    std::string providerId; // aws:///zone/i-…, gce://…, azure:///…; empty if unknown
    std::string instanceType;
    std::string cloud; // aws | gcp | azure | … | empty
    std::string region;
    std::string zone;
    std::int64_t gpuCapacity = 0; // devices x replicas under time-slicing; 0 = unknown
    bool sharedGpus = false; // time-slicing or MPS: replicas > 1, sharing-strategy, product "-SHARED"
};

// A slice of a MIG device that was seen, with its profile.
struct MigSlice {
    std::string gpuInstance; // GPU_I_ID
    std::string profile; // 1g.10gb
    Fraction fraction;
};

// A physical GPU.
struct Device {
    base::DeviceId id;
    std::string cluster;
    std::string uuid; // with its vendor prefix, e.g. GPU-…; (cluster, uuid) is the key
    std::string model; // as the exporter reports it
    std::string vendor; // nvidia | amd | intel
    int index = -1; // position in the node, for display only
    std::int64_t memoryMib = 0; // 0 = unknown
    std::vector<MigSlice> slices;
};

// The holder's name in the labels of a series, before it is matched with a scheduler's record. (cluster, kind,
// namespace, name, uid) is the key.
enum class SubjectKind : std::uint8_t {
    Pod = 0,
    SlurmJob = 1,
    Machine = 2, // no scheduler assigns its GPUs: whoever has the machine holds them; named as in telemetry
};
std::string_view toString(SubjectKind kind); // "pod", "slurm_job", "machine"

// A holder as named in labels.
struct Subject {
    base::SubjectId id;
    std::string cluster;
    SubjectKind kind = SubjectKind::Pod;
    std::string nameSpace;
    std::string name;
    std::string uid; // if the exporter reports it (pod_uid), else empty
    bool exporterLike =
        false; // the labels look like the exporter's own target (used only when no scheduler record can decide)
};

enum class WorkloadKind : std::uint8_t { Unknown = 0, Notebook, Development, Training, Batch, Inference };
std::string_view toString(WorkloadKind kind);
std::optional<WorkloadKind> workloadKindFromString(std::string_view text);

// One incarnation of a workload that a scheduler assigned devices to; a pod recreated under the same name is another
// holder. Key: (cluster, namespace, name, uid).
struct Holder {
    base::HolderId id;
    std::string cluster;
    SubjectKind kind = SubjectKind::Pod;
    std::string nameSpace;
    std::string name;
    std::string uid;
    std::string node;
    std::string ownerKind; // topmost known controller (Deployment, StatefulSet, Job, Notebook …); empty for a bare pod
    std::string ownerName;
    Labels labels; // mangled keys without "label_"
    Labels namespaceLabels;
    std::map<std::string, std::int64_t>
        gpuRequests; // resource as kube-state-metrics writes it (nvidia_com_gpu) -> count
    std::optional<base::UtcTime> startedAt;
    std::optional<base::UtcTime> completedAt;
    std::optional<EndReason> endReason; // of a pod; std::nullopt: it runs, ended by itself, or it is unknown
    base::TimeRange seen; // first and last evidence of running (hull of its spans)
};

} // namespace gpuledger::model
