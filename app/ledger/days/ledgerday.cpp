// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/days/ledgerday.h"

#include "app/ledger/allocations/allocatedamount.h"
#include "app/model/money/billdays.h"

#include <algorithm>
#include <array>

namespace gpuledger::ledger {

using base::Day;
using base::Result;
using model::LedgerCategory;
using model::LedgerKey;
using model::LedgerMatch;
using model::LedgerOrigin;
using store::BilledItem;

namespace {

constexpr std::size_t kMostKnown = 20'000;
constexpr std::string_view kUnobserved = "unobserved";

std::int64_t magnitude(const BilledItem &billed)
{
    const auto absolute = [](std::int64_t v) { return v < 0 ? -(v / 2) : v / 2; }; // the sum of two halves always fits
    return absolute(billed.billed) + absolute(billed.effective);
}

// Of a line for time.
bool isRefund(const BilledItem &billed)
{
    return billed.line->chargeClass == model::ChargeClass::Correction
        && (billed.billed < 0 || (billed.billed == 0 && billed.effective < 0));
}

// Splits a line by what telemetry saw of its time, and what it did not.
void takeSeen(BilledItem &seen, BilledItem &rest, const std::array<std::int64_t, 2> &weights)
{
    seen.billed = base::allocateInteger(rest.billed, weights)[0];
    seen.effective = base::allocateInteger(rest.effective, weights)[0];
    rest.billed -= seen.billed;
    rest.effective -= seen.effective;
}

} // namespace

const LedgerDays::Known &LedgerDays::knownOf(const BilledItem &billed, Day day)
{
    if (const auto it = m_known.find(billed.id); it != m_known.end())
        return it->second;
    if (m_known.size() >= kMostKnown)
        m_known.clear();
    Known &known = m_known[billed.id];
    const model::BillLine &line = *billed.line;
    known.item = describe(line, m_rules.prices);
    LedgerKey &key = known.key;
    key.currency = line.billed.currency();
    key.category = known.item.category;
    key.source = billed.source;
    if (auto owner = m_rules.owners.ownerOfBill(line, day.start()))
        key.team = std::move(owner->team);
    const bool hasSub = !line.subAccountId.empty();
    key.account = hasSub ? line.subAccountId : line.billingAccountId;
    key.accountName = hasSub ? line.subAccountName : line.billingAccountName;
    key.service = line.product.serviceName;
    key.cloud = known.item.cloud;
    key.region = line.resource.regionId.empty() ? line.resource.regionName : line.resource.regionId;
    return known;
}

// Every addition to a line goes through this function.
Result<void> LedgerDays::addAmounts(const LedgerKey &key, const model::LedgerAmounts &amounts)
{
    model::LedgerAmounts &to = m_lines[key];
    GPULEDGER_TRY(store::addAmount(to.billed, amounts.billed));
    GPULEDGER_TRY(store::addAmount(to.effective, amounts.effective));
    GPULEDGER_TRY(store::addAmount(to.ticks, amounts.ticks));
    GPULEDGER_TRY(store::addAmount(to.unknownTime, amounts.unknownTime));
    GPULEDGER_TRY(store::addAmount(to.priced, amounts.priced));
    GPULEDGER_TRY(store::addAmount(to.unpricedTicks, amounts.unpricedTicks));
    GPULEDGER_TRY(store::addAmount(to.allocated, amounts.allocated));
    return m_visit ? m_visit({m_day, &key, amounts, m_bill, m_node}) : Result<void>();
}

Result<void> LedgerDays::add(const LedgerKey &key, std::int64_t billed, std::int64_t effective)
{
    model::LedgerAmounts amounts;
    amounts.billed = billed;
    amounts.effective = effective;
    return addAmounts(key, amounts);
}

LedgerKey LedgerDays::keyOf(const LedgerKey &base, const NodeDay &node, const TimeKey &time) const
{
    LedgerKey key = base;
    // The owner by tag or account applies only where no other owner is named: unallocated time, or time that no rule
    // matches.
    const bool open = time.team == kUnowned || time.team == kShared;
    key.team = open && !base.team.empty() ? base.team : time.team;
    key.state = time.state;
    key.workloadKind = time.workloadKind;
    key.environment = time.environment;
    key.gpuModel = time.gpuModel;
    key.nameSpace = time.nameSpace;
    key.workload = time.workload;
    key.instanceType = time.instanceType;
    key.sharedEqually = time.sharedEqually;
    key.priceDate = time.priceDate;
    key.cluster = node.cluster;
    return key;
}

Result<void> LedgerDays::addToShares(const LedgerKey &key, const std::vector<std::size_t> &nodes, std::int64_t billed,
                                     std::int64_t effective)
{
    m_weights.clear();
    for (const std::size_t node : nodes) {
        for (const auto &[time, share] : (*m_nodes)[node].shares)
            m_weights.push_back(share.ticks);
    }
    const auto billedParts = base::allocateInteger(billed, m_weights);
    const auto effectiveParts = base::allocateInteger(effective, m_weights);
    std::size_t i = 0;
    for (const std::size_t node : nodes) {
        m_node = &(*m_nodes)[node];
        for (const auto &[time, share] : (*m_nodes)[node].shares) {
            GPULEDGER_TRY(add(keyOf(key, (*m_nodes)[node], time), billedParts[i], effectiveParts[i]));
            GPULEDGER_TRY(store::addAmount(m_onBillCost[node][key.currency], effectiveParts[i]));
            addTo(m_onBillWhole[node].try_emplace(key.currency, 0).first->second, effectiveParts[i]);
            GPULEDGER_TRY(store::addAmount(m_onBillBilled[node][key.currency], billedParts[i]));
            ++i;
        }
    }
    m_node = nullptr;
    return {};
}

Result<void> LedgerDays::addMachine(const BilledItem &billed, const Known &known, const BillMatch::Found &found)
{
    LedgerKey key = known.key;
    key.category = LedgerCategory::Gpu;
    key.match = found.match;
    // Without ids the bill may include more machines than telemetry saw, and with ids more hours of them: those keep
    // their part of the cost.
    BilledItem seen = billed, rest = billed;
    const bool byType = found.match == LedgerMatch::Attributes;
    if (const auto types = byType ? m_types->splitOf(billed, known.item, found) : std::nullopt) {
        takeSeen(seen, rest, {types->seen, types->rest});
        GPULEDGER_TRY(addUnseen(rest, known, types->restOfLine));
    } else if (const auto hours = byType ? std::nullopt : m_hours->splitOf(found)) {
        takeSeen(seen, rest, {hours->seen, hours->rest});
        GPULEDGER_TRY(addUnseenHours(rest, known, found, m_hours->restOf(billed, known.item, found)));
    }
    // The rest is a machine's own if the line names that machine alone; else some of it may be that of others.
    const bool isOwn = !byType && !found.isGroup && found.nodes.size() == 1;
    for (const std::size_t node : found.nodes) {
        m_foundById[node] = byType ? m_foundById[node] : 1;
        if (seen.effective != billed.effective)
            addTo(m_onBillWhole[node].try_emplace(key.currency, 0).first->second,
                  isOwn ? std::optional(rest.effective) : std::nullopt);
        Machine &machine = m_machines[node];
        const std::int64_t weight = magnitude(billed);
        const auto takeIfLarger = [&](Machine &best) {
            if (weight > best.weight || (weight == best.weight && key < best.key))
                best = {key, weight};
        };
        takeIfLarger(machine);
        if (!key.team.empty())
            takeIfLarger(m_owned[node]);
    }
    return addToShares(key, found.nodes, seen.billed, seen.effective);
}

LedgerKey LedgerDays::unseenKeyOf(const Known &known) const
{
    LedgerKey key = known.key;
    key.category = LedgerCategory::Gpu;
    key.state = kUnobserved;
    key.team = key.team.empty() ? std::string(kUnowned) : key.team;
    key.gpuModel = known.item.machine ? known.item.machine->gpuModel : std::string();
    if (m_detail.instanceTypes)
        key.instanceType = known.item.machine ? known.item.machine->instanceType : known.item.instanceType;
    return key;
}

Result<void> LedgerDays::addUnseen(const BilledItem &billed, const Known &known, std::optional<std::int64_t> ticks)
{
    const LedgerKey key = unseenKeyOf(known);
    model::LedgerAmounts amounts;
    amounts.billed = billed.billed;
    amounts.effective = billed.effective;
    amounts.ticks = ticks.value_or(0);
    amounts.unknownTime = ticks ? 0 : static_cast<std::int64_t>(billed.lines);
    return addAmounts(key, amounts);
}

// Of time that nothing on the nodes held: their owner if it is the same for all, else the bill's if it names one. A
// machine that holds its GPUs itself holds them all day.
std::string LedgerDays::ownerOf(const std::vector<std::size_t> &nodes, const std::string &onBill) const
{
    std::string team;
    for (const std::size_t i : nodes) {
        const NodeDay &node = (*m_nodes)[i];
        std::string one = node.machineTeams.size() == 1 ? *node.machineTeams.begin()
                                                        : m_rules.owners.ownerOfNode(node.node, m_day.start()).team;
        const bool differs = !team.empty() && team != one;
        team = differs ? std::string(kShared) : std::move(one);
        if (differs)
            break;
    }
    return !onBill.empty() && (team == kUnowned || team == kShared) ? onBill : team;
}

// Hours of machines that telemetry saw in others: it tells their GPUs and, if it is the same for all, their cluster.
Result<void> LedgerDays::addUnseenHours(const BilledItem &rest, const Known &known, const BillMatch::Found &found,
                                        std::int64_t ticks)
{
    const std::vector<std::size_t> &nodes = found.nodes;
    const NodeDay &first = (*m_nodes)[nodes.front()];
    LedgerKey key = unseenKeyOf(known);
    key.team = ownerOf(nodes, known.key.team);
    if (const TimeKey &time = first.shares.begin()->first; !time.gpuModel.empty()) {
        key.gpuModel = time.gpuModel;
        if (!time.instanceType.empty())
            key.instanceType = time.instanceType;
    }
    const bool isOne = std::all_of(nodes.begin(), nodes.end(),
                                   [&](std::size_t node) { return (*m_nodes)[node].cluster == first.cluster; });
    key.cluster = isOne ? first.cluster : std::string();
    model::LedgerAmounts amounts;
    amounts.billed = rest.billed;
    amounts.effective = rest.effective;
    amounts.ticks = amounts.unpricedTicks = ticks;
    return addAmounts(key, amounts);
}

Result<void> LedgerDays::addItem(const BilledItem &billed)
{
    m_bill = &billed;
    const Known &known = knownOf(billed, m_day);
    if (billed.covers)
        m_billedClouds.insert(known.item.cloud);
    LedgerKey key = known.key;
    key.team = key.team.empty() ? std::string(kUnowned) : key.team;
    if (billed.whole) {
        key.category = LedgerCategory::Unexplained;
        return add(key, billed.billed, billed.effective);
    }
    if (known.item.timed && isRefund(billed)) {
        key.category = LedgerCategory::Refund;
        return add(key, billed.billed, billed.effective);
    }
    if (known.item.timed) {
        auto found = m_match->byId(known.item);
        if (found.conflict) {
            key.category = LedgerCategory::Unexplained;
            return add(key, billed.billed, billed.effective);
        }
        if (found.nodes.empty() && known.item.isGpuMachine())
            found = m_match->byAttributes(known.item, *billed.line, m_foundById);
        if (!found.nodes.empty())
            return addMachine(billed, known, found);
        if (known.item.isGpuMachine())
            return addUnseen(billed, known, gpuTicksOf(billed, known.item));
    }
    return add(key, billed.billed, billed.effective);
}

Result<void> LedgerDays::addTime(const LedgerKey &key, const TimeShare &share)
{
    model::LedgerAmounts amounts;
    amounts.ticks = share.ticks;
    amounts.priced = share.priced;
    amounts.unpricedTicks = share.unpricedTicks;
    return addAmounts(key, amounts);
}

// Lines with ids first, so that items matched by type alone go to machines that no id has matched. All lines of a
// machine, or of a type, tell the billed hours, so they are read before the first of them is added.
Result<void> LedgerDays::addBills(store::FactReader &facts)
{
    std::vector<std::pair<BilledItem, model::BillLine>> machines, byType;
    GPULEDGER_TRY(facts.billedOn(m_day, [&](const BilledItem &billed) -> Result<void> {
        const Known &known = knownOf(billed, m_day);
        if (billed.whole || !known.item.timed)
            return addItem(billed);
        const auto found = m_match->byId(known.item);
        if (isRefund(billed) && !found.conflict && !found.nodes.empty())
            m_hours->add(billed, known.item, found, true);
        const bool namesType = found.nodes.empty() && known.item.isGpuMachine();
        if (!namesType && (isRefund(billed) || found.conflict || found.nodes.empty()))
            return addItem(billed);
        if (!found.nodes.empty())
            m_hours->add(billed, known.item, found, false);
        (namesType ? byType : machines).emplace_back(billed, *billed.line);
        return {};
    }));
    for (auto &[billed, line] : machines) {
        billed.line = &line;
        GPULEDGER_TRY(addItem(billed));
    }
    for (auto &[billed, line] : byType) {
        billed.line = &line;
        const Known &known = knownOf(billed, m_day);
        if (const auto found = m_match->byAttributes(known.item, line, m_foundById); !found.nodes.empty())
            m_types->add(billed, known.item, found, isRefund(billed));
    }
    for (const auto &[billed, line] : byType)
        GPULEDGER_TRY(addItem(billed));
    return {};
}

// Machine hours: those of billed machines go to their bill lines, the others to lines of their own.
Result<void> LedgerDays::addTelemetry()
{
    m_bill = nullptr;
    for (std::size_t i = 0; i < m_nodes->size(); ++i) {
        const NodeDay &node = (*m_nodes)[i];
        m_node = &node;
        LedgerKey key = m_machines[i].key;
        if (m_machines[i].weight < 0) {
            key = LedgerKey{};
            key.currency = m_rules.prices.currency();
            key.cloud = node.node ? node.node->cloud : std::string();
            key.region = node.node ? node.node->region : std::string();
            const bool covered = !key.cloud.empty() && m_billedClouds.contains(key.cloud);
            key.category = covered ? LedgerCategory::NotBilled : LedgerCategory::Gpu;
            key.origin = covered ? LedgerOrigin::Billed : LedgerOrigin::Priced;
        }
        const AllocatedDay::Price *price = m_allocated->priceOf(i);
        if (key.origin == LedgerOrigin::Priced && !node.expected && price && price->total) {
            GPULEDGER_TRY(addAllocated(i, key, *price));
            continue;
        }
        const bool isExpected = key.origin == LedgerOrigin::Priced && node.expected;
        for (const auto &[time, share] : node.shares)
            GPULEDGER_TRY(addTime(keyOf(key, node, time),
                                  isExpected ? TimeShare{share.ticks, share.expected, 0, share.expected} : share));
    }
    m_node = nullptr;
    for (const AllocatedDay::Unseen &unseen : m_allocated->unseen())
        GPULEDGER_TRY(addUnseenAllocated(unseen));
    return {};
}

LedgerDays::MachineCost LedgerDays::costOf(std::size_t node) const
{
    const model::Node *record = (*m_nodes)[node].node;
    return {m_onBillCost[node], m_onBillBilled[node], m_allocated->priceOf(node),
            record && m_billedClouds.contains(record->cloud), m_owned[node].key.team};
}

Result<store::LedgerDay> LedgerDays::linesOf(Day day, const std::vector<NodeDay> &nodes, store::FactReader &facts)
{
    const auto &edges = m_rules.owners.boundaries();
    const auto segment =
        static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), day.start()) - edges.begin());
    if (segment != m_segment)
        m_known.clear();
    m_segment = segment;
    m_day = day;
    m_nodes = &nodes;
    m_match = std::make_unique<BillMatch>(nodes);
    m_hours = std::make_unique<BilledHours>(nodes);
    m_types = std::make_unique<BilledTypes>(nodes);
    m_foundById.assign(nodes.size(), 0);
    m_machines.assign(nodes.size(), {});
    m_owned.assign(nodes.size(), {});
    m_onBillCost.assign(nodes.size(), {});
    m_onBillWhole.assign(nodes.size(), {});
    m_onBillBilled.assign(nodes.size(), {});
    m_billedClouds.clear();
    m_lines.clear();
    m_bill = nullptr;
    m_node = nullptr;
    GPULEDGER_TRY(addBills(facts));
    GPULEDGER_TRY(loadAllocations(facts));
    GPULEDGER_TRY(addTelemetry());
    return std::move(m_lines);
}

} // namespace gpuledger::ledger
