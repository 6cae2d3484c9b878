// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/forecastanswer.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace gpuledger::services {
class AlertService;
}

namespace gpuledger::ui {

// What each team will have cost at the end of the current month, as the Overview shows it. Immutable.
struct OverviewForecast {
    insight::Filter filter; // what was asked
    model::CostView cost = model::CostView::Effective;
    services::ForecastAnswer answer;

    const services::ScopeForecast *of(const std::string &team) const; // null: it never cost anything
};

using TeamBudget = std::pair<alerts::Budget, alerts::BudgetState>;
// The one with the shortest period. Null: the team has none.
const TeamBudget *shownBudget(const services::ScopeForecast &team);

// The monthly budgets of all teams together.
struct BudgetSum {
    base::Money amount, available, expected; // without and with what was carried over; of the same teams
    std::size_t teams = 0;
    bool isOfAll = true; // all that costs something has one, also what nobody owns
    std::optional<double> share() const; // expected / available; std::nullopt: nothing is available
};
// std::nullopt: no team has a monthly budget, a forecast of one that has is unknown, or the sum overflows.
std::optional<BudgetSum> budgetSum(const OverviewForecast &forecast);

// Blocks and runs on a worker thread; fails as AlertService::forecast() does. Null: no forecast is shown.
using ForecastDesk = std::function<base::Result<services::ForecastAnswer>(const services::ForecastQuery &)>;
ForecastDesk forecastDesk(services::AlertService &alerts); // which must outlive it

LatestQuery<OverviewForecast>::Answer askOverviewForecast(const ForecastDesk &desk, const Scope &scope);

} // namespace gpuledger::ui
