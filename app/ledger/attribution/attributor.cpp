// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/attributor.h"

#include "app/ledger/rates/noderates.h"

#include <algorithm>
#include <any>
#include <limits>
#include <memory>
#include <utility>

namespace gpuledger::ledger {

using base::Day;
using base::Result;
using base::UtcTime;

Attributor::Attributor(const LedgerRules &rules, store::FactReader &facts, model::CostView view)
    : m_rules(rules)
    , m_facts(facts)
    , m_view(view)
{
}

struct Attributor::Loaded {
    Loaded(const LedgerRules &of, FleetIndex loaded, Day from, Day to)
        : index(std::move(loaded))
        , rates(of, index)
        , rules(&of)
        , fingerprint(of.fingerprint)
        , first(from)
        , last(to)
    {
    }
    FleetIndex index;
    NodeRates rates;
    const LedgerRules *rules; // compared, never read
    std::string fingerprint; // of the rules
    Day first, last;
};

Attributor::~Attributor()
{
    if (std::any *kept = m_facts.derived(); kept && m_loaded)
        *kept = std::move(m_loaded);
}

Result<void> Attributor::walk(Day first, Day last, std::span<const base::DeviceId> devices, const Visitor &visit)
{
    GPULEDGER_TRY(load(first, last));
    for (Day day = first; day <= last; ++day.number)
        GPULEDGER_TRY(visitDay(day, devices, visit));
    return {};
}

Result<void> Attributor::load(Day first, Day last)
{
    const auto serves = [&] { return m_loaded && m_loaded->first <= first && last <= m_loaded->last; };
    if (serves())
        return {};
    if (auto *kept = std::any_cast<std::shared_ptr<Loaded>>(m_facts.derived()); kept && !m_loaded) {
        m_loaded = std::exchange(*kept, nullptr);
        if (m_loaded && (m_loaded->rules != &m_rules || m_loaded->fingerprint != m_rules.fingerprint))
            m_loaded = nullptr;
    }
    if (!serves()) {
        // Windows extend past midnight: nearby days are loaded in one go.
        constexpr std::int32_t kNear = 3;
        if (m_loaded && last.number - m_loaded->first.number < kNear && m_loaded->last.number - first.number < kNear) {
            first = std::min(first, m_loaded->first);
            last = std::max(last, m_loaded->last);
        }
        m_resolver.reset();
        m_loaded.reset(); // first, so that memory never holds two
        m_index = nullptr;
        m_rates = nullptr;
        auto index = FleetIndex::load(m_facts, {first.start() - base::kDay, last.end() + base::kDay});
        GPULEDGER_TRY(index);
        m_loaded = std::make_shared<Loaded>(m_rules, std::move(*index), first, last);
    }
    m_index = &m_loaded->index;
    m_rates = &m_loaded->rates;
    m_resolver = std::make_unique<DayResolver>(*m_index, m_rules.threshold);
    forgetHolders();
    m_nodeFacts.assign(m_index->nodes.size() + 1, {});
    return {};
}

void Attributor::forgetHolders()
{
    m_holders.clear();
    m_holderByClaim.clear();
    m_holdersOfDay = 0;
}

// Those that ended are not kept for the rest of a long walk. Forgetting only when the number has doubled keeps the work
// of describing the others again below that of describing the new ones.
void Attributor::boundHolders()
{
    constexpr std::size_t kFew = 256;
    if (m_holdersOfDay == 0)
        m_holdersOfDay = m_holders.size();
    if (m_holders.size() > std::max(kFew, 2 * m_holdersOfDay))
        forgetHolders();
}

// Devices ascending by id, including those without samples that day.
Result<void> Attributor::visitDay(Day day, std::span<const base::DeviceId> devices, const Visitor &visit)
{
    static const std::vector<model::UsageTrack> kNoTracks;
    const std::vector<IndexedDevice> &all = m_index->devices;
    const base::TimeRange range{day.start(), day.end()};
    GPULEDGER_TRY(m_rates->load(day, m_facts));
    m_index->inferFor(day);
    boundHolders();
    std::size_t next = 0;
    const auto wanted = [&](const IndexedDevice &d) {
        return d.paid.touches(range)
            && (devices.empty() || std::find(devices.begin(), devices.end(), d.facts.id) != devices.end());
    };
    const auto visitSilentBefore = [&](std::int64_t id) -> Result<void> {
        for (; next < all.size() && all[next].facts.id.value < id; ++next) {
            if (wanted(all[next]))
                GPULEDGER_TRY(attribute(all[next], day, kNoTracks, visit));
        }
        return {};
    };
    GPULEDGER_TRY(m_facts.deviceDays(day, day, devices, [&](const model::DeviceDay &blob) -> Result<void> {
        GPULEDGER_TRY(visitSilentBefore(blob.device.value));
        if (next < all.size() && all[next].facts.id == blob.device) {
            const IndexedDevice &device = all[next++];
            if (wanted(device))
                return attribute(device, day, blob.tracks, visit);
        }
        return {};
    }));
    return visitSilentBefore(std::numeric_limits<std::int64_t>::max());
}

Result<void> Attributor::attribute(const IndexedDevice &device, Day day, const std::vector<model::UsageTrack> &tracks,
                                   const Visitor &visit)
{
    const std::span<const DayResolver::Part> parts = m_resolver->resolve(device, day, tracks);
    std::size_t begin = 0;
    for (const int cut : cutsOf(device, day)) {
        std::size_t end = begin;
        while (end < parts.size() && parts[end].usage.bucket < cut)
            ++end;
        if (end > begin)
            GPULEDGER_TRY(visitPiece(device, day, parts.subspan(begin, end - begin), visit));
        begin = end;
    }
    return {};
}

// Buckets of the day before which the device's node, the owner rules or the prices change, and the end of the day.
const std::vector<int> &Attributor::cutsOf(const IndexedDevice &device, Day day)
{
    m_cuts.clear();
    const auto add = [&](UtcTime t) {
        if (day.start() < t && t < day.end())
            m_cuts.push_back(static_cast<int>((base::ceilTo(t, base::kBucket) - day.start()) / base::kBucket));
    };
    for (const auto &[from, node] : device.nodes)
        add(from);
    for (const UtcTime edge : m_rules.owners.boundaries())
        add(edge);
    for (const UtcTime edge : m_rules.prices.boundaries())
        add(edge);
    m_cuts.push_back(base::kBucketsPerDay);
    std::sort(m_cuts.begin(), m_cuts.end());
    return m_cuts;
}

Result<void> Attributor::visitPiece(const IndexedDevice &device, Day day, std::span<const DayResolver::Part> parts,
                                    const Visitor &visit)
{
    const UtcTime from = day.start() + parts.front().usage.bucket * base::kBucket;
    const int node = m_index->nodeOf(device, from);
    const NodeFacts &facts = factsOf(device, node, from);
    model::DeviceAttribution &out = m_out;
    out.device = &device.facts;
    out.node = node >= 0 ? &m_index->nodes[static_cast<std::size_t>(node)] : nullptr;
    out.day = day;
    out.gpuModel = facts.gpuModel;
    out.restingW = facts.restingW;
    out.nodeOwner = ownerOrBills(facts.nodeOwner, node);
    out.nodePool = facts.nodePool;
    const bool listed = facts.price.has_value();
    m_rate = rateOf(node);
    m_listRate = listed ? facts.price->perGpuHour : base::Rate{};
    out.listSource = listed ? facts.price->source : std::string();
    out.priceAsOf = listed ? facts.price->asOf : std::nullopt;
    const bool byBook = !m_rate && listed && m_view != model::CostView::Billed;
    out.priced = m_rate || byBook;
    out.basis = m_rate ? m_rate->basis : model::RateBasis::PriceBook;
    out.rate = m_rate ? m_rate->perGpuHour : byBook ? m_listRate : base::Rate{};
    out.priceSource = m_rate ? m_rate->source : byBook ? out.listSource : std::string();
    out.parts.clear();
    out.parts.reserve(parts.size());
    Claim last;
    std::int32_t lastHolder = model::kNobody;
    std::size_t lastSegment = 0;
    for (const DayResolver::Part &part : parts) {
        model::UsagePart usage = part.usage;
        if (part.claim.kind != Claim::Kind::Nobody) {
            const UtcTime at = day.start() + usage.bucket * base::kBucket;
            const std::size_t segment = segmentOf(at);
            if (lastHolder == model::kNobody || !(part.claim == last) || segment != lastSegment) {
                lastHolder = holderFor(part.claim, node, at);
                last = part.claim;
                lastSegment = segment;
            }
            usage.holder = lastHolder;
        }
        out.parts.push_back(usage);
    }
    out.holders = &m_holders;
    if (listed)
        addListCosts(device, out.node);
    if (out.priced)
        addCosts();
    return visit(out);
}

const NodeRate *Attributor::rateOf(int node) const
{
    switch (m_view) {
    case model::CostView::List:
        return nullptr;
    case model::CostView::Billed:
        return m_rates->billedOf(node);
    case model::CostView::Effective:
        break;
    }
    return m_rates->of(node);
}

const Attributor::NodeFacts &Attributor::factsOf(const IndexedDevice &device, int node, UtcTime at)
{
    NodeFacts &known = m_nodeFacts[static_cast<std::size_t>(node) + 1];
    const auto &edges = m_rules.prices.boundaries();
    const auto prices = static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), at) - edges.begin());
    const std::size_t rules = segmentOf(at);
    if (known.known && known.rules == rules && known.prices == prices && known.sliced == !device.facts.slices.empty()
        && known.deviceModel == device.facts.model && known.cluster == device.facts.cluster)
        return known;
    const model::Node *record = node >= 0 ? &m_index->nodes[static_cast<std::size_t>(node)] : nullptr;
    const GpuFacts *facts = m_rules.catalog.find(device.facts.model);
    known.deviceModel = device.facts.model;
    known.cluster = device.facts.cluster;
    known.sliced = !device.facts.slices.empty();
    known.rules = rules;
    known.prices = prices;
    known.gpuModel = facts ? facts->model : device.facts.model;
    known.restingW = facts ? facts->restingW.value_or(0) : 0;
    known.nodeOwner = m_rules.owners.ownerOfNode(record, at).team;
    const auto pools = record ? nodePools(*record) : std::vector<std::string>();
    known.nodePool = pools.empty() ? std::string() : pools.front();
    known.price = m_rules.prices.priceOf(device.facts, record, at);
    known.known = true;
    return known;
}

