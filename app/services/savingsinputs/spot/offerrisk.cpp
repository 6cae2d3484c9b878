// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/offerrisk.h"

#include "app/ledger/prices/pricerules.h"
#include "app/savings/spot/capacity/spothistory.h"
#include "app/services/prices/paidprices.h"
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "app/services/savingsinputs/spot/spothistories.h"

#include <map>
#include <memory>

namespace gpuledger::services {

using base::Result;
using savings::QuoteInterruptions;

namespace {

using OfferRisk = std::shared_ptr<const QuoteInterruptions>; // null: unknown

OfferRisk publishedRisk(const savings::PublishedSpot &one)
{
    return std::make_shared<const QuoteInterruptions>(
        QuoteInterruptions{one.band, savings::hourlySpotRate(one.monthlyShare), one.source, one.asOf});
}

OfferRisk measuredRisk(const SpotHistories &histories, const savings::PriceQuote &quote, base::UtcTime at)
{
    const auto known = historyOf(histories, quote.region, quote.machine, at);
    if (!known || !known->seen)
        return nullptr;
    const savings::SpotShape shape = savings::shapeOf(known->history);
    if (shape.up <= 0)
        return nullptr; // never there, so that no rate is known
    return std::make_shared<const QuoteInterruptions>(
        QuoteInterruptions{{}, shape.perHour(), known->source, *known->seen});
}

} // namespace

Result<void> setOfferInterruptions(savings::QuoteList &list, const std::vector<model::SpotHistoryFile> &histories,
                                   base::UtcTime at)
{
    const auto published = publishedSpot();
    GPULEDGER_TRY(published);
    std::map<SpotKey, OfferRisk> bands, known; // known: by offers so far
    for (const savings::PublishedSpot &one : *published)
        bands.try_emplace({one.cloud, one.region, one.machine}, publishedRisk(one));
    const SpotHistories read = readSpotHistories(histories, at);
    for (savings::PriceQuote &quote : list.quotes) {
        if (quote.purchase != savings::PurchaseOption::Spot || quote.machine.empty())
            continue;
        const SpotKey key{ledger::lowerCase(quote.provider), ledger::lowerCase(quote.region),
                          ledger::lowerCase(quote.machine)};
        const auto [found, isNew] = known.try_emplace(key);
        if (isNew) {
            found->second = measuredRisk(read, quote, at);
            if (const auto band = bands.find(key); !found->second && band != bands.end())
                found->second = band->second;
        }
        quote.interruptions = found->second;
    }
    return {};
}

} // namespace gpuledger::services
