// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"
#include "app/store/values/cube.h"

#include <algorithm>
#include <array>
#include <utility>

// Which measures an attributed part adds to, and how much: shared by the roll-up and the drill-downs. Pure functions;
// any thread.
namespace gpuledger::store {

// Measures of time and cost of each state, by GpuState.
inline constexpr std::array<std::pair<Measure, Measure>, model::kStateCount> kStateMeasures{{
    {Measure::ActiveTicks, Measure::CostActive},
    {Measure::IdleTicks, Measure::CostIdle},
    {Measure::UnallocatedTicks, Measure::CostUnallocated},
    {Measure::UnobservedHeldTicks, Measure::CostUnobservedHeld},
    {Measure::UnobservedFreeTicks, Measure::CostUnobservedFree},
}};

// ticks x share / 60000, truncated: the error is under one tick per part, which is below 1e-6 of a bucket.
constexpr std::int64_t weightedTicks(std::int64_t ticks, std::uint16_t share)
{
    return ticks * share / model::kShareScale;
}

// Memory of the part's slice in MiB; 0 = unknown.
inline std::int64_t memoryOf(const model::DeviceAttribution &device, const model::UsagePart &part)
{
    if (part.slice < 0)
        return device.device->memoryMib;
    const model::Fraction f = device.device->slices[static_cast<std::size_t>(part.slice)].fraction;
    return device.device->memoryMib * f.part / f.of;
}

// Calls add(Measure, amount) for every measure that the part counts in. Readings count only while the device is held.
template <typename Add>
void forEachMeasure(const model::DeviceAttribution &device, const model::UsagePart &part, Add &&add)
{
    const auto &[time, cost] = kStateMeasures[static_cast<std::size_t>(part.state)];
    add(time, part.ticks);
    if (part.priced)
        add(cost, part.costNanos);
    else
        add(Measure::UnpricedTicks, part.ticks);
    if (part.state != model::GpuState::Active && part.state != model::GpuState::Idle)
        return;
    add(Measure::ActivityTicks, weightedTicks(part.ticks, part.activity));
    if (part.smActive != model::kNoShare) {
        add(Measure::SmActivityTicks, weightedTicks(part.ticks, part.smActive));
        add(Measure::SmObservedTicks, part.ticks);
    }
    if (part.tensorActive != model::kNoShare) {
        add(Measure::TensorActivityTicks, weightedTicks(part.ticks, part.tensorActive));
        add(Measure::TensorObservedTicks, part.ticks);
    }
    const std::int64_t memory = memoryOf(device, part);
    if (part.memoryMeanMib != model::kNoMemory && memory > 0) {
        add(Measure::MemoryShareTicks, part.ticks * std::min<std::int64_t>(part.memoryMeanMib, memory) / memory);
        add(Measure::MemoryObservedTicks, part.ticks);
    }
    if (part.powerDeciwatt != model::kNoPower) {
        add(Measure::PowerWattTicks, part.ticks * part.powerDeciwatt / 10);
        add(Measure::PowerObservedTicks, part.ticks);
    }
}

// The filter group of a holder's time on a device, or of unallocated time.
inline GroupKey groupKeyOf(const model::DeviceAttribution &device, std::int32_t holder)
{
    GroupKey key;
    key.cluster = device.device->cluster;
    key.cloud = device.node ? device.node->cloud : std::string();
    key.region = device.node ? device.node->region : std::string();
    key.gpuModel = device.gpuModel;
    key.team = device.nodeOwner;
    key.nodePool = device.nodePool;
    if (holder != model::kNobody) {
        const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(holder)];
        key.team = who.team;
        key.workloadKind = std::string(model::toString(who.kind));
        key.environment = who.environment;
    }
    return key;
}

} // namespace gpuledger::store