// Index of the rules' validity period that contains an instant.
std::size_t Attributor::segmentOf(UtcTime at) const
{
    const auto &edges = m_rules.owners.boundaries();
    return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), at) - edges.begin());
}

std::size_t Attributor::ClaimHash::operator()(const ClaimKey &key) const
{
    std::uint64_t mixed = key.claim.index;
    for (const std::uint64_t part : {static_cast<std::uint64_t>(key.segment), static_cast<std::uint64_t>(key.node + 1),
                                     static_cast<std::uint64_t>(key.claim.kind) * 2 + (key.claim.inferred ? 1 : 0),
                                     static_cast<std::uint64_t>(std::hash<std::string>()(key.billOwner))})
        mixed = (mixed + part + 1) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
}

bool Attributor::isMachine(const Claim &claim) const
{
    return claim.kind == Claim::Kind::Subject
        && m_index->subjects[claim.index].facts.kind == model::SubjectKind::Machine;
}

// As in LedgerDays: what bills say applies only where no other rule names an owner.
const std::string &Attributor::ownerOrBills(const std::string &team, int node) const
{
    const std::string &owner = m_rates->ownerOf(node);
    return !owner.empty() && (team == kUnowned || team == kShared) ? owner : team;
}

std::int32_t Attributor::holderFor(const Claim &claim, int node, UtcTime at)
{
    const int own = isMachine(claim) ? node : -1;
    const auto [it, isNew] = m_holderByClaim.try_emplace({claim, segmentOf(at), own, m_rates->ownerOf(node)},
                                                         static_cast<std::int32_t>(m_holders.size()));
    if (isNew) {
        m_holders.push_back(describe(claim, own, at));
        m_holders.back().team = ownerOrBills(m_holders.back().team, node);
    }
    return it->second;
}

