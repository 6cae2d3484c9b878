// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/spotprices.h"

#include "app/base/time/gputime.h"
#include "app/ledger/prices/pricerules.h"
#include "app/services/savingsinputs/spot/spotquotes.h"
#include "app/store/values/billed.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using base::Result;
using savings::SpotMarket;

namespace {

__extension__ using SpotTicks = __int128;

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
        price.seconds.push_back(sum.second / base::GpuTime::kTicksPerSecond);
        price.days.push_back(day);
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

// Of the machine, each price of its traces as likely as it has time. std::nullopt: a trace has none.
std::optional<savings::SpotPrice> historyPrice(const savings::SpotInterruptions &known, base::Currency currency)
{
    savings::SpotPrice price;
    for (const savings::SpotTrace &trace : known.history) {
        if (trace.prices.empty())
            return std::nullopt;
        for (std::size_t i = 0; i < trace.prices.size(); ++i) {
            const savings::SpotPriceStep &one = trace.prices[i];
            const std::int64_t end = i + 1 < trace.prices.size() ? trace.prices[i + 1].start : trace.end();
            std::int64_t nanos = 0;
            if (__builtin_mul_overflow(one.nanosPerHour, std::int64_t{std::max(trace.gpus, 1)}, &nanos) || nanos <= 0)
                return std::nullopt;
            if (end <= one.start)
                continue;
            price.perHour.emplace_back(nanos, currency);
            price.seconds.push_back(end - one.start);
        }
    }
    if (price.perHour.empty())
        return std::nullopt;
    price.ofHistory = true;
    price.source = known.source;
    price.seen = known.seen;
    return price;
}

} // namespace

SpotKey keyOfMarket(std::string_view cloud, std::string_view region, std::string_view machine)
{
    return {ledger::lowerCase(cloud), ledger::lowerCase(region), ledger::lowerCase(machine)};
}

Result<void> setSpotPrice(SpotMarket &market, const SpotKey &key, const savings::PublishedSpot *published,
                          const SpotSources &sources)
{
    auto price = billedSpotPrice(key, sources);
    GPULEDGER_TRY(price);
    market.price = std::move(*price);
    if (!market.price && market.interruptions.basis == savings::SpotBasis::History)
        market.price = historyPrice(market.interruptions, sources.prices.currency());
    if (!market.price && sources.quotes)
        market.price = listedSpotPrice(*sources.quotes, key, sources.prices, sources.list, sources.at);
    if (!market.price && published)
        market.price = publishedSpotPrice(market, *published, sources);
    return {};
}

} // namespace gpuledger::services
