// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/allocations/allocatedday.h"

#include "app/ledger/allocations/allocatedamount.h"
#include "app/ledger/allocations/allocateddayprivate.h"

#include <algorithm>
#include <array>

namespace gpuledger::ledger {

using model::AllocatedIdle;
using model::AllocatedNode;
using model::AllocationReason;

namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t kSecondsPerHour = 3600;
constexpr std::int64_t kClosePrice = 10; // a tenth
constexpr std::int64_t kFewVcpus = 4; // a GPU machine hardly has fewer for each GPU
constexpr std::int64_t kShownAsZero = base::Money::kNanosPerUnit / 200; // 0.005
// OpenCost's default prices of a vCPU for an hour, and those of spot machines.
constexpr std::array<std::int64_t, 5> kDefaultVcpuPrices{31'611'000, 39'000'000, 15'000'000, 6'655'000, 7'764'000};

bool hasGpus(const AllocatedNode &told)
{
    return told.gpuMillis.value_or(0) > 0 || told.gpuSeconds.value_or(0) > 0 || told.gpuCost.value_or(0) != 0;
}

// True if the price of CPU and memory, less a discount on them, is all that there is.
bool isCpuAndMemory(const AllocatedNode &told)
{
    Amount parts = told.cpuCost, plain = told.total;
    addTo(parts, told.ramCost);
    addTo(plain, -told.adjustment.value_or(0));
    return parts && plain && (*plain <= *parts || !differs(*plain, *parts, kSameAmount));
}

// Price-book cost of all the time; std::nullopt if part of it has no price.
Amount pricedOf(const NodeDay &node)
{
    Amount sum = 0;
    for (const auto &[time, share] : node.shares)
        addTo(sum, share.unpricedTicks == 0 ? Amount(share.priced) : Amount());
    return sum;
}

// True if nothing is wrong unless the amounts differ.
bool isDifference(AllocationReason reason)
{
    constexpr std::array kDifferences{AllocationReason::HeldTime,   AllocationReason::TwoPrices,
                                      AllocationReason::TwoSources, AllocationReason::Bill,
                                      AllocationReason::Unseen,     AllocationReason::Rate};
    return std::find(kDifferences.begin(), kDifferences.end(), reason) != kDifferences.end();
}

} // namespace

AllocatedDay::AllocatedDay(const std::vector<NodeDay> &nodes, const BillMatch &match,
                           const std::vector<WholeBill> &onBill, const PriceBook &book)
    : m_nodes(nodes)
    , m_match(match)
    , m_onBill(onBill)
    , m_book(book)
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
    for (auto &[key, finding] : m_findings) {
        if (const auto agreed = m_agreed.find(key); agreed != m_agreed.end()) {
            addTo(finding.theirs, agreed->second.first);
            addTo(finding.ours, agreed->second.second);
        }
        const Wide less =
            finding.theirs && finding.ours ? static_cast<Wide>(*finding.ours) - *finding.theirs : Wide{kShownAsZero};
        if (!isDifference(finding.reason) || less >= kShownAsZero || less <= -kShownAsZero)
            all.push_back(std::move(finding));
    }
    m_findings.clear();
    m_agreed.clear();
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
        } else if (!place.ambiguous && hasGpus(told) && told.seconds.value_or(kOneSample + 1) > kOneSample) {
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
        source.day.currency == m_book.currency() ? scaledBy(pricedOf(seen), covered, seen.ticks) : std::nullopt;
    // Compares cost of the same time only: what the allocator did not see is excluded.
    const Amount same = ticks ? scaledBy(machine.told.total, covered, *ticks) : machine.told.total;
    check(source, node, machine, same, priced);
    const Amount &total = machine.told.total;
    const bool isFirst = !m_prices[node] || !m_prices[node]->total;
    if (!isFirst && total && m_prices[node]->currency == source.day.currency
        && differs(*total, *m_prices[node]->total, kSameAmount))
        find(source, seen.cluster, AllocationReason::TwoSources, total, m_prices[node]->total, nameOf(seen));
    if (isFirst)
        m_prices[node] = Price{source.name, source.day.product, source.day.currency, total, ticks};
    const auto billed = m_onBill[node].find(source.day.currency);
    if (billed != m_onBill[node].end() && billed->second && total && differs(*total, *billed->second, kSameAmount))
        find(source, seen.cluster, AllocationReason::Bill, total, billed->second, nameOf(seen));
    if (isFirst && m_onBill[node].empty() && total && same && priced)
        compareRate(source, node, *same, *priced);
    comparePods(source, node, machine);
    comparePrices(source, node, machine);
}

