// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/allocatedday.h"

#include "app/ledger/allocatedamount.h"
#include "app/ledger/allocateddayprivate.h"

#include <algorithm>

namespace gpuledger::ledger {

using model::AllocatedIdle;
using model::AllocatedNode;
using model::AllocationReason;

namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t kHoursPerMonth = 730;

bool hasGpus(const AllocatedNode &told)
{
    return told.gpuMillis.value_or(0) > 0 || told.gpuSeconds.value_or(0) > 0 || told.gpuCost.value_or(0) != 0;
}

// Price-book cost of all the time; std::nullopt if part of it has no price.
Amount pricedOf(const NodeDay &node)
{
    Amount sum = 0;
    for (const auto &[time, share] : node.shares)
        addTo(sum, share.unpricedTicks == 0 ? Amount(share.priced) : Amount());
    return sum;
}

} // namespace

AllocatedDay::AllocatedDay(const std::vector<NodeDay> &nodes, const BillMatch &match, const std::vector<OnBill> &onBill,
                           base::Currency report)
    : m_nodes(nodes)
    , m_match(match)
    , m_onBill(onBill)
    , m_report(report)
    , m_prices(nodes.size())
{
}

const AllocatedDay::Price *AllocatedDay::priceOf(std::size_t node) const
{
    return m_prices[node] ? &*m_prices[node] : nullptr;
}

store::AllocationFindings AllocatedDay::takeFindings()
{
    store::AllocationFindings all;
    for (auto &[key, finding] : m_findings)
        all.push_back(std::move(finding));
    m_findings.clear();
    return all;
}

void AllocatedDay::find(const Source &source, const std::string &cluster, AllocationReason reason, Amount theirs,
                        Amount ours, const std::string &example)
{
    const FindingKey key{source.name, cluster, reason, source.day.product, source.day.currency};
    auto [it, isNew] = m_findings.try_emplace(key,
                                              model::AllocationFinding{source.name, cluster, reason, source.day.product,
                                                                       source.day.currency, 0, 0, 0, example});
    model::AllocationFinding &finding = it->second;
    addTo(finding.theirs, theirs);
    addTo(finding.ours, ours);
    ++finding.nodes;
    if (example < finding.example)
        finding.example = example;
}

// Device time that the allocator's price covers: the machine's run time times the devices that telemetry saw in it.
Amount AllocatedDay::ticksOf(std::size_t node, const AllocatedNode &told) const
{
    if (told.seconds.value_or(0) <= 0)
        return std::nullopt;
    const Wide ticks = static_cast<Wide>(*told.seconds) * base::GpuTime::kTicksPerSecond
        * static_cast<std::int64_t>(m_nodes[node].devices.size());
    constexpr Wide kFits = std::int64_t{1} << 62;
    return ticks < kFits ? Amount(static_cast<std::int64_t>(ticks)) : std::nullopt;
}

// A machine that was recreated under the same name on that day is reported twice.
void AllocatedDay::addMachine(Source &source, std::size_t node, const AllocatedNode &told) const
{
    const auto [it, isNew] = source.machines.try_emplace(node, Machine{told, false});
    if (isNew)
        return;
    AllocatedNode &sum = it->second.told;
    addTo(sum.seconds, told.seconds);
    addTo(sum.gpuSeconds, told.gpuSeconds);
    addTo(sum.gpuCost, told.gpuCost);
    addTo(sum.adjustment, told.adjustment);
    addTo(sum.total, told.total);
    addTo(sum.pods.gpuSeconds, told.pods.gpuSeconds);
    addTo(sum.pods.gpuCost, told.pods.gpuCost);
    sum.pods.pods += told.pods.pods;
}

