// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/placementrating.h"
#include "app/savings/proposals/proposal.h"

#include <cstddef>

// What a spot proposal says of its cloud's rating of the chance to get such machines. It enters no figure. Internal to
// app/savings. Pure; any thread.
namespace gpuledger::savings {

// Up to this rating of its best zone a market is a risk. EC2 rates every question for fewer types as low, which the
// risk then says.
inline constexpr int kLowPlacement = 3;
inline constexpr std::size_t kFewestTypesRated = 3;

// The rating of each zone, the best first, with what was asked, and the day of it. Nothing without a zone.
void addPlacementEvidence(const model::PlacementRating &rating, Proposal &proposal);
// That it is low, if it is.
void addPlacementRisk(const model::PlacementRating &rating, Proposal &proposal);

} // namespace gpuledger::savings
