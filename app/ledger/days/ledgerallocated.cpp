// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LedgerDays that uses an allocator's price where there is no bill.
#include "app/ledger/days/ledgerday.h"

#include <algorithm>
#include <array>

namespace gpuledger::ledger {

using base::Result;
using model::LedgerCategory;
using model::LedgerKey;
using model::LedgerOrigin;

namespace {

constexpr std::int64_t kRoundedRunTime = 50; // run times are rounded to minutes: differences up to 1/50 are ignored

// The part of a share that the allocator's price covers.
TimeShare covered(const TimeShare &share, std::int64_t ticks)
{
    const std::array<std::int64_t, 2> weights{ticks, share.ticks - ticks};
    return {ticks, base::allocateInteger(share.priced, weights)[0],
            base::allocateInteger(share.unpricedTicks, weights)[0]};
}

model::LedgerAmounts amountsOf(const TimeShare &share, std::int64_t allocated)
{
    model::LedgerAmounts amounts;
    amounts.ticks = share.ticks;
    amounts.priced = share.priced;
    amounts.unpricedTicks = share.unpricedTicks;
    amounts.allocated = allocated;
    return amounts;
}

} // namespace

Result<void> LedgerDays::loadAllocations(store::FactReader &facts)
{
    m_allocated = std::make_unique<AllocatedDay>(*m_nodes, *m_match, m_onBillWhole, m_rules.prices);
    return facts.allocatedOn(m_day, [&](const std::string &source, const model::AllocationDay &day) -> Result<void> {
        m_allocated->add(source, day);
        return {};
    });
}

// The price is split over the machine's time in equal shares. Time it does not cover keeps the price-book price; time
// it covers that telemetry did not see is unobserved. All parts add up to the price.
Result<void> LedgerDays::addAllocated(std::size_t index, const LedgerKey &priced, const AllocatedDay::Price &price)
{
    const NodeDay &node = (*m_nodes)[index];
    LedgerKey key = priced;
    key.origin = LedgerOrigin::Allocated;
    key.source = price.source;
    key.currency = price.currency;
    const std::int64_t told = price.ticks.value_or(node.ticks);
    const bool shorter =
        told<node.ticks - node.ticks / kRoundedRunTime, longer = told> node.ticks + node.ticks / kRoundedRunTime;
    std::vector<std::int64_t> weights;
    for (const auto &[time, share] : node.shares)
        weights.push_back(share.ticks);
    const auto times = shorter ? base::allocateInteger(told, weights) : weights;
    const std::array<std::int64_t, 2> whole{node.ticks, longer ? told - node.ticks : 0};
    const auto parts = base::allocateInteger(*price.total, whole);
    const auto money = base::allocateInteger(parts[0], times);
    std::size_t i = 0;
    for (const auto &[time, share] : node.shares) {
        const LedgerKey to = keyOf(key, node, time);
        const TimeShare mine = covered(share, times[i]);
        GPULEDGER_TRY(addAmounts(to, amountsOf(mine, money[i])));
        const TimeShare rest{share.ticks - mine.ticks, share.priced - mine.priced,
                             share.unpricedTicks - mine.unpricedTicks};
        if (rest.ticks > 0)
            GPULEDGER_TRY(addTime(keyOf(priced, node, time), rest));
        ++i;
    }
    if (!longer)
        return {};
    TimeKey unobserved;
    unobserved.team = m_rules.owners.ownerOfNode(node.node, m_day.start()).team;
    unobserved.state = "unobserved";
    unobserved.gpuModel = node.shares.begin()->first.gpuModel;
    unobserved.instanceType = node.shares.begin()->first.instanceType;
    const LedgerKey to = keyOf(key, node, unobserved);
    return addAmounts(to, amountsOf({whole[1], 0, whole[1]}, parts[1]));
}

// If there is a bill of its provider, the machine is on that bill too.
Result<void> LedgerDays::addUnseenAllocated(const AllocatedDay::Unseen &unseen)
{
    const std::string cloud = cloudOf(unseen.node);
    if (!unseen.node.total || (!cloud.empty() && m_billedClouds.contains(cloud)))
        return {};
    LedgerKey key;
    key.category = LedgerCategory::Gpu;
    key.origin = LedgerOrigin::Allocated;
    key.source = unseen.source;
    key.currency = unseen.currency;
    key.team = kUnowned;
    key.state = "unobserved";
    key.cloud = cloud;
    key.cluster = unseen.node.cluster;
    if (const auto *machine = m_rules.prices.machine(unseen.node.instanceType))
        key.gpuModel = machine->gpuModel;
    if (m_detail.instanceTypes)
        key.instanceType = unseen.node.instanceType;
    model::LedgerAmounts amounts;
    amounts.allocated = *unseen.node.total;
    amounts.unknownTime = unseen.ticks ? 0 : 1;
    amounts.ticks = amounts.unpricedTicks = unseen.ticks.value_or(0);
    return addAmounts(key, amounts);
}

} // namespace gpuledger::ledger
