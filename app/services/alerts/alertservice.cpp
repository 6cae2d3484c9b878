// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/alertservice.h"

#include "app/alerts/forecast/backtest.h"
#include "app/services/alerts/accountseries.h"
#include "app/services/alerts/billdays.h"
#include "app/services/alerts/budgetseries.h"
#include "app/services/alerts/forecastanswer.h"
#include "app/services/alerts/scopeseries.h"
#include "app/services/engine/engine.h"
#include "app/services/fleet/fleetservice.h"
#include "app/store/months/monthstore.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using alerts::Period;
using alerts::PeriodKind;
using base::Result;

namespace {

constexpr auto kPastDays = static_cast<std::int32_t>(alerts::kMostLookedAt);

// Those of the dimension, unless the filter would show only a part of their spend.
Result<std::vector<alerts::Budget>> budgetsFor(const model::Settings &settings, const ForecastQuery &query)
{
    std::vector<alerts::Budget> out;
    const std::string by = query.byProject ? std::string(kByProject) : insight::toString(query.by);
    for (const auto *part : {&query.filter.include, &query.filter.exclude}) {
        for (const auto &entry : *part) {
            if (entry.first != query.by)
                return out;
        }
    }
    for (const model::Budget &one : settings.budgets) {
        if (one.by != by || !query.filter.matches(query.by, one.key))
            continue;
        auto budget = budgetOf(one, settings);
        GPULEDGER_TRY(budget);
        out.push_back(std::move(*budget));
    }
    return out;
}

// Budgets carry over within their year.
base::Day earliestDay(base::Day today, int yearStarts)
{
    const base::Day year = Period::around(PeriodKind::Year, today, yearStarts).begin;
    return base::Day{std::min(year.number, today.number - kPastDays)};
}

base::Day firstDay(base::Day today, base::TimeRange covered, int yearStarts)
{
    return std::max(earliestDay(today, yearStarts), base::dayOf(base::ceilTo(covered.start, base::kDay)));
}

// What was fetched of the sources that a day needs to be known. One that is no longer configured is not expected to
// tell anything after its last moment; and a day that a bill does not cover yet has no price.
std::vector<store::FetchedRanges> expectedOf(const Engine &engine, const std::vector<store::FetchedRanges> &fetched,
                                             base::UtcTime end)
{
    const auto &sources = engine.setup().settings.sources;
    std::vector<store::FetchedRanges> out;
    for (store::FetchedRanges one : fetched) {
        const auto source = std::find_if(sources.begin(), sources.end(),
                                         [&](const model::SourceSettings &s) { return s.name == one.source; });
        if (source != sources.end() && source->mayRead && !engine.kindOf(*source).tellsTelemetry())
            continue;
        if (!one.ranges.empty() && (source == sources.end() || !source->mayRead))
            one.ranges.push_back({one.ranges.back().end, std::max(one.ranges.back().end, end)});
        out.push_back(std::move(one));
    }
    return out;
}

Result<ScopeForecast> scopeOf(std::string key, const alerts::ForecastQuestion &question, const Period &period,
                              const std::vector<alerts::Budget> &budgets, base::Day today)
{
    ScopeForecast out;
    out.key = std::move(key);
    const auto forecast = alerts::forecastPeriod(question, period);
    GPULEDGER_TRY(forecast);
    out.forecast = *forecast;
    auto usual = alerts::suggestedFromHistory(question.past, period.kind, question.currency, period.yearStarts);
    GPULEDGER_TRY(usual);
    out.usual = std::move(*usual);
    for (const alerts::Budget &budget : budgets) {
        if (budget.key != out.key)
            continue;
        const auto state = alerts::stateOf(budget, question, today);
        GPULEDGER_TRY(state);
        out.budgets.emplace_back(budget, *state);
    }
    return out;
}

// A scope that never cost anything: zero on every day that is known.
alerts::ForecastQuestion emptyLike(const alerts::ForecastQuestion &total)
{
    alerts::ForecastQuestion out = total;
    for (auto &day : out.past.days)
        day = day ? std::optional<std::int64_t>(0) : std::nullopt;
    out.past.partly.clear();
    out.open.clear();
    if (out.today)
        out.today->nanos = 0;
    return out;
}

alerts::ForecastQuestion unknownLike(const alerts::ForecastQuestion &total)
{
    alerts::ForecastQuestion out = total;
    std::fill(out.past.days.begin(), out.past.days.end(), std::nullopt);
    out.past.partly.clear();
    out.today.reset();
    return out;
}

// The bands of the scopes learn from each other.
void shareErrors(ScopeSeries &series, const Period &period)
{
    std::vector<const alerts::ForecastQuestion *> all;
    for (const auto &[key, question] : series.scopes)
        all.push_back(&question);
    const auto others = alerts::missedBy(all, period);
    series.total.others = others;
    for (auto &[key, question] : series.scopes)
        question.others = others;
}

struct ForecastMoment {
    base::UtcTime end; // of what is looked at
    base::Day today;
};

struct ForecastScopes {
    ScopeSeries series;
    std::map<std::string, std::string> names; // of accounts, by key
};

// Calls budgets by the keys of their accounts.
Result<ForecastScopes> projectsFor(const Engine &engine, const ForecastQuery &query, View &view,
                                   const ForecastMoment &moment, const std::vector<store::FetchedRanges> &fetched,
                                   std::vector<alerts::Budget> &budgets)
{
    if (!query.filter.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "a forecast by project can't have a filter");
    const model::Settings &settings = engine.setup().settings;
    auto accounts = accountSeriesOf(
        *view.cube, {earliestDay(moment.today, settings.fiscalYearStarts), moment.end, settings, fetched, query.cost});
    GPULEDGER_TRY(accounts);
    auto &scopes = accounts->series.scopes;
    const bool hasBills = std::any_of(scopes.begin(), scopes.end(), [](const auto &one) { return !one.first.empty(); });
    for (alerts::Budget &budget : budgets) {
        auto key = accounts->keyOf(budget.key);
        GPULEDGER_TRY(key);
        budget.key = std::move(*key);
        if (!hasBills)
            scopes.try_emplace(budget.key, unknownLike(accounts->series.total));
    }
    GPULEDGER_TRY(nameOpenDays(accounts->series, engine.cache(), query.cost));
    if (const auto none = scopes.find(""); none != scopes.end())
        none->second.open.clear(); // it is on no bill
    return ForecastScopes{std::move(accounts->series), std::move(accounts->names)};
}

Result<ForecastScopes> scopesFor(const Engine &engine, const ForecastQuery &query, View &view,
                                 const ForecastMoment &moment, const std::vector<store::FetchedRanges> &fetched)
{
    const auto covered = view.facts->coveredRange();
    GPULEDGER_TRY(covered);
    const base::TimeRange data{covered->start, std::min(covered->end, moment.end)};
    const model::Settings &settings = engine.setup().settings;
    const base::Day first = covered->empty() ? moment.today : firstDay(moment.today, data, settings.fiscalYearStarts);
    auto series =
        scopeSeriesOf(*view.cube, *view.attribution, query.filter, query.by, first, data, fetched, settings.currency);
    GPULEDGER_TRY(series);
    GPULEDGER_TRY(nameOpenDays(*series, engine.cache(), query.cost));
    return ForecastScopes{std::move(*series), {}};
}

ForecastMoment momentOf(const Engine &engine)
{
    const base::UtcTime now = engine.clock().now();
    const auto month = engine.reportMonth();
    const base::UtcTime end = month ? std::min(now, month->range().end) : now;
    return {end, base::dayOf(end - base::Seconds{month ? 1 : 0})};
}

} // namespace

