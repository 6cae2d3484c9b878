// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/spotquotes.h"

#include "app/base/text/text.h"
#include "app/ledger/prices/pricerules.h"
#include "app/services/prices/sourceprices.h"
#include "app/services/savingsinputs/spot/spotprices.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

constexpr std::size_t kMostListsNamed = 3;
constexpr std::int64_t kMostSpotNanos = std::int64_t{1} << 62;

// A price of a zone in a list, in the report currency, and how long it was in force in the window.
struct SpotStep {
    const SpotQuote *quote;
    std::int64_t nanos;
    std::int64_t seconds;
};

// Of one zone in one list.
struct ZoneSteps {
    std::vector<SpotStep> steps;
    base::UtcTime lastSeen{};
};

using ZoneInList = std::tuple<SpotListKind, std::string, std::string>; // zone in lower case, list

bool hasList(const std::vector<model::PriceList> &lists, std::string_view name)
{
    return std::any_of(lists.begin(), lists.end(), [&](const model::PriceList &list) { return list.name() == name; });
}

bool isOfSize(const model::PriceQuote &quote, const ledger::PriceBook::Machine *machine)
{
    return !machine || !machine->wholeGpus || quote.microGpus == machine->devices * model::kMicroOfGpu;
}

std::int64_t secondsInForce(const ListedPrice &price, base::TimeRange window)
{
    return window.intersect({price.from, price.to.value_or(window.end)}).length().count();
}

// Those in force in the window, or else what the list has now.
void keepInForce(ZoneSteps &zone)
{
    const bool isInWindow =
        std::any_of(zone.steps.begin(), zone.steps.end(), [](const SpotStep &step) { return step.seconds > 0; });
    for (SpotStep &step : zone.steps) {
        if (!isInWindow && !step.quote->price.to)
            step.seconds = kSpotPriceWindow.count();
    }
    std::erase_if(zone.steps, [](const SpotStep &step) { return step.seconds <= 0; });
    for (const SpotStep &step : zone.steps)
        zone.lastSeen = std::max(zone.lastSeen, step.quote->price.lastSeen);
}

std::map<ZoneInList, ZoneSteps> zonesOf(const std::vector<SpotQuote> &quotes, const ledger::PriceBook::Machine *machine,
                                        const ledger::PriceBook &prices, base::UtcTime at)
{
    std::map<ZoneInList, ZoneSteps> zones;
    const base::TimeRange window{at - kSpotPriceWindow, at};
    for (const SpotQuote &one : quotes) {
        const model::PriceQuote &quote = one.price.quote;
        if (!isOfSize(quote, machine) || quote.perHour.nanos() <= 0)
            continue;
        const auto cost = prices.converted(quote.perHour, at);
        if (!cost || cost->nanos() <= 0 || cost->nanos() >= kMostSpotNanos)
            continue;
        zones[{one.kind, ledger::lowerCase(quote.zone), one.price.list}].steps.push_back(
            {&one, cost->nanos(), secondsInForce(one.price, window)});
    }
    for (auto &[name, zone] : zones)
        keepInForce(zone);
    std::erase_if(zones, [](const auto &one) { return one.second.steps.empty(); });
    return zones;
}

// One list for each zone.
std::vector<SpotStep> countedSteps(const std::map<ZoneInList, ZoneSteps> &zones)
{
    if (zones.empty())
        return {};
    const SpotListKind best = std::get<0>(zones.begin()->first);
    std::map<std::string, const ZoneSteps *> chosen;
    for (const auto &[name, zone] : zones) {
        if (std::get<0>(name) != best)
            break;
        const auto [at, isNew] = chosen.try_emplace(std::get<1>(name), &zone);
        if (!isNew && zone.lastSeen > at->second->lastSeen)
            at->second = &zone;
    }
    if (chosen.size() > 1)
        chosen.erase("");
    std::vector<SpotStep> out;
    for (const auto &[name, zone] : chosen)
        out.insert(out.end(), zone->steps.begin(), zone->steps.end());
    return out;
}

