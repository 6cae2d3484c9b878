// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotoffertext.h"
#include "app/savings/spot/spotreplay.h"

#include <cstdint>
#include <stop_token>

// What a workload saves on spot machines of several zones or of one; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// The cost in nano-units below which this share of the futures lies, by nearest rank.
std::int64_t spotCostAt(const SpotReplay &replay, double quantile);

// What its machines on demand cost in a month, in nano-units, which no saving exceeds. Fails with Overflow.
[[nodiscard]] base::Result<std::int64_t> spotAvoidable(const SpotPast &past, const SpotCandidate &one);

// Whether the history of its market has several zones.
bool hasSpotZones(const SpotFound &found);

// Replays it, and sets `replay` and `zones`; returns what it saves in a month. Where the history has several zones, it
// moves between them. If the best of them alone saves more (p50), or keeps its deadline while moving misses it,
// `market` and the closed forms are of that zone alone, unless spotRefusal() refuses it there. The best zone is found
// in at most 100 futures and compared in all. `models`: of the answer. Fails as replaySpot().
[[nodiscard]] base::Result<MoneyBand> replaySpotFound(const SpotPast &past, SpotFound &found, const SpotRules &rules,
                                                      SpotModels &models, const std::stop_token &stop);

} // namespace gpuledger::savings
