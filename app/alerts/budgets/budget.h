// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/forecast.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// What a scope may cost in a period, and how far it is. Pure; any thread.
namespace gpuledger::alerts {

struct Budget {
    std::string by = "team", key; // a dimension as for `summary --by` or "project", and its value
    PeriodKind period = PeriodKind::Month;
    base::Money amount; // per period; above 0
    std::vector<double> warn; // shares of what is available, above 0
    bool warnsOfForecast = false; // the same shares apply to the forecast, too
    int yearStarts = 1; // the month in which its year and quarters begin, 1 to 12
    bool carriesOver = false; // what an earlier period left is available in the next; what it overspent is missing
};

struct BudgetState {
    PeriodForecast forecast;
    // From the whole earlier periods of the same year (Budget::yearStarts), oldest first: carried = available of the
    // one before - its spend. An unknown day begins anew. std::nullopt: the budget does not carry over, or no such
    // period is known.
    std::optional<base::Money> carried;
    base::Money available; // amount + carried
    std::optional<double> share; // spent / available; std::nullopt: nothing is available
    std::optional<double> forecastShare; // expected / available
    // The highest of `warn` that spend, or else the forecast, has reached; std::nullopt: none.
    std::optional<double> crossed, crossedByForecast;
    std::optional<base::Money> suggested; // for the next period, see suggestedBudget()
};

// What a whole period cost; std::nullopt: a day of it is unknown. Fails with Overflow.
[[nodiscard]] base::Result<std::optional<base::Money>> wholeSpend(const DailySeries &past, const Period &period,
                                                                  base::Currency currency);

// What earlier periods leave for the next one, from what each cost, oldest first: each time amount + carried - spent.
// After one that is unknown it begins anew. std::nullopt: the last one is unknown, or there is none. Fails with
// Overflow, InvalidArgument.
[[nodiscard]] base::Result<std::optional<base::Money>> carriedFrom(const base::Money &amount,
                                                                   std::span<const std::optional<base::Money>> spent);

// amount / available; std::nullopt: nothing is available.
std::optional<double> shareOf(const base::Money &amount, const base::Money &available);

// In the period that contains `day`. `suggested` only with all parts of the forecast. Fails with InvalidArgument (an
// amount that is not above 0, or in another currency than the question), Overflow.
[[nodiscard]] base::Result<BudgetState> stateOf(const Budget &budget, const ForecastQuestion &question, base::Day day,
                                                ForecastParts parts = ForecastParts::All, FitMemo *memo = nullptr);

} // namespace gpuledger::alerts