void AllocatedDay::add(const std::string &source, const model::AllocationDay &day)
{
    Source one{source, day, {}, {}};
    for (const AllocatedNode &told : day.nodes) {
        const AllocatedPlace place = placeOf(told, m_nodes, m_match);
        if (place.node) {
            addMachine(one, *place.node, told);
            one.places.emplace(std::pair(told.cluster, told.name), *place.node);
        } else if (!place.ambiguous && hasGpus(told)) {
            Amount ticks = scaledBy(told.gpuSeconds, base::GpuTime::kTicksPerSecond, 1);
            if (ticks.value_or(0) <= 0)
                ticks = scaledBy(told.gpuMillis, scaledBy(told.seconds, base::GpuTime::kTicksPerSecond, 1), 1000);
            m_unseen.push_back({source, day.product, day.currency, told, ticks.value_or(0) > 0 ? ticks : Amount()});
            find(one, told.cluster, AllocationReason::Unseen, told.total, 0, told.name);
        }
    }
    for (auto &[node, machine] : one.machines)
        settle(one, node, machine);
    for (const AllocatedIdle &idle : day.idle)
        compareIdle(one, idle);
}

void AllocatedDay::settle(const Source &source, std::size_t node, Machine &machine)
{
    const NodeDay &seen = m_nodes[node];
    const Amount ticks = ticksOf(node, machine.told);
    const Amount covered = std::min(ticks.value_or(seen.ticks), seen.ticks);
    const Amount priced =
        source.day.currency == m_report ? scaledBy(pricedOf(seen), covered, seen.ticks) : std::nullopt;
    repair(source, node, machine, priced, covered, ticks);
    const Amount &total = machine.told.total;
    const bool isFirst = !m_prices[node] || !m_prices[node]->total;
    if (!isFirst && total && m_prices[node]->currency == source.day.currency
        && differs(*total, *m_prices[node]->total, kSameAmount))
        find(source, seen.cluster, AllocationReason::TwoSources, total, m_prices[node]->total, nameOf(seen));
    if (isFirst)
        m_prices[node] = Price{source.name, source.day.product, source.day.currency, total, ticks};
    const auto billed = m_onBill[node].find(source.day.currency);
    // Compares cost of the same time only: what the allocator did not see is excluded.
    const Amount same = ticks ? scaledBy(total, covered, *ticks) : total;
    if (billed != m_onBill[node].end() && total && differs(*total, billed->second, kSameAmount))
        find(source, seen.cluster, AllocationReason::Bill, total, billed->second, nameOf(seen));
    if (m_onBill[node].empty() && same && priced && differs(*same, *priced, kSameAmount))
        find(source, seen.cluster, AllocationReason::Rate, same, priced, nameOf(seen));
    comparePods(source, node, machine);
    comparePrices(source, node, machine);
}

void AllocatedDay::repair(const Source &source, std::size_t node, Machine &machine, const Amount &priced,
                          const Amount &covered, const Amount &ticks)
{
    AllocatedNode &told = machine.told;
    const std::string &cluster = m_nodes[node].cluster, &name = nameOf(m_nodes[node]);
    if (!told.total) {
        find(source, cluster, AllocationReason::NoPrice, {}, priced, name);
        return;
    }
    // Over the time that both cover.
    const Amount same = ticks ? scaledBy(told.total, covered, ticks) : told.total;
    const Amount more = scaledBy(same, kHoursPerMonth, 1);
    if (priced && *priced > 0 && more && *more > 0 && *more >= *priced / 2 && *more / 2 <= *priced) {
        find(source, cluster, AllocationReason::PriceTooLow, same, more, name);
        for (Amount *amount : {&told.total, &told.cpuCost, &told.ramCost, &told.gpuCost, &told.adjustment})
            *amount = scaledBy(*amount, kHoursPerMonth, 1);
        machine.repaired = true;
        return;
    }
    const bool noGpus = told.gpuCost == 0 && told.gpuMillis.value_or(0) == 0;
    if (noGpus && !(priced && same && *same >= *priced / 2)) {
        find(source, cluster, AllocationReason::NoGpuPrice, same, priced, name);
        told.total.reset();
    }
}

} // namespace gpuledger::ledger