model::AttributedHolder Attributor::describe(const Claim &claim, int machine, UtcTime at) const
{
    model::AttributedHolder out;
    model::Holder who;
    int place = machine;
    if (claim.kind == Claim::Kind::Holder) {
        const IndexedHolder &holder = m_index->holders[claim.index];
        who = holder.facts;
        place = holder.node;
        out.holder = who.id;
        out.seen = who.seen.empty() ? holder.spans.hull() : who.seen;
    } else {
        const IndexedSubject &subject = m_index->subjects[claim.index];
        who = holderOf(subject.facts, machine >= 0 ? &m_index->nodes[static_cast<std::size_t>(machine)] : nullptr);
        out.subject = subject.facts.id;
        out.seen = subject.seen;
    }
    const model::Node *node = place >= 0 ? &m_index->nodes[static_cast<std::size_t>(place)] : nullptr;
    out.what = who.kind;
    out.cluster = who.cluster;
    out.nameSpace = who.nameSpace;
    out.name = who.name;
    out.uid = who.uid;
    out.ownerKind = who.ownerKind;
    out.ownerName = who.ownerName;
    out.node = who.node;
    out.kind = m_rules.workloads.kindOf(who);
    out.team = m_rules.owners.ownerOf(who, node, at).team;
    out.environment = m_rules.workloads.environmentOf(who);
    out.protection = m_rules.workloads.protectionOf(who);
    out.startedAt = who.startedAt;
    out.inferred = claim.inferred;
    return out;
}

} // namespace gpuledger::ledger