Result<ForecastAnswer> AlertService::forecast(const ForecastQuery &query)
{
    const ForecastMoment moment = momentOf(m_engine);
    const Period period = Period::around(query.period, moment.today, m_engine.setup().settings.fiscalYearStarts);
    auto reach = m_fleet.reach({period.begin.start(), moment.end}); // before the view, so that it is never newer
    GPULEDGER_TRY(reach);
    auto out = forecastOf(m_engine, query);
    GPULEDGER_TRY(out);
    out->reach = std::move(*reach);
    return out;
}

Result<ForecastAnswer> forecastOf(const Engine &engine, const ForecastQuery &query)
{
    const Setup &setup = engine.setup();
    const ForecastMoment moment = momentOf(engine);
    const base::Day today = moment.today;
    ForecastAnswer out;
    out.period = Period::around(query.period, today, setup.settings.fiscalYearStarts);
    out.currency = setup.settings.currency;
    const auto fetched = engine.cache().months().fetched();
    GPULEDGER_TRY(fetched);
    auto budgets = budgetsFor(setup.settings, query);
    GPULEDGER_TRY(budgets);
    auto view = viewOf(engine.cache(), *setup.ledger, query.cost);
    GPULEDGER_TRY(view);
    const auto expected = expectedOf(engine, *fetched, moment.end);
    auto scopes = query.byProject ? projectsFor(engine, query, *view, moment, expected, *budgets)
                                  : scopesFor(engine, query, *view, moment, expected);
    GPULEDGER_TRY(scopes);
    ScopeSeries &series = scopes->series;
    shareErrors(series, out.period);
    for (const alerts::Budget &budget : *budgets)
        series.scopes.try_emplace(budget.key, emptyLike(series.total));
    auto total = scopeOf("total", series.total, out.period, {}, today);
    GPULEDGER_TRY(total);
    out.total = std::move(*total);
    for (const auto &[key, question] : series.scopes) {
        auto row = scopeOf(key, question, out.period, *budgets, today);
        GPULEDGER_TRY(row);
        if (const auto name = scopes->names.find(key); name != scopes->names.end())
            row->name = name->second;
        out.rows.push_back(std::move(*row));
    }
    std::stable_sort(out.rows.begin(), out.rows.end(), [](const ScopeForecast &a, const ScopeForecast &b) {
        const auto &x = a.forecast.expected, &y = b.forecast.expected;
        return x && (!y || x->nanos() > y->nanos());
    });
    return out;
}

} // namespace gpuledger::services
