// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/savings/prices/pricequote.h"
#include "app/store/prices/pricestore.h"

#include <optional>
#include <string>
#include <vector>

// Prices of the lists in the configuration and of its sources, as a sync stored them. Pure; any thread.
namespace gpuledger::services {

// An offer at one price, from the first reading of its list that had it.
struct ListedPrice {
    savings::PriceQuote quote;
    std::string list; // the path or the address in the configuration, or a sourceListName()
    base::UtcTime from{}, lastSeen{};
    std::optional<base::UtcTime> to; // the first reading without it; empty: the list has it
};

// A list of the configuration whose prices are missing, older than the last sync, or of a time to come.
struct UnreadList {
    std::string list;
    std::string problem; // empty: no sync has read it so far
    base::UtcTime triedAt{};
    std::optional<base::UtcTime> readAt; // the time of the prices that are stored; empty: there are none
    bool isAhead = false; // it could be read, but readAt lies in the future: the clock was ahead
};

struct ListedPrices {
    savings::QuoteList list; // what the lists of the configuration have now
    std::vector<UnreadList> unread;
};

// Of all lists of the configuration, and of those that its sources tell (sourceListName()). Reads nothing if there are
// none. Fails with Storage… codes.
[[nodiscard]] base::Result<ListedPrices> listedPrices(const model::PriceSettings &settings,
                                                      const std::vector<std::string> &ofSources,
                                                      store::PriceStore prices, base::UtcTime now);
// The same of the user's own lists alone.
[[nodiscard]] base::Result<ListedPrices> ownListedPrices(const model::PriceSettings &settings, store::PriceStore prices,
                                                         base::UtcTime now);
std::vector<store::PriceOffer> offersOf(const savings::QuoteList &list);
// A price whose list states no day is of the day on which the list had it last.
ListedPrice listedPrice(const store::StoredPrice &stored);
// True if the time was stored by a clock that was ahead of `now`.
bool isTimeAhead(base::UtcTime stored, base::UtcTime now);
// Of the lists of these names, in their order.
std::vector<UnreadList> unreadLists(const std::vector<std::string> &names,
                                    const std::vector<store::PriceListState> &states, base::UtcTime now);
// In the order of the configuration.
std::vector<UnreadList> unreadLists(const model::PriceSettings &prices,
                                    const std::vector<store::PriceListState> &states, base::UtcTime now);

} // namespace gpuledger::services
