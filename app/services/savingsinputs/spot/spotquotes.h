// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ledger/prices/pricebook.h"
#include "app/model/settings.h"
#include "app/savings/spot/spotoffer.h"
#include "app/services/prices/listedprices.h"
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "app/store/prices/pricestore.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Spot prices that price lists and sources tell, as syncs stored them. Any thread.
namespace gpuledger::services {

// How far back the prices count.
inline constexpr base::Seconds kSpotPriceWindow{30 * 86400};

// Whose list has a price; the first that tells a market is the one that counts.
enum class SpotListKind : std::uint8_t {
    Own, // the user's own offers
    Source, // told by a source, which asked the cloud
    Public, // a file or an address of the configuration
};

// Which lists there are.
struct SpotLists {
    const model::PriceSettings &settings;
    const std::vector<std::string> &sources; // names of those that tell prices
};
// std::nullopt: it is none of them, or no longer.
std::optional<SpotListKind> spotListKind(std::string_view list, const SpotLists &lists);

struct SpotQuote {
    ListedPrice price;
    SpotListKind kind = SpotListKind::Public;
};

struct SpotQuotes {
    std::map<SpotKey, std::vector<SpotQuote>> ofMarket;
};

// The spot prices in the clouds and regions of the markets, of all machine types, that lists had within
// kSpotPriceWindow before `at` or have now. A day on which a clock that was ahead read them is unknown. Reads nothing
// if there is no market or no list. Blocking. Fails with Storage… codes.
[[nodiscard]] base::Result<SpotQuotes> readSpotQuotes(const std::vector<savings::SpotMarket> &markets,
                                                      const SpotLists &lists, store::PriceStore prices,
                                                      base::UtcTime at, base::UtcTime now);

// What a spot machine-hour of a market cost in kSpotPriceWindow before `at`: each price with the time for which it was
// in force in one of the zones, so that the mean is over zones and time. Where no price of a zone was in force in that
// time, those that the list has now count for all of it: they were read after `at`.
//
// Lists of the first SpotListKind that tells the market count, those of other kinds do not. Of several that tell the
// same zone, the one that was read last counts; prices without a zone count if no other has one. Left out are prices
// of another number of GPUs than `list` has of the type, what is not above zero, what `prices` can't convert, and more
// than 2^62 nano-units. std::nullopt: nothing is left, or prices of machines of different sizes or GPU models are.
// Pure.
std::optional<savings::SpotPrice> listedSpotPrice(const SpotQuotes &quotes, const SpotKey &market,
                                                  const ledger::PriceBook &prices, const ledger::PriceBook &list,
                                                  base::UtcTime at);

} // namespace gpuledger::services
