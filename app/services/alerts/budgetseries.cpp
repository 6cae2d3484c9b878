// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/budgetseries.h"

#include "app/services/alerts/accountseries.h"
#include "app/services/alerts/billdays.h"
#include "app/services/alerts/scopeseries.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace gpuledger::services {

using alerts::Budget;
using alerts::ForecastQuestion;
using alerts::Rule;
using alerts::RuleMetric;
using base::Day;
using base::Result;

namespace {

constexpr std::int32_t kEarlierDays = 160; // as for `forecast`

// What was known at the end of `day`; the part of a day only if it is the last one.
ForecastQuestion knownAfter(const ForecastQuestion &question, Day day)
{
    ForecastQuestion out = question;
    const auto days = static_cast<std::size_t>(std::max(0, day.number + 1 - question.past.first.number));
    if (days > question.past.days.size())
        return out;
    if (days < question.past.days.size())
        out.open.clear(); // how complete its bills were then
    out.past.days.resize(days);
    out.today.reset();
    return out;
}

bool isKnownFrom(const ForecastQuestion &question, Day first, Day last)
{
    for (Day day = first; day <= last; ++day.number) {
        const bool isPart = day == question.past.end() && question.today;
        if (!isPart && !question.past.on(day))
            return false;
    }
    return true;
}

Result<std::optional<std::int64_t>> budgetValue(const Rule &rule, const Budget &budget,
                                                const ForecastQuestion &question, Day day)
{
    const auto state = alerts::stateOf(budget, question, day,
                                       rule.metric == RuleMetric::Budget ? alerts::ForecastParts::Spent
                                                                         : alerts::ForecastParts::Expected);
    GPULEDGER_TRY(state);
    const auto share = rule.metric == RuleMetric::Budget ? state->share : state->forecastShare;
    if (!share)
        return std::optional<std::int64_t>();
    const auto nanos = static_cast<std::int64_t>(std::llround(*share * 1e9));
    if (rule.metric == RuleMetric::Budget && !rule.holds(nanos)
        && !isKnownFrom(question, state->forecast.period.begin, day))
        return std::optional<std::int64_t>();
    return std::optional(nanos);
}

Result<std::vector<alerts::Reading>> readingsOfBudget(const Rule &rule, const Budget &budget,
                                                      const ForecastQuestion &question, base::TimeRange range)
{
    std::vector<alerts::Reading> out;
    for (Day day = base::dayOf(range.start); day.start() < range.end; ++day.number) {
        const auto value = budgetValue(rule, budget, knownAfter(question, day), day);
        GPULEDGER_TRY(value);
        out.push_back({std::min(day.end(), range.end), *value});
    }
    return out;
}

// "cost-center=42" for "label:cost-center" and "42"; else the key.
std::string keyOfBudget(const Budget &budget)
{
    const std::size_t colon = budget.by.find(':');
    return colon == std::string::npos ? budget.key : budget.by.substr(colon + 1) + '=' + budget.key;
}

std::string scopeNameOf(const Budget &budget)
{
    if (budget.period == alerts::PeriodKind::Month)
        return keyOfBudget(budget);
    return keyOfBudget(budget) + " (" + std::string(alerts::toString(budget.period)) + ')';
}

// What is unknown because a bill lacks it becomes known later; a reading would settle that day for good.
void leaveUnknownEnd(std::vector<alerts::Reading> &readings)
{
    while (!readings.empty() && !readings.back().nanos)
        readings.pop_back();
}

bool isOfScope(const model::Budget &budget, alerts::RuleScope scope)
{
    switch (scope) {
    case alerts::RuleScope::Label:
        return budget.by.find(':') != std::string::npos;
    case alerts::RuleScope::Model:
        return budget.by == insight::toString(insight::Dimension::GpuModel);
    default:
        return budget.by == alerts::toString(scope);
    }
}

// What the budgets of a rule are for: one dimension, or each label that one is for.
std::set<std::string> dimensionsOf(const model::Settings &settings, alerts::RuleScope scope)
{
    std::set<std::string> out;
    for (const model::Budget &budget : settings.budgets) {
        if (isOfScope(budget, scope))
            out.insert(budget.by);
    }
    return out;
}

} // namespace

Result<Budget> budgetOf(const model::Budget &configured, base::Currency currency)
{
    const auto amount = base::Money::parse(configured.amount, currency);
    GPULEDGER_TRY(amount);
    Budget out;
    out.by = configured.by;
    out.key = configured.key;
    out.period = alerts::periodKindFromString(configured.period).value_or(alerts::PeriodKind::Month);
    out.amount = *amount;
    out.warn = configured.warn;
    out.warnsOfForecast = configured.forecast;
    out.carriesOver = configured.carryOver;
    return out;
}

Result<RuleSeries> budgetSeriesOf(View &view, const Rule &rule, const SeriesQuestion &question,
                                  const model::Settings &settings)
{
    RuleSeries out;
    const base::TimeRange range{question.range.start, std::min(question.range.end, question.covered.end)};
    if (range.empty())
        return out;
    const Day asked = base::dayOf(range.start);
    const Day year = alerts::Period::around(alerts::PeriodKind::Year, asked).begin;
    const Day earliest{std::min(year.number, asked.number - kEarlierDays)};
    const Day first = std::max(base::dayOf(base::ceilTo(question.covered.start, base::kDay)), earliest);
    std::map<std::string, ScopeSeries> series;
    for (const std::string &by : dimensionsOf(settings, rule.scope)) {
        const auto dimension = insight::dimensionFromString(by);
        if (!dimension && by != kByProject)
            continue;
        auto one = by == kByProject
            ? budgetedAccounts(*view.cube, {earliest, range.end, settings, question.fetched})
            : scopeSeriesOf(*view.cube, *view.attribution, {}, *dimension, first, {question.covered.start, range.end},
                            question.fetched, settings.currency);
        GPULEDGER_TRY(one);
        if (rule.metric == RuleMetric::Forecast && question.cache)
            GPULEDGER_TRY(nameOpenDays(*one, *question.cache, model::CostView::Effective));
        series.emplace(by, std::move(*one));
    }
    for (const model::Budget &configured : settings.budgets) {
        const auto of = isOfScope(configured, rule.scope) ? series.find(configured.by) : series.end();
        if (of == series.end())
            continue;
        const auto budget = budgetOf(configured, settings.currency);
        GPULEDGER_TRY(budget);
        const auto found = of->second.scopes.find(budget->key);
        if (found == of->second.scopes.end())
            continue; // it never cost anything
        auto readings = readingsOfBudget(rule, *budget, found->second, range);
        GPULEDGER_TRY(readings);
        if (rule.scope == alerts::RuleScope::Project)
            leaveUnknownEnd(*readings);
        std::string scope = scopeNameOf(*budget);
        for (int n = 2; out.contains(scope); ++n)
            scope = scopeNameOf(*budget) + " (" + std::to_string(n) + ')';
        out.emplace(std::move(scope), std::move(*readings));
    }
    return out;
}

} // namespace gpuledger::services
