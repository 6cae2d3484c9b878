// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotoffertext.h"
#include "app/savings/spot/spotreplay.h"

#include <stop_token>

// What a workload saves on spot machines of its own type or of several; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// Whether the history of its market has several zones or other machine types.
bool hasSpotPools(const SpotFound &found);

// Replays it, and sets `replay`, `zones` and `types`; returns what it saves in a month. On its own type it is as
// replaySpotZones(). If its market has others, it is also replayed moving between all of them, at most kMostSpotPools
// pools of zone and type that cost least, from one that it loses to the cheapest that then has capacity; that counts if
// it saves more (p50), or keeps its deadline while its own type misses it. On another type it runs no faster. `models`:
// of the answer. Fails as replaySpot().
[[nodiscard]] base::Result<MoneyBand> replaySpotFound(const SpotPast &past, SpotFound &found, const SpotRules &rules,
                                                      SpotModels &models, const std::stop_token &stop);

} // namespace gpuledger::savings
