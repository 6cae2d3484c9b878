// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/spot/capacity/spotpublished.h"
#include "app/savings/spot/spotoffer.h"
#include "app/services/savingsinputs/spot/spotfacts.h"

#include <string_view>

// What a spot machine-hour of a market costs; for the sources of this folder. Pure; any thread.
namespace gpuledger::services {

SpotKey keyOfMarket(std::string_view cloud, std::string_view region, std::string_view machine);

// Sets the price from the first of these that has one: the days of the bills, the prices of its history if that is the
// basis of its interruptions, those of price lists and sources, the published discount (null: there is none). Nothing
// has one: it stays unknown. Fails with Overflow.
[[nodiscard]] base::Result<void> setSpotPrice(savings::SpotMarket &market, const SpotKey &key,
                                              const savings::PublishedSpot *published, const SpotSources &sources);

} // namespace gpuledger::services
