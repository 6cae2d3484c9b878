// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/overview/overviewforecast.h"

#include "app/services/alerts/alertservice.h"

#include <algorithm>
#include <memory>

namespace gpuledger::ui {

namespace {

const TeamBudget *monthlyBudget(const services::ScopeForecast &team)
{
    const auto found = std::find_if(team.budgets.begin(), team.budgets.end(), [](const TeamBudget &one) {
        return one.first.period == alerts::PeriodKind::Month;
    });
    return found == team.budgets.end() ? nullptr : &*found;
}

bool addBudgetMoney(base::Money &sum, const base::Money &amount)
{
    const auto more = sum.plus(amount);
    if (more)
        sum = *more;
    return more.has_value();
}

} // namespace

const services::ScopeForecast *OverviewForecast::of(const std::string &team) const
{
    const auto found = std::find_if(answer.rows.begin(), answer.rows.end(),
                                    [&](const services::ScopeForecast &row) { return row.key == team; });
    return found == answer.rows.end() ? nullptr : &*found;
}

const TeamBudget *shownBudget(const services::ScopeForecast &team)
{
    const auto shortest =
        std::min_element(team.budgets.begin(), team.budgets.end(), [](const TeamBudget &a, const TeamBudget &b) {
            return a.first.period < b.first.period; // in the order of the enumeration
        });
    return shortest == team.budgets.end() ? nullptr : &*shortest;
}

std::optional<double> BudgetSum::share() const
{
    if (available.nanos() <= 0)
        return std::nullopt;
    return static_cast<double>(expected.nanos()) / static_cast<double>(available.nanos());
}

std::optional<BudgetSum> budgetSum(const OverviewForecast &forecast)
{
    BudgetSum out;
    for (const services::ScopeForecast &team : forecast.answer.rows) {
        const TeamBudget *budget = monthlyBudget(team);
        if (!budget) {
            const auto &expected = team.forecast.expected;
            out.isOfAll = out.isOfAll && !(expected && expected->nanos() > 0);
            continue;
        }
        const auto &[configured, state] = *budget;
        if (!state.forecast.expected || !addBudgetMoney(out.amount, configured.amount)
            || !addBudgetMoney(out.available, state.available)
            || !addBudgetMoney(out.expected, *state.forecast.expected))
            return std::nullopt;
        ++out.teams;
    }
    return out.teams > 0 ? std::optional(out) : std::nullopt;
}

ForecastDesk forecastDesk(services::AlertService &alerts)
{
    return [&alerts](const services::ForecastQuery &query) { return alerts.forecast(query); };
}

LatestQuery<OverviewForecast>::Answer askOverviewForecast(const ForecastDesk &desk, const Scope &scope)
{
    services::ForecastQuery query;
    query.filter = scope.filter;
    query.by = insight::Dimension::Team;
    query.cost = scope.cost;
    auto answer = desk(query);
    GPULEDGER_TRY(answer);
    auto out = std::make_shared<OverviewForecast>();
    out->filter = scope.filter;
    out->cost = scope.cost;
    out->answer = std::move(*answer);
    return out;
}

} // namespace gpuledger::ui
