// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/listedprices.h"

#include <algorithm>

namespace gpuledger::services {

namespace {

std::vector<std::string> configuredNames(const model::PriceSettings &prices)
{
    std::vector<std::string> names;
    for (const auto *lists : {&prices.lists, &prices.own}) {
        for (const model::PriceList &list : *lists)
            names.push_back(list.name());
    }
    return names;
}

} // namespace

std::vector<store::PriceOffer> offersOf(const savings::QuoteList &list)
{
    std::vector<store::PriceOffer> out;
    out.reserve(list.quotes.size());
    for (const savings::PriceQuote &quote : list.quotes) {
        store::PriceOffer one;
        one.provider = quote.provider;
        one.region = quote.region;
        one.zone = quote.zone;
        one.machine = quote.machine;
        one.gpu = quote.gpuName;
        one.purchase = std::string(toString(quote.purchase));
        one.payment = quote.payment ? std::string(toString(*quote.payment)) : std::string();
        one.source = quote.source;
        one.microGpus = quote.microGpus;
        one.perHour = quote.perHour;
        one.termMonths = quote.termMonths;
        one.upfront = quote.upfront;
        one.gpuModel = quote.gpu.model;
        one.memoryMib = quote.gpu.memoryMib;
        one.milliTflops = quote.gpu.milliTflops;
        one.seen = quote.seen;
        one.contracted = quote.contracted;
        out.push_back(std::move(one));
    }
    return out;
}

ListedPrice listedPrice(const store::StoredPrice &stored)
{
    const store::PriceOffer &offer = stored.offer;
    ListedPrice out;
    out.quote.provider = offer.provider;
    out.quote.region = offer.region;
    out.quote.zone = offer.zone;
    out.quote.machine = offer.machine;
    out.quote.gpuName = offer.gpu;
    out.quote.gpu = {offer.gpuModel, offer.memoryMib, offer.milliTflops};
    out.quote.microGpus = offer.microGpus;
    out.quote.purchase = savings::purchaseFrom(offer.purchase).value_or(savings::PurchaseOption::OnDemand);
    out.quote.perHour = offer.perHour;
    out.quote.termMonths = offer.termMonths;
    out.quote.payment = savings::upfrontPaymentFrom(offer.payment);
    out.quote.upfront = offer.upfront;
    out.quote.seen = offer.seen ? offer.seen : base::dayOf(stored.lastSeen);
    out.quote.source = offer.source;
    out.quote.contracted = offer.contracted;
    out.list = stored.list;
    out.from = stored.firstSeen;
    out.lastSeen = stored.lastSeen;
    out.to = stored.endedAt;
    return out;
}

bool isTimeAhead(base::UtcTime stored, base::UtcTime now)
{
    return stored > now + store::kPriceClockSkew;
}

base::Result<ListedPrices> listedPrices(const model::PriceSettings &settings, const std::vector<std::string> &ofSources,
                                        store::PriceStore prices, base::UtcTime now)
{
    ListedPrices out;
    std::vector<std::string> names = configuredNames(settings);
    names.insert(names.end(), ofSources.begin(), ofSources.end());
    if (names.empty())
        return out;
    const auto states = prices.lists();
    GPULEDGER_TRY(states);
    out.unread = unreadLists(names, *states, now);
    const auto stored = prices.current();
    GPULEDGER_TRY(stored);
    for (const store::StoredPrice &one : *stored) {
        if (std::find(names.begin(), names.end(), one.list) == names.end())
            continue;
        out.list.quotes.push_back(listedPrice(one).quote);
        if (!one.offer.seen && isTimeAhead(one.lastSeen, now))
            out.list.quotes.back().seen.reset(); // unknown, and not newer than what other lists have
    }
    return out;
}

base::Result<ListedPrices> ownListedPrices(const model::PriceSettings &settings, store::PriceStore prices,
                                           base::UtcTime now)
{
    model::PriceSettings own;
    own.own = settings.own;
    return listedPrices(own, {}, prices, now);
}

std::vector<UnreadList> unreadLists(const std::vector<std::string> &names,
                                    const std::vector<store::PriceListState> &states, base::UtcTime now)
{
    std::vector<UnreadList> out;
    for (const std::string &name : names) {
        const auto state =
            std::find_if(states.begin(), states.end(), [&](const auto &one) { return one.name == name; });
        if (state == states.end())
            out.push_back({name, {}, {}, std::nullopt});
        else if (!state->problem.empty() || !state->readAt)
            out.push_back({name, state->problem, state->triedAt, state->readAt});
        else if (const base::UtcTime newest = state->newest.value_or(*state->readAt); isTimeAhead(newest, now))
            out.push_back({name, {}, state->triedAt, newest, true});
    }
    return out;
}

std::vector<UnreadList> unreadLists(const model::PriceSettings &prices,
                                    const std::vector<store::PriceListState> &states, base::UtcTime now)
{
    return unreadLists(configuredNames(prices), states, now);
}

} // namespace gpuledger::services
