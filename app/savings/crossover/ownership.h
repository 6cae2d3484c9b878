// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// What one GPU costs per month if it is owned (definitions.md, Own or rent). Pure; any thread.
//
//   depreciation = (price - residual) / months of life, the same every month
//   interest     = (price + residual) / 2 x yearly rate / 12: on the mean book value of a linear depreciation
//   energy       = power x PUE x 730 h x price of a kWh / 1000
//   month        = depreciation + interest + hosting + staff + energy at rest + use x (energy at load - energy at rest)
namespace gpuledger::savings {

inline constexpr std::int64_t kWholeUse = 1'000'000; // use is in 1e-6 of all hours
inline constexpr std::int64_t kHoursOfMonth = 730; // definitions.md: per month = rate x 730 h

// Of one GPU, with its share of the machine. Absent = unknown; nothing is assumed for it.
struct Ownership {
    std::optional<base::Money> price, residual; // when bought; at the end of its life
    std::optional<int> lifeMonths;
    std::optional<std::int64_t> microInterest; // 1e-6 a year; absent: interest is not counted
    std::optional<std::int64_t> loadMilliwatts, restMilliwatts; // at full use, and at no use
    std::optional<std::int64_t> microPue; // 1e-6 of power usage effectiveness
    std::optional<base::Money> perKwh, hostingPerMonth, staffPerMonth;
};

enum class OwnInput { Price, Residual, Life, LoadPower, RestPower, Pue, Energy, Hosting, Staff };
std::string_view keyOf(OwnInput input); // "price", "load-power", …
// What must be known and is not, in that order. Interest is optional.
std::vector<OwnInput> missingOf(const Ownership &own);

// Per GPU and month, of one currency.
struct OwnMonth {
    base::Money depreciation, interest, hosting, staff, energyAtRest, energyAtLoad;
};
// std::nullopt: an input is missing. Fails with InvalidArgument (amounts of different currencies, or a value outside
// its limits: negative, a residual above the price, no life or one above 100 years, a PUE below 1 or above 10, power
// above 100 kW, less at load than at rest, interest above 100 %) and Overflow.
[[nodiscard]] base::Result<std::optional<OwnMonth>> ownMonth(const Ownership &own);

} // namespace gpuledger::savings
