// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotoffertext.h"
#include "app/savings/spot/spotreplay.h"

#include <cstdint>
#include <stop_token>

// What a workload saves on spot machines of its type in several zones or in one; internal to app/savings. Pure; any
// thread.
namespace gpuledger::savings {

// The cost in nano-units below which this share of the futures lies, by nearest rank.
std::int64_t spotCostAt(const SpotReplay &replay, double quantile);

// What its machines on demand cost in a month, in nano-units, which no saving exceeds. Fails with Overflow.
[[nodiscard]] base::Result<std::int64_t> spotAvoidable(const SpotPast &past, const SpotCandidate &one);

// What a replay saves in a month, at most `most` nano-units. Fails with Overflow.
[[nodiscard]] base::Result<MoneyBand> spotSavedOf(const SpotPast &past, const SpotCandidate &one,
                                                  const SpotReplay &replay, std::int64_t most);

// Replays it, and sets `replay` and `zones`; returns what it saves in a month, at most `most` nano-units. Where the
// history has several zones, it moves between them. If the best of them alone saves more (p50), or keeps its deadline
// while moving misses it, `market` and the closed forms are of that zone alone, unless spotRefusal() refuses it there.
// The best zone is found in at most 100 futures and compared in all. `models`: of the answer. Fails as replaySpot().
[[nodiscard]] base::Result<MoneyBand> replaySpotZones(const SpotPast &past, SpotFound &found, const SpotRules &rules,
                                                      std::int64_t most, SpotModels &models,
                                                      const std::stop_token &stop);

} // namespace gpuledger::savings
