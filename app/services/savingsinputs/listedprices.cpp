// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/listedprices.h"

#include <algorithm>

namespace gpuledger::services {

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

base::Result<ListedPrices> ownListedPrices(const model::PriceSettings &settings, store::PriceStore prices)
{
    ListedPrices out;
    if (settings.own.empty())
        return out;
    model::PriceSettings own;
    own.own = settings.own;
    const auto states = prices.lists();
    GPULEDGER_TRY(states);
    out.unread = unreadLists(own, *states);
    const auto stored = prices.current();
    GPULEDGER_TRY(stored);
    for (const store::StoredPrice &one : *stored) {
        const auto isIt = [&](const model::PriceList &list) { return list.name() == one.list; };
        if (std::any_of(own.own.begin(), own.own.end(), isIt))
            out.list.quotes.push_back(listedPrice(one).quote);
    }
    return out;
}

std::vector<UnreadList> unreadLists(const model::PriceSettings &prices,
                                    const std::vector<store::PriceListState> &states)
{
    std::vector<UnreadList> out;
    for (const auto *lists : {&prices.lists, &prices.own}) {
        for (const model::PriceList &list : *lists) {
            const auto state =
                std::find_if(states.begin(), states.end(), [&](const auto &one) { return one.name == list.name(); });
            if (state == states.end())
                out.push_back({list.name(), {}, {}, std::nullopt});
            else if (!state->problem.empty() || !state->readAt)
                out.push_back({list.name(), state->problem, state->triedAt, state->readAt});
        }
    }
    return out;
}

} // namespace gpuledger::services
