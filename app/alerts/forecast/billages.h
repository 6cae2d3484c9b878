// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// How complete the bill of a day is at an age, from how the bills of earlier days grew. Statistics, in any one unit.
// Pure; any thread; no errors.
namespace gpuledger::alerts {

inline constexpr std::size_t kOpenAges = 10; // a day that is so many days old is final

// An amount of a day, as it was known from an age on.
struct KnownAmount {
    std::int32_t age = 0; // days from the day itself to the import
    double amount = 0;
};

struct BilledPast {
    base::Day day;
    std::vector<KnownAmount> known; // ascending by age
};

// The part of its final amount that a day has. 0: too little to tell what it will come to.
struct DayShare {
    double share = 1;
    double spread = 0; // of the share: a standard deviation

    bool isWhole() const { return share > 0.999 && share < 1.001; }
};

// By age, below kOpenAges. std::nullopt: fewer than 5 final days were known at that age.
using SharesByAge = std::vector<std::optional<DayShare>>;

// From the newest 60 days that were final at the end of `asOf`. The share is the median of what they had at that age,
// by what they had at kOpenAges, pooled with two days that were whole, so that few examples change little; 0 if it is
// below a fifth. The spread is 1.4826 x the median distance from the share.
SharesByAge sharesByAge(const std::vector<BilledPast> &days, base::Day asOf);

} // namespace gpuledger::alerts
