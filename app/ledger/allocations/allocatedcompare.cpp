// SPDX-License-Identifier: GPL-3.0-or-later
// The part of AllocatedDay that compares how an allocator split a machine's price with what telemetry saw.
#include "app/ledger/allocations/allocatedamount.h"
#include "app/ledger/allocations/allocateddayprivate.h"

#include <algorithm>

namespace gpuledger::ledger {

using model::AllocatedIdle;
using model::AllocatedNode;
using model::AllocationReason;

namespace {

constexpr std::int64_t kSamePrice = 50; // rounding to 5 decimals and run times in minutes
constexpr std::int64_t kSameTime = 10; // a tenth of the machine's time

// Allocated or unallocated device time of the node.
std::int64_t heldTicks(const NodeDay &node)
{
    std::int64_t ticks = 0;
    for (const auto &[time, share] : node.shares)
        ticks += time.workloadKind.empty() ? 0 : share.ticks;
    return ticks;
}

std::int64_t unallocatedTicks(const NodeDay &node)
{
    std::int64_t ticks = 0;
    for (const auto &[time, share] : node.shares)
        ticks += time.state == "unallocated" ? share.ticks : 0;
    return ticks;
}

} // namespace

void AllocatedDay::comparePods(const Source &source, std::size_t node, const Machine &machine)
{
    const NodeDay &seen = m_nodes[node];
    const AllocatedNode &told = machine.told;
    const std::int64_t held = heldTicks(seen);
    const Amount given = scaledBy(told.pods.gpuSeconds, base::GpuTime::kTicksPerSecond, 1);
    if (!given || held == 0)
        return;
    const bool noPrice = told.gpuCost == 0 && told.gpuMillis.value_or(0) > 0;
    if (noPrice && machine.unusable) // found already
        return;
    const std::int64_t missing = held - *given;
    const bool sameTime = magnitude(missing) * kSameTime <= seen.ticks,
               noCost = told.pods.gpuCost.value_or(*given) == 0;
    if (sameTime && !noCost)
        return;
    AllocationReason reason = noCost ? AllocationReason::PodsWithoutCost : AllocationReason::HeldTime;
    if (noPrice && noCost)
        reason = AllocationReason::GpusWithoutPrice;
    else if (!sameTime && missing > 0 && seen.hasAmd)
        reason = AllocationReason::AmdPods;
    else if (!sameTime && missing > 0 && seen.hasMig)
        reason = AllocationReason::MigPods;
    else if (!sameTime && missing > 0 && seen.node && seen.node->sharedGpus)
        reason = AllocationReason::SharedPods;
    const Amount price = machine.unusable ? Amount() : told.gpuCost.value_or(0) != 0 ? told.gpuCost : told.total;
    const Amount time = std::max(ticksOf(node, told).value_or(seen.ticks), seen.ticks);
    find(source, seen.cluster, reason, told.pods.gpuCost, scaledBy(price, held, time), nameOf(seen));
}

// Compares the price of a GPU second derived from pods with that derived from machines. Adjustments are included in the
// first and reported separately from the second.
void AllocatedDay::comparePrices(const Source &source, std::size_t node, const Machine &machine)
{
    const AllocatedNode &told = machine.told;
    if (machine.unusable || told.pods.gpuCost.value_or(0) == 0 || told.pods.gpuSeconds.value_or(0) <= 0
        || told.gpuSeconds.value_or(0) <= 0 || !told.gpuCost)
        return;
    const Amount plain = scaledBy(told.gpuCost, told.pods.gpuSeconds, told.gpuSeconds);
    Amount whole = told.total;
    addTo(whole, -told.adjustment.value_or(0));
    const Amount adjusted = scaledBy(plain, told.total, whole);
    const auto agrees = [&](const Amount &amount) {
        return amount && !differs(*told.pods.gpuCost, *amount, kSamePrice);
    };
    if (plain && !agrees(plain) && !agrees(adjusted))
        find(source, m_nodes[node].cluster, AllocationReason::TwoPrices, told.pods.gpuCost, plain,
             nameOf(m_nodes[node]));
}

void AllocatedDay::compareIdle(const Source &source, const AllocatedIdle &idle)
{
    const bool negative = idle.total.value_or(0) < 0 || idle.gpuCost.value_or(0) < 0;
    const bool noHours = idle.gpuCost.value_or(0) > 0 && idle.gpuSeconds == 0;
    if (!negative && !noHours)
        return;
    Amount ours = 0;
    std::string cluster = idle.cluster;
    std::size_t machines = 0;
    for (const auto &[place, node] : source.places) {
        if ((!idle.cluster.empty() && place.first != idle.cluster) || (!idle.node.empty() && place.second != idle.node))
            continue;
        const NodeDay &seen = m_nodes[node];
        const AllocatedNode &told = source.machines.at(node).told;
        addTo(ours, scaledBy(negative ? told.total : told.gpuCost, unallocatedTicks(seen), seen.ticks));
        cluster = seen.cluster;
        ++machines;
    }
    if (machines == 0) // machines without GPUs, or none that telemetry saw
        return;
    const Amount &theirs = !negative ? idle.gpuCost : idle.total.value_or(0) < 0 ? idle.total : idle.gpuCost;
    find(source, cluster, negative ? AllocationReason::NegativeIdle : AllocationReason::IdleWithoutHours, theirs, ours,
         idle.node);
}

} // namespace gpuledger::ledger