// The finding is about all nodes with both prices, so that it can be compared with the ledger's lines.
void AllocatedDay::compareRate(const Source &source, std::size_t node, std::int64_t same, std::int64_t priced)
{
    const NodeDay &seen = m_nodes[node];
    if (differs(same, priced, kSameAmount)) {
        find(source, seen.cluster, AllocationReason::Rate, same, priced, nameOf(seen));
        return;
    }
    auto &[theirs, ours] =
        m_agreed[{source.name, seen.cluster, AllocationReason::Rate, source.day.product, source.day.currency}];
    Amount a = theirs, b = ours;
    addTo(a, same);
    addTo(b, priced);
    if (a && b) {
        theirs = *a;
        ours = *b;
    }
}

// If OpenCost has no price for a node's GPUs, it takes the price of one vCPU for that of the whole node
// (pkg/costmodel/costmodel.go, "all the price was allocated to the CPU"). Such a price is either one of its default
// prices of a vCPU (configs/*.json), or at most one vCPU's equal share of what the price book says of the machine. Of
// machines with few vCPUs, and of spot machines, a low price is believed longer.
bool AllocatedDay::isOneVcpu(std::size_t node, const AllocatedNode &told, const Amount &same,
                             const Amount &priced) const
{
    if (!told.total || *told.total < 0 || !hasGpus(told))
        return false;
    if (const Amount perHour = scaledBy(told.total, kSecondsPerHour, told.seconds); perHour && *perHour > 0) {
        for (const std::int64_t vcpu : kDefaultVcpuPrices) {
            if (!differs(*perHour, vcpu, kSameAmount))
                return true;
        }
    }
    if (!same || !priced || *priced <= 0)
        return false;
    const NodeDay &seen = m_nodes[node];
    const PriceBook::Machine *machine = m_book.machine(seen.node ? seen.node->instanceType : std::string());
    machine = machine != nullptr ? machine : m_book.machine(told.instanceType);
    const auto devices = static_cast<std::int64_t>(seen.devices.size());
    const std::int64_t vcpus =
        machine != nullptr && machine->shape.isKnown() ? machine->shape.vcpus / 1000 : kFewVcpus * devices;
    const std::int64_t divisor = std::max(vcpus, kFewVcpus) * (told.spot ? 2 : 1);
    return *same <= *priced / divisor;
}

void AllocatedDay::check(const Source &source, std::size_t node, Machine &machine, const Amount &same,
                         const Amount &priced)
{
    AllocatedNode &told = machine.told;
    const std::string &cluster = m_nodes[node].cluster, &name = nameOf(m_nodes[node]);
    const auto discard = [&](AllocationReason reason) {
        find(source, cluster, reason, same, priced, name);
        told.total.reset();
        machine.unusable = true;
    };
    if (!told.total) {
        find(source, cluster, AllocationReason::NoPrice, {}, priced, name);
        return;
    }
    if (told.gpuCost == 0) {
        // A cloud's price of the whole machine includes its GPUs, wherever the allocator lists it.
        const bool isWhole =
            priced && same && (isCpuAndMemory(told) ? !differs(*same, *priced, kClosePrice) : *same >= *priced / 2);
        if (!isWhole)
            discard(told.gpuMillis.value_or(0) > 0 ? AllocationReason::GpusWithoutPrice : AllocationReason::NoGpuPrice);
        return;
    }
    if (isOneVcpu(node, told, same, priced))
        discard(AllocationReason::PriceTooLow);
}

} // namespace gpuledger::ledger
