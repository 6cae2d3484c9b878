// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/billing/statementbudgets.h"

#include "app/reports/statement/statement.h"
#include "app/services/alerts/budgetseries.h"
#include "app/services/alerts/forecastanswer.h"
#include "app/services/billing/billingservice.h"
#include "app/services/engine/engine.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace gpuledger::services {

using base::Money;
using base::Result;
using reports::CurrencyStatement;
using reports::Statement;
using reports::StatementBudget;

namespace {

const CurrencyStatement *inCurrency(const Statement &statement, base::Currency currency)
{
    const auto found = std::find_if(statement.currencies.begin(), statement.currencies.end(),
                                    [&](const CurrencyStatement &one) { return one.currency == currency; });
    return found == statement.currencies.end() ? nullptr : &*found;
}

// A team without a line had no cost.
Money spentBy(const CurrencyStatement &currency, const std::string &team)
{
    const auto found = std::find_if(currency.teams.begin(), currency.teams.end(),
                                    [&](const reports::TeamStatement &one) { return one.team == team; });
    return found == currency.teams.end() ? Money(0, currency.currency) : found->total();
}

// The months of the budgets' year before that of the statement, ascending; a report has none.
Result<std::vector<Statement>> earlierStatements(BillingService &billing, const Engine &engine,
                                                 const Statement &statement)
{
    std::vector<Statement> out;
    if (engine.reportMonth())
        return out;
    const auto year = alerts::Period::around(alerts::PeriodKind::Year, base::dayOf(statement.month.range().start),
                                             engine.setup().settings.fiscalYearStarts);
    for (auto month = reports::before(statement.month); month.range().start >= year.begin.start();
         month = reports::before(month)) {
        auto one = billing.statement(month, statement.view, {});
        GPULEDGER_TRY(one);
        out.push_back(std::move(*one));
    }
    std::reverse(out.begin(), out.end());
    return out;
}

std::vector<std::optional<Money>> spentBefore(const std::vector<Statement> &earlier, const alerts::Budget &budget)
{
    std::vector<std::optional<Money>> out;
    for (const Statement &one : earlier) {
        const CurrencyStatement *currency = inCurrency(one, budget.amount.currency());
        const bool isKnown = currency && one.isOver && (currency->hasBill || !one.isCut());
        out.push_back(isKnown ? std::optional(spentBy(*currency, budget.key)) : std::nullopt);
    }
    return out;
}

Result<StatementBudget> budgetBeside(const Money &spent, const alerts::Budget &budget,
                                     const std::vector<Statement> &earlier)
{
    StatementBudget out;
    out.team = budget.key;
    out.amount = budget.amount;
    out.carriesOver = budget.carriesOver;
    out.spent = spent;
    if (budget.carriesOver) {
        const auto carried = alerts::carriedFrom(budget.amount, spentBefore(earlier, budget));
        GPULEDGER_TRY(carried);
        out.carried = *carried;
    }
    const auto available = budget.amount.plus(out.carried.value_or(Money(0, budget.amount.currency())));
    GPULEDGER_TRY(available);
    out.available = *available;
    const auto left = available->minus(spent);
    GPULEDGER_TRY(left);
    out.left = *left;
    out.share = alerts::shareOf(spent, *available);
    return out;
}

// What is left of the month is GPU time; other lines of the statement stay what they are.
Result<void> addForecast(StatementBudget &to, const ForecastAnswer &answer)
{
    const auto row = std::find_if(answer.rows.begin(), answer.rows.end(),
                                  [&](const ScopeForecast &one) { return one.key == to.team; });
    if (row == answer.rows.end())
        return {};
    const alerts::PeriodForecast &forecast = row->forecast;
    const auto other = to.spent.minus(forecast.spent);
    GPULEDGER_TRY(other);
    const auto put = [&](std::optional<Money> &at, const std::optional<Money> &amount) -> Result<void> {
        if (!amount)
            return {};
        const auto sum = amount->plus(*other);
        GPULEDGER_TRY(sum);
        at = *sum;
        return {};
    };
    GPULEDGER_TRY(put(to.expected, forecast.expected));
    GPULEDGER_TRY(put(to.low, forecast.low));
    return put(to.high, forecast.high);
}

// At effective cost: what is not billed yet has no other. std::nullopt: the statement has no forecast.
Result<std::optional<ForecastAnswer>> teamForecasts(const Engine &engine, const Statement &statement)
{
    if (statement.isOver)
        return std::optional<ForecastAnswer>();
    ForecastQuery query;
    query.by = insight::Dimension::Team;
    auto answer = forecastOf(engine, query);
    GPULEDGER_TRY(answer);
    if (answer->period.range() != statement.month.range())
        return std::optional<ForecastAnswer>();
    return std::optional(std::move(*answer));
}

} // namespace

Result<std::vector<StatementBudget>> statementBudgets(BillingService &billing, const Engine &engine,
                                                      const Statement &statement)
{
    const model::Settings &settings = engine.setup().settings;
    std::vector<StatementBudget> out;
    const CurrencyStatement *currency = inCurrency(statement, settings.currency);
    if (!currency || statement.status.state == reports::MonthState::Closed)
        return out;
    std::optional<std::vector<Statement>> earlier;
    for (const model::Budget &configured : settings.budgets) {
        if (configured.by != "team" || !(statement.team.empty() || configured.key == statement.team))
            continue;
        const auto budget = budgetOf(configured, settings);
        GPULEDGER_TRY(budget);
        if (budget->period != alerts::PeriodKind::Month)
            continue;
        if (budget->carriesOver && !earlier) {
            auto before = earlierStatements(billing, engine, statement);
            GPULEDGER_TRY(before);
            earlier = std::move(*before);
        }
        auto one = budgetBeside(spentBy(*currency, budget->key), *budget, earlier.value_or(std::vector<Statement>()));
        GPULEDGER_TRY(one);
        out.push_back(std::move(*one));
    }
    if (out.empty())
        return out;
    const auto forecasts = teamForecasts(engine, statement);
    GPULEDGER_TRY(forecasts);
    for (StatementBudget &one : out) {
        if (*forecasts)
            GPULEDGER_TRY(addForecast(one, **forecasts));
    }
    return out;
}

} // namespace gpuledger::services