// A name of a machine type may stand for machines of several sizes, whose prices can't be told apart.
bool areOneMachine(const std::vector<SpotStep> &steps)
{
    std::set<std::int64_t> sizes;
    std::set<std::string> models;
    for (const SpotStep &step : steps) {
        const model::PriceQuote &quote = step.quote->price.quote;
        sizes.insert(quote.microGpus);
        if (!quote.gpu.model.empty())
            models.insert(quote.gpu.model);
    }
    return sizes.size() <= 1 && models.size() <= 1;
}

std::string namesOfLists(const std::vector<SpotStep> &steps)
{
    std::set<std::string> names;
    for (const SpotStep &step : steps) {
        const ListedPrice &price = step.quote->price;
        names.insert(base::printableLine(price.quote.source.empty() ? price.list : price.quote.source));
    }
    std::string out;
    std::size_t named = 0;
    for (const std::string &name : names) {
        if (named++ == kMostListsNamed)
            return out + "; …";
        out += (out.empty() ? "" : "; ") + name;
    }
    return out;
}

store::PriceQuestion spotQuestion(const std::vector<savings::SpotMarket> &markets, base::UtcTime at, base::UtcTime now)
{
    std::set<std::string> clouds, regions;
    for (const savings::SpotMarket &market : markets) {
        clouds.insert(market.cloud);
        regions.insert(market.region);
    }
    store::PriceQuestion question;
    question.providers.assign(clouds.begin(), clouds.end());
    question.regions.assign(regions.begin(), regions.end());
    question.purchases = {std::string(toString(model::PurchaseOption::Spot))};
    question.range = base::TimeRange{at - kSpotPriceWindow, std::max(at, now + store::kPriceClockSkew)};
    return question;
}

} // namespace

std::optional<SpotListKind> spotListKind(std::string_view list, const SpotLists &lists)
{
    if (hasList(lists.settings.own, list))
        return SpotListKind::Own;
    if (hasList(lists.settings.lists, list))
        return SpotListKind::Public;
    const bool isTold = std::any_of(lists.sources.begin(), lists.sources.end(),
                                    [&](const std::string &source) { return isListOfSource(list, source); });
    return isTold ? std::optional(SpotListKind::Source) : std::nullopt;
}

Result<SpotQuotes> readSpotQuotes(const std::vector<savings::SpotMarket> &markets, const SpotLists &lists,
                                  store::PriceStore prices, base::UtcTime at, base::UtcTime now)
{
    SpotQuotes out;
    if (markets.empty() || (lists.settings.lists.empty() && lists.settings.own.empty() && lists.sources.empty()))
        return out;
    const auto stored = prices.history(spotQuestion(markets, at, now));
    GPULEDGER_TRY(stored);
    for (const store::StoredPrice &one : *stored) {
        const auto kind = spotListKind(one.list, lists);
        if (!kind || one.offer.machine.empty())
            continue;
        ListedPrice price = listedPrice(one);
        if (!one.offer.seen && isTimeAhead(one.lastSeen, now))
            price.quote.seen.reset();
        const SpotKey key = keyOfMarket(price.quote.provider, price.quote.region, price.quote.machine);
        out.ofMarket[key].push_back({std::move(price), *kind});
    }
    return out;
}

std::optional<savings::SpotPrice> listedSpotPrice(const SpotQuotes &quotes, const SpotKey &market,
                                                  const ledger::PriceBook &prices, const ledger::PriceBook &list,
                                                  base::UtcTime at)
{
    const auto known = quotes.ofMarket.find(market);
    if (known == quotes.ofMarket.end())
        return std::nullopt;
    const auto steps = countedSteps(zonesOf(known->second, list.machine(std::get<2>(market)), prices, at));
    if (steps.empty() || !areOneMachine(steps))
        return std::nullopt;
    savings::SpotPrice price;
    std::map<std::int64_t, std::int64_t> secondsAt; // nano-units
    for (const SpotStep &step : steps) {
        secondsAt[step.nanos] += step.seconds;
        if (const auto &seen = step.quote->price.quote.seen; seen && (!price.seen || *price.seen < *seen))
            price.seen = seen;
    }
    for (const auto &[nanos, seconds] : secondsAt) {
        price.perHour.emplace_back(nanos, prices.currency());
        price.seconds.push_back(seconds);
    }
    price.listed = true;
    price.source = namesOfLists(steps);
    return price;
}

} // namespace gpuledger::services
