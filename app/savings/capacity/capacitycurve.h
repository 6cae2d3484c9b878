// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/capacity/capacity.h"
#include "app/savings/proposals/curve.h"

// The nodes of a pool over its past. Pure; any thread.
namespace gpuledger::savings {

inline constexpr std::size_t kHourlyCapacityCurve = 14 * 24; // hours; of a longer past there is a point a day

// Nodes that were present and nodes that sufficed; a day has the means of its hours, so that the area between the lines
// is the node-hours off (CapacityReplay::offHours). `packed`: as replayPackedCapacity(). `start`: of the range.
// std::nullopt: the range has no hours. Fails with Overflow.
[[nodiscard]] base::Result<std::optional<ProposalCurve>>
capacityCurve(const CapacityPool &pool, const CapacityPolicy &policy, bool packed, base::UtcTime start);

} // namespace gpuledger::savings
