// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/savings/realized/realized.h"

#include <array>
#include <cstddef>
#include <vector>

// The whole weeks that realized.h compares: which they are, and their sums. Money in nanos, time in ticks of
// base::GpuTime. Pure; any thread.
namespace gpuledger::savings {

inline constexpr int kRealizedWeek = 7; // days

// Price is an index of what the control group pays for a GPU-hour.
enum WeekSum : std::size_t { Cost, Paid, Active, Runs, Price, ControlPaid, ControlActive, SumCount };
using WeekSums = std::array<double, SumCount>;

struct RealizedWindow {
    std::vector<std::size_t> weeks; // index of the first day of each
    std::vector<WeekSums> sums; // parallel to `weeks`
    WeekSums mean{};
    int unpriced = 0; // weeks left out because a part of their cost is unknown
};

// The last known weeks before it, from the first one in which the target was paid for. Without prices.
RealizedWindow weeksBefore(const RealizedPast &past);
// The first known weeks after it. Without prices.
RealizedWindow weeksAfter(const RealizedPast &past);
// From the first to the last of them; empty: there are none.
base::TimeRange rangeOf(const RealizedPast &past, const RealizedWindow &window);
// Sets the price index i of realized.h for each week and as a mean; 1 is the price before. It stays 0, which compares
// as no change, if less than half of the cost before is of kinds of machines that are also there after.
void setPrices(const RealizedPast &past, RealizedWindow &before, RealizedWindow &after);

} // namespace gpuledger::savings
