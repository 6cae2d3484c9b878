// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/gputime.h"
#include "app/ledger/expectedrates.h"
#include "app/ledger/pricerules.h"
#include "app/services/savings/spotfacts.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using base::Result;
using savings::SpotMarket;

namespace {

constexpr base::Seconds kVanishedBefore{3600}; // the end of its cluster's data
constexpr base::Seconds kRanUntil{900}; // before the node's end

using NodeName = std::pair<std::string, std::string>; // cluster and name
__extension__ using SpotTicks = __int128;

// When something last ran on each node.
Result<std::map<NodeName, std::vector<base::UtcTime>>> endsOnNodes(store::FactReader &facts, base::TimeRange range)
{
    const auto holders = facts.holders(range);
    GPULEDGER_TRY(holders);
    const auto spans = facts.holderSpans(range);
    GPULEDGER_TRY(spans);
    std::map<base::HolderId, NodeName> nodeOf;
    for (const model::Holder &holder : *holders)
        nodeOf[holder.id] = {holder.cluster, holder.node};
    std::map<NodeName, std::vector<base::UtcTime>> out;
    for (const store::HolderSpan &span : *spans)
        out[nodeOf[span.holder]].push_back(span.range.end);
    return out;
}

SpotKey keyOfMarket(std::string_view cloud, std::string_view region, std::string_view machine)
{
    return {ledger::lowerCase(cloud), ledger::lowerCase(region), ledger::lowerCase(machine)};
}

// Machine-hours at a spot price by day, over all accounts, in the report currency where there is an exchange rate.
Result<std::optional<savings::SpotPrice>> billedSpotPrice(const SpotKey &market, const SpotSources &sources)
{
    std::map<base::Day, std::pair<std::int64_t, std::int64_t>> days; // nano-units, ticks
    for (const auto &[key, spot] : sources.bills.spot()) {
        if (keyOfMarket(key.cloud, key.region, key.instanceType) != market)
            continue;
        for (const auto &[day, one] : spot) {
            const auto cost = sources.prices.converted(base::Money(one.cost, key.currency), sources.at);
            if (!cost || one.ticks <= 0)
                continue;
            GPULEDGER_TRY(store::addAmount(days[day].first, cost->nanos()));
            GPULEDGER_TRY(store::addAmount(days[day].second, one.ticks));
        }
    }
    savings::SpotPrice price;
    for (const auto &[day, sum] : days) {
        const SpotTicks rate = SpotTicks{sum.first} * 3600 * base::GpuTime::kTicksPerSecond / sum.second;
        if (rate <= 0 || rate >= std::int64_t{1} << 62)
            continue; // credits, or nothing was paid
        price.perHour.emplace_back(static_cast<std::int64_t>(rate), sources.prices.currency());
        price.seen = day;
    }
    return price.perHour.empty() ? std::optional<savings::SpotPrice>() : std::optional(std::move(price));
}

// The published discount to the public on-demand price: what the user pays instead of it says nothing about spot.
std::optional<savings::SpotPrice> publishedSpotPrice(const SpotMarket &market, const savings::PublishedSpot &published,
                                                     const SpotSources &sources)
{
    if (published.savingPercent <= 0)
        return std::nullopt;
    for (const ledger::PriceBook::Offer &offer : sources.list.offers(market.cloud, market.region, {}, sources.at)) {
        if (ledger::lowerCase(offer.machine->instanceType) != ledger::lowerCase(market.machine))
            continue;
        const SpotTicks nanos = SpotTicks{offer.perHour.nanosPerHour()} * (100 - published.savingPercent) / 100;
        if (nanos <= 0)
            return std::nullopt;
        savings::SpotPrice price;
        price.perHour.emplace_back(static_cast<std::int64_t>(nanos), offer.perHour.currency());
        price.published = true;
        price.otherRegion = offer.region != ledger::PriceBook::Region::Own;
        price.source = published.source;
        price.seen = published.asOf;
        return price;
    }
    return std::nullopt;
}

void setInterruptions(SpotMarket &market, const SeenSpot *seen, const savings::PublishedSpot *published,
                      const SpotSources &sources)
{
    savings::SpotInterruptions &out = market.interruptions;
    if (const auto rate = seen ? seen->perHour() : std::nullopt) {
        out.basis = savings::SpotBasis::Telemetry;
        out.perHour = *rate;
        out.events = seen->vanished;
        out.seen = base::dayOf(sources.at - base::Seconds{1});
    } else if (published) {
        out.basis = savings::SpotBasis::Published;
        out.perHour = savings::hourlySpotRate(published->monthlyShare);
        out.band = published->band;
        out.source = published->source;
        out.seen = published->asOf;
    }
}

} // namespace

