// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/anomalyseries.h"

#include "app/insight/query/measuresums.h"
#include "app/services/alerts/scopeseries.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace gpuledger::services {

using alerts::RuleMetric;
using alerts::RuleScope;
using base::Day;
using base::Result;
using insight::Dimension;
using insight::MeasureSums;
using store::Measure;

namespace {

constexpr std::int32_t kBaselineDays = 63; // eight weeks, and one more to see a change of level
constexpr double kLeastFetchedDay = 0.9, kNanosPerScore = 1e9, kMostScore = 1e6;

alerts::AnomalySeason seasonOf(RuleMetric metric)
{
    alerts::AnomalySeason season;
    season.floor = metric == RuleMetric::AnomalyCost ? kCostFloor : kUtilizationFloor;
    return season;
}

Dimension dimensionOfScope(RuleScope scope)
{
    return scope == RuleScope::Cluster ? Dimension::Cluster : Dimension::Team;
}

std::vector<double> dailyCosts(const alerts::DailySeries &past)
{
    std::vector<double> out;
    for (const auto &day : past.days)
        out.push_back(day ? static_cast<double>(*day) / static_cast<double>(base::Money::kNanosPerUnit)
                          : alerts::kUnknownDay);
    return out;
}

// Days that are over, by scope.
using DailyValues = std::map<std::string, std::vector<double>>;

Result<DailyValues> costsOf(View &view, RuleScope scope, base::TimeRange data, const SeriesQuestion &question,
                            base::Currency currency)
{
    const auto series = scopeSeriesOf(*view.cube, *view.attribution, {}, dimensionOfScope(scope),
                                      base::dayOf(data.start), data, question.fetched, currency);
    GPULEDGER_TRY(series);
    DailyValues out;
    if (scope == RuleScope::All) {
        out.emplace("all", dailyCosts(series->total.past));
        return out;
    }
    for (const auto &[key, of] : series->scopes)
        out.emplace(key, dailyCosts(of.past));
    return out;
}

double utilizationOf(const MeasureSums &day, double observed)
{
    const auto seen = static_cast<double>(day.time().observedHeld().ticks);
    const auto held = static_cast<double>(day.time().held().ticks);
    if (seen <= 0 || seen < observed * held)
        return alerts::kUnknownDay;
    return static_cast<double>(day[Measure::ActivityTicks]) / seen;
}

bool isDayFetched(Day day, const std::vector<store::FetchedRanges> &fetched)
{
    return std::all_of(fetched.begin(), fetched.end(), [&](const store::FetchedRanges &source) {
        return source.ranges.empty() || day.start() < source.ranges.front().start
            || source.shareOf({day.start(), day.end()}) >= kLeastFetchedDay;
    });
}

// `data`: whole days.
Result<DailyValues> utilizationsOf(View &view, RuleScope scope, base::TimeRange data, const SeriesQuestion &question)
{
    static const std::vector<Measure> kOfUse{Measure::ActivityTicks, Measure::ActiveTicks, Measure::IdleTicks,
                                             Measure::UnobservedHeldTicks};
    const Day first = base::dayOf(data.start);
    const auto width = static_cast<std::size_t>(data.length() / base::kDay);
    std::map<std::string, std::vector<MeasureSums>> sums;
    std::vector<insight::CellKey> keys;
    GPULEDGER_TRY(
        insight::visitRows(*view.cube, *view.attribution, {data, {}}, {dimensionOfScope(scope)}, kOfUse, keys,
                           [&](std::size_t key, Day day, int, Measure measure, std::span<const std::int64_t> amounts) {
                               auto &days = sums[scope == RuleScope::All ? "all" : keys[key].front()];
                               days.resize(width);
                               days[static_cast<std::size_t>(day.number - first.number)][measure] +=
                                   std::accumulate(amounts.begin(), amounts.end(), std::int64_t{0});
                           }));
    DailyValues out;
    for (const auto &[key, days] : sums) {
        std::vector<double> &values = out[key];
        for (std::size_t i = 0; i < width; ++i)
            values.push_back(isDayFetched(Day{first.number + static_cast<std::int32_t>(i)}, question.fetched)
                                 ? utilizationOf(days[i], question.observed)
                                 : alerts::kUnknownDay);
    }
    return out;
}

} // namespace

std::optional<std::string> eventTeamOf(const alerts::Rule &rule, const std::string &scope)
{
    return rule.scope == RuleScope::Team ? std::optional(scope) : std::nullopt;
}

std::vector<alerts::Reading> anomalyReadings(std::vector<double> values, Day first, Day from, RuleMetric metric,
                                             const alerts::EventCalendar &events,
                                             const std::optional<std::string> &team)
{
    std::vector<char> isInEvent;
    for (std::size_t i = 0; i < values.size(); ++i) {
        isInEvent.push_back(events.on(Day{first.number + static_cast<std::int32_t>(i)}, team) ? 1 : 0);
        if (isInEvent[i] != 0)
            values[i] = alerts::kUnknownDay;
    }
    const std::vector<double> scores = alerts::anomalyScores(values, seasonOf(metric));
    const double sign = metric == RuleMetric::AnomalyCost ? 1 : -1;
    std::vector<alerts::Reading> out;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const Day day{first.number + static_cast<std::int32_t>(i)};
        if (day < from)
            continue;
        alerts::Reading reading{day.end(), std::nullopt, isInEvent[i] != 0};
        if (!std::isnan(scores[i]))
            reading.nanos = std::llround(std::clamp(sign * scores[i], -kMostScore, kMostScore) * kNanosPerScore);
        out.push_back(reading);
    }
    return out;
}

Result<RuleSeries> anomalySeriesOf(View &view, const alerts::Rule &rule, const SeriesQuestion &question,
                                   base::Currency currency)
{
    RuleSeries out;
    const Day from = base::dayOf(question.range.start);
    const base::UtcTime wanted = from.start() - kBaselineDays * base::kDay;
    const base::UtcTime begin = std::max(wanted, base::ceilTo(question.covered.start, base::kDay));
    const base::TimeRange data{begin, base::floorTo(std::min(question.range.end, question.covered.end), base::kDay)};
    if (data.empty())
        return out;
    const auto values = rule.metric == RuleMetric::AnomalyCost ? costsOf(view, rule.scope, data, question, currency)
                                                               : utilizationsOf(view, rule.scope, data, question);
    GPULEDGER_TRY(values);
    for (const auto &[scope, days] : *values)
        out.emplace(
            scope,
            anomalyReadings(days, base::dayOf(begin), from, rule.metric, question.events, eventTeamOf(rule, scope)));
    return out;
}

} // namespace gpuledger::services
