// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuledger::insight {

// What one kind of GPU time cost in two periods; nanos of one currency. Only time that has a price.
struct CostGroup {
    std::int64_t hoursBefore = 0, hoursAfter = 0; // ticks of GPU time
    std::int64_t costBefore = 0, costAfter = 0;
};

// Why a cost is another one than in the period before: price + hours + mix == after - before, exactly.
struct CostChange {
    std::int64_t before = 0, after = 0;
    std::int64_t price = 0; // the same kind of GPU time at another rate
    std::int64_t hours = 0; // more or less GPU time
    std::int64_t mix = 0; // dearer or cheaper kinds of it
    friend bool operator==(const CostChange &, const CostChange &) = default;
};

// cost = H x sum(s_g x r_g): all hours, each group's share of them, each group's rate. Each factor's part is its
// Shapley value, the mean of its effect over all orders in which the factors can change (definitions.md, Change between
// two periods), so no order is preferred; rounded once, the remainder of at most two nanos goes to `hours`. A group
// that exists in one period only has the rate of that period in both, so that it never counts as a change of price.
CostChange explainChange(const std::vector<CostGroup> &groups);

} // namespace gpuledger::insight
