// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/forecast.h"

#include <optional>
#include <string>
#include <vector>

// What a scope may cost in a period, and how far it is. Pure; any thread.
namespace gpuledger::alerts {

struct Budget {
    std::string by = "team", key; // a dimension as for `summary --by`, and its value
    PeriodKind period = PeriodKind::Month;
    base::Money amount; // per period; above 0
    std::vector<double> warn; // shares of what is available, above 0
    bool warnsOfForecast = false; // the same shares apply to the forecast, too
    bool carriesOver = false; // what an earlier period left is available in the next; what it overspent is missing
};

struct BudgetState {
    PeriodForecast forecast;
    // From the whole earlier periods of the same calendar year, oldest first: carried = available of the one before -
    // its spend. An unknown day begins anew. std::nullopt: the budget does not carry over, or no such period is known.
    std::optional<base::Money> carried;
    base::Money available; // amount + carried
    std::optional<double> share; // spent / available; std::nullopt: nothing is available
    std::optional<double> forecastShare; // expected / available
    // The highest of `warn` that spend, or else the forecast, has reached; std::nullopt: none.
    std::optional<double> crossed, crossedByForecast;
    std::optional<base::Money> suggested; // for the next period, see suggestedBudget()
};

// In the period that contains `day`. `suggested` only with all parts of the forecast. Fails with InvalidArgument (an
// amount that is not above 0, or in another currency than the question), Overflow.
[[nodiscard]] base::Result<BudgetState> stateOf(const Budget &budget, const ForecastQuestion &question, base::Day day,
                                                ForecastParts parts = ForecastParts::All);

} // namespace gpuledger::alerts
