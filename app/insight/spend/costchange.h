// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/gputime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuledger::insight {

// The cost of one kind of GPU time in two periods, in nanos of one currency. Only time that has a price.
struct CostGroup {
    std::int64_t hoursBefore = 0, hoursAfter = 0; // ticks of GPU time
    std::int64_t costBefore = 0, costAfter = 0;
    std::int64_t activeBefore = 0, activeAfter = 0; // the part of the hours in which work was done
};

// Explains why a cost differs from that of the preceding period: price + hours + mix + efficiency == after - before,
// exactly.
struct CostChange {
    std::int64_t before = 0, after = 0;
    std::int64_t price = 0; // the same kind of GPU time at a different rate
    std::int64_t hours = 0; // more or less work: active GPU time; all GPU time if a period has no active time
    std::int64_t mix = 0; // more expensive or cheaper kinds of it
    std::int64_t efficiency = 0; // more or less paid time per active hour; 0 if a period has no active time
    friend bool operator==(const CostChange &, const CostChange &) = default;
};

// cost = W x H/W x sum(s_g x r_g): active hours, paid hours per active hour, each group's share of the paid hours, each
// group's rate. Each factor's part is its Shapley value, the mean of its effect over all orders in which the factors
// can change, so no order is preferred; rounded once, the remainder of at most three nanos is added to `hours`. A group
// that exists in only one period gets that period's rate in both, so that it never counts as a change of price.
CostChange explainChange(const std::vector<CostGroup> &groups);

} // namespace gpuledger::insight
