// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/budgetseries.h"

#include "app/alerts/forecast/backtest.h"
#include "app/services/alerts/accountseries.h"
#include "app/services/alerts/billdays.h"
#include "app/services/alerts/scopeseries.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace gpuledger::services {

using alerts::Budget;
using alerts::ForecastQuestion;
using alerts::Rule;
using alerts::RuleMetric;
using base::Day;
using base::Result;

namespace {

// What a forecast looks at, so that a day's value is the same whatever time is asked for.
constexpr auto kEarlierDays = static_cast<std::int32_t>(alerts::kMostLookedAt);
constexpr std::size_t kMostWorkers = 4, kLeastOfWorker = 8; // threads for forecasts; budgets for each

// What was known at the end of each day, for days that ascend; the part of a day, and how complete the bills of now
// are, only if it is the last one.
class KnownDays {
public:
    explicit KnownDays(const ForecastQuestion &question)
        : m_all(question)
        , m_known(question)
    {
        m_known.past.days.clear();
        m_known.open.clear();
        m_known.today.reset();
    }
    const ForecastQuestion &after(Day day)
    {
        const auto &all = m_all.past.days;
        const auto wanted = static_cast<std::size_t>(std::max(0, day.number + 1 - m_all.past.first.number));
        auto &days = m_known.past.days;
        for (std::size_t i = days.size(); i < std::min(wanted, all.size()); ++i)
            days.push_back(all[i]);
        if (wanted >= all.size())
            m_known.open = m_all.open;
        if (wanted > all.size())
            m_known.today = m_all.today;
        return m_known;
    }

private:
    const ForecastQuestion &m_all;
    ForecastQuestion m_known;
};

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
                                                const ForecastQuestion &question, Day day, alerts::FitMemo &memo)
{
    const auto state = alerts::stateOf(
        budget, question, day,
        rule.metric == RuleMetric::Budget ? alerts::ForecastParts::Spent : alerts::ForecastParts::Expected, &memo);
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
    KnownDays known(question);
    alerts::FitMemo memo;
    for (Day day = base::dayOf(range.start); day.start() < range.end; ++day.number) {
        const auto value = budgetValue(rule, budget, known.after(day), day, memo);
        GPULEDGER_TRY(value);
        out.push_back({std::min(day.end(), range.end), *value});
    }
    return out;
}

struct BudgetJob {
    Budget budget;
    const ForecastQuestion *question;
    Result<std::vector<alerts::Reading>> readings = std::vector<alerts::Reading>();
};

// Forecasts take most of the time, and each budget has its own.
void runJobs(const Rule &rule, base::TimeRange range, std::vector<BudgetJob> &jobs)
{
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < jobs.size(); i = next++)
            jobs[i].readings = readingsOfBudget(rule, jobs[i].budget, *jobs[i].question, range);
    };
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t workers = std::min({processors, kMostWorkers, jobs.size() / kLeastOfWorker});
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < workers; ++i)
        others.emplace_back(work);
    work();
}

// "cost-center=42" for "label:cost-center" and "42", "node-label:rack=7" for "node-label:rack" and "7"; else the key.
std::string keyOfBudget(const Budget &budget)
{
    constexpr std::string_view kWorkloadLabel = "label:";
    if (budget.by.find(':') == std::string::npos)
        return budget.key;
    const std::size_t left = budget.by.starts_with(kWorkloadLabel) ? kWorkloadLabel.size() : 0;
    return budget.by.substr(left) + '=' + budget.key;
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

std::string budgetScopeOf(const Budget &budget)
{
    if (budget.period == alerts::PeriodKind::Month)
        return keyOfBudget(budget);
    return keyOfBudget(budget) + " (" + std::string(alerts::toString(budget.period)) + ')';
}

Result<Budget> budgetOf(const model::Budget &configured, const model::Settings &settings)
{
    const auto amount = base::Money::parse(configured.amount, settings.currency);
    GPULEDGER_TRY(amount);
    Budget out;
    out.by = configured.by;
    out.key = configured.key;
    out.period = alerts::periodKindFromString(configured.period).value_or(alerts::PeriodKind::Month);
    out.amount = *amount;
    out.yearStarts = settings.fiscalYearStarts;
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
    const Day year = alerts::Period::around(alerts::PeriodKind::Year, asked, settings.fiscalYearStarts).begin;
    const Day earliest{std::min(year.number, asked.number - kEarlierDays)};
    const Day first = std::max(base::dayOf(base::ceilTo(question.covered.start, base::kDay)), earliest);
    // A replay that ends earlier does not know how complete the bills of its last days were then.
    const bool endsNow = question.covered.end - range.end < base::kDay;
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
        if (rule.metric == RuleMetric::Forecast && question.cache && endsNow)
            GPULEDGER_TRY(nameOpenDays(*one, *question.cache, model::CostView::Effective));
        series.emplace(by, std::move(*one));
    }
    std::vector<BudgetJob> jobs;
    for (const model::Budget &configured : settings.budgets) {
        const auto of = isOfScope(configured, rule.scope) ? series.find(configured.by) : series.end();
        if (of == series.end())
            continue;
        auto budget = budgetOf(configured, settings);
        GPULEDGER_TRY(budget);
        const auto found = of->second.scopes.find(budget->key);
        if (found != of->second.scopes.end()) // otherwise it never cost anything
            jobs.push_back({std::move(*budget), &found->second});
    }
    runJobs(rule, range, jobs);
    for (BudgetJob &job : jobs) {
        GPULEDGER_TRY(job.readings);
        if (rule.scope == alerts::RuleScope::Project)
            leaveUnknownEnd(*job.readings);
        std::string scope = budgetScopeOf(job.budget);
        for (int n = 2; out.contains(scope); ++n)
            scope = budgetScopeOf(job.budget) + " (" + std::to_string(n) + ')';
        out.emplace(std::move(scope), std::move(*job.readings));
    }
    return out;
}

} // namespace gpuledger::services
