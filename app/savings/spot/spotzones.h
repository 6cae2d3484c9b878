// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotoffertext.h"
#include "app/savings/spot/spotreplay.h"

#include <cstdint>
#include <optional>
#include <stop_token>

// What a workload saves on spot machines of several zones or of one; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// The cost in nano-units below which this share of the futures lies, by nearest rank.
std::int64_t spotCostAt(const SpotReplay &replay, double quantile);

// What it saves in a month, at most `most` nano-units. Fails with Overflow.
[[nodiscard]] base::Result<MoneyBand> spotSavedOf(const SpotPast &past, const SpotCandidate &one,
                                                  const SpotReplay &replay, std::int64_t most);

// The zones of its market, and the best of them alone, in at most 100 futures. std::nullopt: the history has one zone,
// or there is none. Fails as replaySpot().
[[nodiscard]] base::Result<std::optional<SpotZones>> spotZonesOf(const SpotPast &past, const SpotFound &found,
                                                                 const SpotRules &rules, std::int64_t most,
                                                                 const std::stop_token &stop);

} // namespace gpuledger::savings
