// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/money/placementrating.h"
#include "app/savings/spot/spotoffer.h"

#include <optional>
#include <vector>

namespace gpuledger::services {

// How old a rating may be: what is older says little about the capacity now.
inline constexpr base::Seconds kRatingGood = 7 * base::kDay;

// The newest rating of the market's cloud and region (any case) whose question has its machine type, if it was made
// after `at` - kRatingGood. Pure; any thread.
std::optional<model::PlacementRating> ratingOf(const std::vector<model::PlacementRating> &ratings,
                                               const savings::SpotMarket &market, base::UtcTime at);

} // namespace gpuledger::services
