// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/budgets/budget.h"
#include "app/services/alerts/ruleseries.h"

namespace gpuledger::services {

// A budget of the configuration. Fails with Parse, Overflow (its amount).
[[nodiscard]] base::Result<alerts::Budget> budgetOf(const model::Budget &configured, const model::Settings &settings);

// The scope of an alert about a budget: what it is for, with the period unless it is a month: "vision",
// "vision (quarter)", "cost-center=42", "node-label:rack=7".
std::string budgetScopeOf(const alerts::Budget &budget);

// For the metrics Budget and Forecast: a reading at the end of each UTC day of `question.range`, for each budget of the
// scope's dimension, in the period that contains the day; and one at the end of the data, for the day that is not over.
// Scopes are those of budgetScopeOf(). A share is unknown if nothing is available. The spent share is also unknown on
// the day after a day that is unknown, unless what is known is beyond the bound already. Per project there are no
// readings after the last known one, because their bills come later. Fails with Storage… codes, Overflow,
// InvalidArgument.
[[nodiscard]] base::Result<RuleSeries> budgetSeriesOf(View &view, const alerts::Rule &rule,
                                                      const SeriesQuestion &question, const model::Settings &settings);

} // namespace gpuledger::services