std::optional<double> SeenSpot::perHour() const
{
    if (vanished < kFewestVanished || present.count() <= 0)
        return std::nullopt;
    return 3600.0 * vanished / static_cast<double>(present.count());
}

Result<std::map<SpotKey, SeenSpot>> spotSeen(store::FactReader &facts, base::TimeRange range,
                                             const std::set<base::NodeId> &billed)
{
    const auto nodes = facts.nodes();
    GPULEDGER_TRY(nodes);
    const auto spans = facts.nodeSpans(range);
    GPULEDGER_TRY(spans);
    const auto ends = endsOnNodes(facts, range);
    GPULEDGER_TRY(ends);
    std::map<base::NodeId, std::pair<base::Seconds, base::UtcTime>> seenOf; // time in the range, and its end
    for (const store::NodeSpan &span : *spans) {
        const base::TimeRange inside = span.range.intersect(range);
        if (inside.empty())
            continue;
        auto &[present, end] = seenOf.try_emplace(span.node, base::Seconds{0}, inside.end).first->second;
        present += inside.length();
        end = std::max(end, inside.end);
    }
    std::map<std::string, base::UtcTime> newest; // by cluster
    for (const model::Node &node : *nodes) {
        if (const auto seen = seenOf.find(node.id); seen != seenOf.end()) {
            base::UtcTime &end = newest.try_emplace(node.cluster, seen->second.second).first->second;
            end = std::max(end, seen->second.second);
        }
    }
    std::map<SpotKey, SeenSpot> out;
    for (const model::Node &node : *nodes) {
        const auto seen = seenOf.find(node.id);
        if (seen == seenOf.end() || !(ledger::isSpotNode(node) || billed.contains(node.id)))
            continue;
        SeenSpot &one = out[keyOfMarket(node.cloud, node.region, node.instanceType)];
        const auto [present, end] = seen->second;
        one.present += present;
        const auto ran = ends->find({node.cluster, node.name});
        const bool wasInUse = ran != ends->end()
            && std::any_of(ran->second.begin(), ran->second.end(),
                           [last = end](base::UtcTime until) { return until >= last - kRanUntil; });
        one.vanished += wasInUse && end < newest[node.cluster] - kVanishedBefore ? 1 : 0;
    }
    return out;
}

Result<void> setSpotMarkets(savings::SpotPast &past, const SpotSources &sources)
{
    for (SpotMarket &market : past.markets) {
        const SpotKey key = keyOfMarket(market.cloud, market.region, market.machine);
        const auto published =
            std::find_if(sources.published.begin(), sources.published.end(), [&](const savings::PublishedSpot &one) {
                return SpotKey(one.cloud, one.region, one.machine) == key;
            });
        const savings::PublishedSpot *const known = published == sources.published.end() ? nullptr : &*published;
        auto price = billedSpotPrice(key, sources);
        GPULEDGER_TRY(price);
        market.price = std::move(*price);
        if (!market.price && known)
            market.price = publishedSpotPrice(market, *known, sources);
        const auto seen = sources.seen.find(key);
        setInterruptions(market, seen == sources.seen.end() ? nullptr : &seen->second, known, sources);
    }
    return {};
}

} // namespace gpuledger::services
