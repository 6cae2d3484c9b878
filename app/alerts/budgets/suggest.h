// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/forecast.h"

#include <optional>
#include <vector>

// A budget from what a scope used to cost. Pure; any thread.
namespace gpuledger::alerts {

inline constexpr std::size_t kSuggestedFrom = 3, kLeastSuggestedFrom = 2; // whole periods

struct SuggestedAmount {
    base::Money amount; // per period; above 0
    std::vector<Period> from; // ascending
    bool operator==(const SuggestedAmount &) const = default;
};

// median + p80 of the distances from it (nearest rank: with two or three periods, the largest), rounded up to two
// significant digits. Of the last kSuggestedFrom periods that were over at the end of `past`; one with an unknown day
// is left out. std::nullopt: fewer than kLeastSuggestedFrom remain, or the amount would not be above 0. Fails with
// Overflow.
[[nodiscard]] base::Result<std::optional<SuggestedAmount>>
suggestedFromHistory(const DailySeries &past, PeriodKind kind, base::Currency currency, int yearStarts = 1);

} // namespace gpuledger::alerts
