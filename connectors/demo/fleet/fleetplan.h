// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// The machines of the demo fleet. All values depend on the options alone.
namespace gpuledger::demo {

// The parameters that determine the whole demo fleet.
struct Options {
    std::uint64_t seed = 1;
    int gpus = 400; // approximate: nodes are whole, and every special node is always present (56 GPUs)
    int days = 92; // at least two whole months
    int months = 0; // bills reach back that many whole months before the current one, if that is further than `days`
    int ending = 2; // seconds of real time that pods take to terminate
    // Adds the machines of NodeRole::HeldWhole, Continual, ContinualSpot and Oversized (25 GPUs) to `gpus`.
    bool heldWhole = false;
    // Midnight, at which the machines of NodeRole::Burst were given back: one for each 100 of `gpus`, in addition to
    // those. Unset: there are none.
    std::optional<base::UtcTime> burstUntil = {};
    bool clouds = false; // adds the machines of NodeRole::Elsewhere (12 GPUs) to `gpus`
};

// A GPU model as its exporter reports it. The power figures are chosen for this demo, not measured; 44 W at rest and
// 300 W for the V100 come from the trace that README.md names.
struct GpuKind {
    std::string_view exporterModel, vendor;
    int memoryMib;
    int restingW, limitW;
    bool profiling; // SM and tensor activity are reported, not only utilization
    bool memoryReported = true;
};

// The use of a node, or the special case that it demonstrates.
enum class NodeRole {
    Training,
    Notebooks,
    Serving,
    LostTelemetry, // training, with hours of missing telemetry every week
    FlakyExporter, // the exporter misses a third of every hour: never observed enough to be called idle
    Mig, // 3g + 2g + 1g on each device, one seventh left over
    TimeSliced, // four replicas per device
    Forgotten, // work that users left running on large GPUs
    ForgottenServing,
    Amd,
    Unpriced, // a model that is in no price list, whose exporter doesn't report memory
    HeldWhole, // rented on demand, and every GPU is held by what does nothing: a stop ends the cost
    Continual, // rented on demand for jobs that write checkpoints: spot machines would do
    ContinualSpot, // the same on a spot machine
    Oversized, // rented on demand for an endpoint that would fit a smaller GPU
    Burst, // rented on demand, hardly used, and given back
    Elsewhere // in a cluster at one of the smaller accounts
};

// A node with its devices and its place in the simulation.
struct PlannedNode {
    model::Node node;
    const GpuKind *gpu = nullptr;
    NodeRole role = NodeRole::Training;
    std::size_t firstDevice = 0; // in FleetPlan::devices
    int gpus = 0;
    std::uint64_t key = 0;
    std::optional<base::UtcTime> until; // when it was given back

    // Every few days; the bills have other spot machines, which nobody takes.
    bool isReclaimed() const { return role == NodeRole::ContinualSpot; }
    bool existsAt(base::UtcTime t) const { return !until || t < *until; }
};

// All nodes and devices of a fleet. Those that are given back come last.
struct FleetPlan {
    std::vector<PlannedNode> nodes;
    std::vector<model::Device> devices;

    static FleetPlan make(const Options &options);
};

// When a spot machine was taken away, each time until another one with its name had joined: ascending, of whole
// buckets, all that touch the range, in full. `machine`: PlannedNode::key.
std::vector<base::TimeRange> reclaimedTimes(std::uint64_t machine, base::TimeRange range);

inline constexpr int kReplicas = 4; // of each device of the time-sliced node

// Seconds of a bucket for which the node's exporter reported values, 0 to 300. A machine that is away has none.
int observedSeconds(const PlannedNode &node, std::int64_t bucketNumber);

} // namespace gpuledger::demo
