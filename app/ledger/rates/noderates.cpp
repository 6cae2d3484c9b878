// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/rates/noderates.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::ledger {

using base::Day;
using base::GpuTime;
using base::Result;
using base::UtcTime;
using model::RateBasis;

namespace {

__extension__ using Wide = __int128;

std::vector<NodeDay> withoutTime(const std::vector<model::Node> &nodes)
{
    std::vector<NodeDay> all(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        all[i].node = &nodes[i];
        all[i].cluster = nodes[i].cluster;
    }
    return all;
}

// Nano-units for one hour, rounded half away from zero.
std::int64_t perHour(std::int64_t cost, std::int64_t ticks)
{
    constexpr Wide kHour = 3600 * GpuTime::kTicksPerSecond;
    const Wide twice = 2 * static_cast<Wide>(cost) * kHour;
    return static_cast<std::int64_t>((twice + (cost < 0 ? -ticks : ticks)) / (2 * static_cast<Wide>(ticks)));
}

} // namespace

NodeRates::NodeRates(const LedgerRules &rules, const FleetIndex &index)
    : m_rules(rules)
    , m_index(index)
    , m_ledger(rules)
    , m_all(withoutTime(index.nodes))
    , m_expected(rules, m_all)
{
}

namespace {

const NodeRate *rateAt(const std::vector<std::optional<NodeRate>> &rates, int node)
{
    const auto place = static_cast<std::size_t>(node);
    return node >= 0 && place < rates.size() && rates[place] ? &*rates[place] : nullptr;
}

} // namespace

const NodeRate *NodeRates::of(int node) const
{
    return rateAt(m_rates, node);
}

const NodeRate *NodeRates::billedOf(int node) const
{
    return rateAt(m_billed, node);
}

const std::string &NodeRates::ownerOf(int node) const
{
    static const std::string kNone;
    const auto place = static_cast<std::size_t>(node);
    return node >= 0 && place < m_owners.size() ? m_owners[place] : kNone;
}

void NodeRates::add(int node, const IndexedDevice &device, base::TimeRange range)
{
    const std::int64_t ticks = device.paid.overlap(range).count() * GpuTime::kTicksPerSecond;
    if (node < 0 || ticks == 0)
        return;
    NodeDay &to = m_timed[static_cast<std::size_t>(node)];
    TimeShare &share = to.shares[{}];
    share.ticks += ticks;
    to.ticks += ticks;
    to.devices[device.facts.id.value] += ticks;
    to.positions.insert(device.facts.index);
    to.hasMig = to.hasMig || !device.facts.slices.empty();
    to.hasAmd = to.hasAmd || device.facts.vendor == "amd";
    const auto price =
        m_rules.prices.priceOf(device.facts, &m_index.nodes[static_cast<std::size_t>(node)], range.start);
    const auto cost = price ? price->perGpuHour.times(GpuTime{ticks}) : Result<base::Money>(base::Money{});
    if (price && cost)
        share.priced += cost->nanos();
    else
        share.unpricedTicks += ticks;
}

// A device's time counts for the node that it was in, from the first whole bucket on (see Attributor).
void NodeRates::addTime(const IndexedDevice &device, Day day)
{
    UtcTime from = day.start();
    for (const auto &[edge, node] : device.nodes) {
        if (edge <= day.start() || edge >= day.end())
            continue;
        const UtcTime at = std::min(base::ceilTo(edge, base::kBucket), day.end());
        if (at > from)
            add(m_index.nodeOf(device, from), device, {from, at});
        from = at;
    }
    if (from < day.end())
        add(m_index.nodeOf(device, from), device, {from, day.end()});
}

NodeRate NodeRates::make(RateBasis basis, std::int64_t cost, std::int64_t ticks, std::string source) const
{
    return {basis, cost, ticks, std::move(source), base::Rate{perHour(cost, ticks), m_rules.prices.currency()}};
}

std::optional<NodeRate> NodeRates::onBill(std::size_t place, Day day, const AllocatedDay::OnBill &amounts,
                                          const char *source) const
{
    std::int64_t sum = 0;
    for (const auto &[currency, nanos] : amounts) {
        const auto cost = m_rules.prices.converted(base::Money(nanos, currency), day.start());
        if (!cost || !store::addAmount(sum, cost->nanos()))
            return std::nullopt;
    }
    return make(RateBasis::Bill, sum, m_nodes[place].ticks, source);
}

std::optional<NodeRate> NodeRates::allocated(std::size_t place, Day day) const
{
    const AllocatedDay::Price *price = m_ledger.costOf(place).allocated;
    if (!price || !price->total)
        return std::nullopt;
    const auto cost = m_rules.prices.converted(base::Money(*price->total, price->currency), day.start());
    if (!cost)
        return std::nullopt;
    const NodeDay &node = m_nodes[place];
    std::int64_t sum = cost->nanos();
    const std::int64_t told = price->ticks.value_or(node.ticks);
    if (told < node.ticks) { // the rest keeps the price book's price, as in the ledger
        const TimeShare &share = node.shares.begin()->second;
        if (share.unpricedTicks > 0)
            return std::nullopt;
        const std::array<std::int64_t, 2> weights{told, node.ticks - told};
        if (!store::addAmount(sum, base::allocateInteger(share.priced, weights)[1]))
            return std::nullopt;
    }
    return make(RateBasis::Allocator, sum, std::max(told, node.ticks), "allocator: " + price->source);
}

Result<void> NodeRates::rate(std::size_t place, Day day, store::FactReader &facts)
{
    const LedgerDays::MachineCost cost = m_ledger.costOf(place);
    std::optional<NodeRate> &to = m_rates[static_cast<std::size_t>(m_places[place])];
    m_owners[static_cast<std::size_t>(m_places[place])] = cost.owner;
    if (!cost.effective.empty()) {
        to = onBill(place, day, cost.effective, "bill, effective cost");
        m_billed[static_cast<std::size_t>(m_places[place])] = onBill(place, day, cost.billed, "bill, billed cost");
        return {};
    }
    if (cost.cloudIsBilled)
        return {};
    const auto expected = m_expected.of(static_cast<std::size_t>(m_places[place]), day, facts);
    GPULEDGER_TRY(expected);
    to = *expected
        ? std::optional(make(RateBasis::Expected, (*expected)->cost, (*expected)->ticks, (*expected)->source))
        : allocated(place, day);
    return {};
}

Result<void> NodeRates::load(Day day, store::FactReader &facts)
{
    if (m_loaded && m_day == day)
        return {};
    m_loaded = false;
    m_timed = m_all;
    m_nodes.clear();
    m_places.clear();
    m_rates.assign(m_index.nodes.size(), std::nullopt);
    m_billed.assign(m_index.nodes.size(), std::nullopt);
    m_owners.assign(m_index.nodes.size(), {});
    for (const IndexedDevice &device : m_index.devices) {
        if (device.paid.touches({day.start(), day.end()}))
            addTime(device, day);
    }
    for (std::size_t i = 0; i < m_timed.size(); ++i) {
        if (m_timed[i].ticks > 0) {
            m_nodes.push_back(std::move(m_timed[i]));
            m_places.push_back(static_cast<int>(i));
        }
    }
    m_timed.clear();
    GPULEDGER_TRY(m_ledger.linesOf(day, m_nodes, facts));
    for (std::size_t place = 0; place < m_nodes.size(); ++place)
        GPULEDGER_TRY(rate(place, day, facts));
    m_day = day;
    m_loaded = true;
    return {};
}

} // namespace gpuledger::ledger
