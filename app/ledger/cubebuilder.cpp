// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/cubebuilder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::ledger {

using base::Day;
using base::Result;
using model::GpuState;
using model::UsagePart;
using store::GroupDay;
using store::GroupKey;
using store::Measure;

namespace {

// State to its time and cost measures.
constexpr std::array<std::pair<Measure, Measure>, model::kStateCount> kStateMeasures{{
    {Measure::ActiveTicks, Measure::CostActive},
    {Measure::IdleTicks, Measure::CostIdle},
    {Measure::UnallocatedTicks, Measure::CostUnallocated},
    {Measure::UnobservedHeldTicks, Measure::CostUnobservedHeld},
    {Measure::UnobservedFreeTicks, Measure::CostUnobservedFree},
}};

// ticks x share / 60000, cut; below 1 tick a bucket, so under 2e-6 of a GPU-second.
std::int64_t weighted(std::int64_t ticks, std::uint16_t share)
{
    return ticks * share / model::kShareScale;
}

std::int64_t memoryOf(const model::DeviceAttribution &device, const UsagePart &part)
{
    if (part.slice < 0)
        return device.device->memoryMib;
    const model::Fraction f = device.device->slices[static_cast<std::size_t>(part.slice)].fraction;
    return device.device->memoryMib * f.part / f.of;
}

class DayCube {
public:
    void add(const model::DeviceAttribution &device)
    {
        m_groupOf.clear();
        for (const UsagePart &part : device.parts)
            add(device, part);
    }
    const std::map<GroupKey, GroupDay> &groups() const { return m_groups; }

private:
    GroupDay &groupFor(const model::DeviceAttribution &device, std::int32_t holder)
    {
        for (const auto &[h, group] : m_groupOf) {
            if (h == holder)
                return *group;
        }
        GroupKey key;
        key.cluster = device.device->cluster;
        key.cloud = device.node ? device.node->cloud : std::string();
        key.region = device.node ? device.node->region : std::string();
        key.gpuModel = device.gpuModel;
        key.team = device.nodeOwner;
        if (holder != model::kNobody) {
            const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(holder)];
            key.team = who.team;
            key.workloadKind = std::string(model::toString(who.kind));
            key.environment = who.environment;
        }
        GroupDay &group = m_groups[key];
        m_groupOf.emplace_back(holder, &group);
        return group;
    }

    void add(const model::DeviceAttribution &device, const UsagePart &part)
    {
        GroupDay &group = groupFor(device, part.holder);
        const std::size_t cell = part.bucket / base::kBucketsPerCell;
        const auto at = [&](Measure m) -> std::int64_t & { return group.cells[static_cast<std::size_t>(m)][cell]; };
        const auto &[time, cost] = kStateMeasures[static_cast<std::size_t>(part.state)];
        at(time) += part.ticks;
        if (part.priced)
            at(cost) += part.costNanos;
        else
            at(Measure::UnpricedTicks) += part.ticks;
        if (part.state != GpuState::Active && part.state != GpuState::Idle)
            return;
        at(Measure::ActivityTicks) += weighted(part.ticks, part.activity);
        if (part.smActive != model::kNoShare) {
            at(Measure::SmActivityTicks) += weighted(part.ticks, part.smActive);
            at(Measure::SmObservedTicks) += part.ticks;
        }
        if (part.tensorActive != model::kNoShare) {
            at(Measure::TensorActivityTicks) += weighted(part.ticks, part.tensorActive);
            at(Measure::TensorObservedTicks) += part.ticks;
        }
        const std::int64_t memory = memoryOf(device, part);
        if (part.memoryMeanMib != model::kNoMemory && memory > 0) {
            at(Measure::MemoryShareTicks) += part.ticks * std::min<std::int64_t>(part.memoryMeanMib, memory) / memory;
            at(Measure::MemoryObservedTicks) += part.ticks;
        }
        if (part.powerDeciwatt != model::kNoPower) {
            at(Measure::PowerWattTicks) += part.ticks * part.powerDeciwatt / 10;
            at(Measure::PowerObservedTicks) += part.ticks;
        }
    }

    std::map<GroupKey, GroupDay> m_groups;
    std::vector<std::pair<std::int32_t, GroupDay *>> m_groupOf; // of the current device
};

} // namespace

CubeBuilder::CubeBuilder(const LedgerRules &rules, std::string fingerprint)
    : m_rules(rules)
    , m_fingerprint(std::move(fingerprint))
{
}

Result<void> CubeBuilder::rebuild(std::span<const Day> days, store::FactReader &facts, store::CubeWriter &cube)
{
    if (days.empty())
        return {};
    std::vector<Day> sorted(days.begin(), days.end());
    std::sort(sorted.begin(), sorted.end());
    // Long lists go in runs, so that one index serves many days and memory stays bounded.
    constexpr std::size_t kDaysPerRun = 16;
    for (std::size_t begin = 0; begin < sorted.size(); begin += kDaysPerRun) {
        const std::size_t end = std::min(begin + kDaysPerRun, sorted.size());
        Attributor attributor(m_rules, facts);
        GPULEDGER_TRY(attributor.preload(sorted[begin], sorted[end - 1]));
        for (std::size_t i = begin; i < end; ++i) {
            DayCube day;
            GPULEDGER_TRY(
                attributor.walk(sorted[i], sorted[i], {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                    day.add(device);
                    return {};
                }));
            GPULEDGER_TRY(cube.replaceDay(sorted[i], day.groups()));
        }
    }
    return {};
}

} // namespace gpuledger::ledger
