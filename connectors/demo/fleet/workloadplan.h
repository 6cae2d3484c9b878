// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/demo/fleet/fleetplan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The usage of the demo fleet over time. A lane is a set of devices that workloads use one after another; its time is
// divided into frames on an absolute calendar, and whatever runs in a frame begins and ends within it. The run at any
// time is therefore a function of (seed, lane, frame) alone.
namespace gpuledger::demo {

// A team, its habits and the names of its workloads.
struct Team {
    std::string_view name, nameSpace;
    int utcOffsetHours; // without daylight saving time, so that every machine agrees
    bool podLabel, namespaceLabel; // where the team is recorded
    double diligence; // 0..1: how well its GPUs are utilized
    std::string_view training[4], serving[4], notebooks[4];
};

// How the workloads of a lane behave over time.
enum class Pattern {
    Training,
    Continual, // training runs that begin as soon as the one before has ended
    Batch,
    Notebook,
    Development,
    Serving, // always running
    ElasticServing, // scaled up during the day
    SmallServing, // running most of the week, and small for its GPU
    IdleLoaded, // a bare pod that holds 70 GiB and does nothing
    IdleNotebook,
    ForgottenEndpoint,
    HungJob,
    Trickle, // an endpoint with hardly a request, far too large for them
    Sleeping // its process has ended, and its container waits
};

// A device, or a slice of one.
struct Slot {
    std::size_t device = 0; // in FleetPlan::devices
    int slice = -1; // in Device::slices
};

// A set of devices that one team's workloads use one after another.
struct Lane {
    struct Member { // a pod
        std::size_t node = 0; // in FleetPlan::nodes
        std::vector<Slot> slots;
    };
    std::uint64_t key = 0;
    const Team *team = nullptr;
    Pattern pattern = Pattern::Training;
    std::int64_t frame = 86400, phase = 0; // seconds
    std::string workload; // name of the controller
    std::string environment;
    std::string checkpointEvery; // as its label says; empty: no label
    bool protectedByLabel = false;
    bool isScaled = false; // a KEDA object scales it up again as soon as it is scaled to zero
    bool shared = false; // a replica of a time-sliced device
    std::optional<base::UtcTime> until; // when its machine was given back
    std::optional<std::uint64_t> spotMachine; // the key of its machine, with which its pods end each time it is taken
    std::vector<Member> members;
};

// One workload in a frame of a lane; on a spot machine, the part of it between two times that the machine was taken.
struct Run {
    std::uint64_t key = 0;
    base::TimeRange range; // multiples of 30 s, like scrapes
    std::uint64_t attempt = 0; // how many parts came before: another pod of the same object
    bool isCut = false; // it ended because its machine was taken away
};

// All lanes of the plan; some devices are left unallocated.
std::vector<Lane> makeLanes(const FleetPlan &plan, const Options &options);

// The runs of a lane that touch the range, ascending.
std::vector<Run> runsIn(const Lane &lane, base::TimeRange range);

// The pod of one member of a run, as the scheduler knows it. completedAt is left unset.
model::Holder holderOf(const Lane &lane, std::size_t member, const Run &run, const FleetPlan &plan);

// The local hour, 0..24, and whether it is a weekend there.
struct LocalTime {
    double hour = 0;
    bool weekend = false;
};
LocalTime localTime(const Team &team, std::int64_t unixSeconds);

} // namespace gpuledger::demo
