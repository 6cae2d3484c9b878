// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/text.h"
#include "app/insight/query/measuresums.h"
#include "app/insight/spend/rategroups.h"
#include "app/services/alerts/series/anomalyseries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gpuledger::services {

using alerts::RuleMetric;
using alerts::RuleScope;
using base::Day;
using base::Result;
using insight::MeasureSums;
using store::Measure;

namespace {

constexpr std::int32_t kDriverWeeks = 8, kDaysOfWeek = 7;
constexpr std::size_t kMostWorkloads = 3, kLongestDriverName = 80;
constexpr std::int64_t kNanosPerDriverCent = 10'000'000;
constexpr double kTicksOfDriverHour = 3600.0 * base::GpuTime::kTicksPerSecond;

insight::Filter driverFilter(RuleScope scope, const std::string &key)
{
    insight::Filter out;
    if (scope != RuleScope::All)
        out.include[scope == RuleScope::Cluster ? insight::Dimension::Cluster : insight::Dimension::Team] = {key};
    return out;
}

// To whole cents.
std::string driverAmount(std::int64_t nanos, base::Currency currency)
{
    const std::int64_t half = nanos < 0 ? -kNanosPerDriverCent / 2 : kNanosPerDriverCent / 2;
    const std::int64_t cents = (nanos + half) / kNanosPerDriverCent;
    std::string text = base::Money(cents * kNanosPerDriverCent, currency).toDecimal();
    text.erase(text.find('.') + 3); // of nine decimals
    return text + ' ' + std::string(currency.code());
}

std::string signedDriverAmount(std::int64_t nanos, base::Currency currency)
{
    return (nanos < 0 ? "" : "+") + driverAmount(nanos, currency);
}

std::string signedDriverHours(std::int64_t ticks)
{
    const std::int64_t tenths = std::llround(static_cast<double>(ticks) / kTicksOfDriverHour * 10);
    return (tenths < 0 ? "-" : "+") + std::to_string(std::abs(tenths) / 10) + '.'
        + std::to_string(std::abs(tenths) % 10) + " h";
}

std::string driverPercent(double share)
{
    return std::to_string(std::llround(share * 100)) + " %";
}

std::string driverDate(Day day)
{
    return base::toRfc3339(day.start()).substr(0, 10);
}

MeasureSums sumOfDay(const insight::RateSums &day)
{
    MeasureSums out;
    for (const auto &entry : day)
        out += entry.second;
    return out;
}

// What the metric says of a day; std::nullopt: nothing is known of it.
std::optional<double> metricOfDay(RuleMetric metric, const MeasureSums &day)
{
    if (metric == RuleMetric::AnomalyUtilization)
        return day.utilization();
    if (insight::pricedTicks(day) <= 0)
        return std::nullopt;
    return static_cast<double>(day.cost().total());
}

using WeekDays = std::map<Day, insight::RateSums>;

// The day and the same weekday of the weeks before it.
Result<WeekDays> weekDaysOf(View &view, const insight::Filter &filter, Day day)
{
    WeekDays out;
    std::vector<insight::CellKey> keys;
    const base::TimeRange range{Day{day.number - kDriverWeeks * kDaysOfWeek}.start(), day.end()};
    GPULEDGER_TRY(insight::visitCells(*view.cube, *view.attribution, {range, filter}, insight::rateDimensions(),
                                      insight::allMeasures(), keys,
                                      [&](std::size_t key, Day at, int, Measure measure, std::int64_t amount) {
                                          if ((day.number - at.number) % kDaysOfWeek == 0)
                                              out[at][keys[key]][measure] += amount;
                                      }));
    return out;
}

// The earlier day with the median of the metric; of two, the one with less. std::nullopt: there is none.
std::optional<Day> usualDay(const WeekDays &days, RuleMetric metric, Day day, const alerts::EventCalendar &events,
                            const std::optional<std::string> &team)
{
    std::vector<std::pair<double, Day>> earlier;
    for (const auto &[at, sums] : days) {
        const auto value = metricOfDay(metric, sumOfDay(sums));
        if (at < day && value && !events.on(at, team))
            earlier.emplace_back(*value, at);
    }
    if (earlier.empty())
        return std::nullopt;
    std::sort(earlier.begin(), earlier.end());
    return earlier[(earlier.size() - 1) / 2].second;
}

struct WorkloadChange {
    std::string name;
    std::int64_t amount = 0; // nanos, or idle ticks
};

Result<std::vector<WorkloadChange>> changedWorkloads(View &view, const insight::Filter &filter, RuleMetric metric,
                                                     Day day, Day usual)
{
    std::map<std::string, std::int64_t> sums;
    for (const auto &[at, sign] : {std::pair(day, 1), std::pair(usual, -1)}) {
        std::map<std::string, MeasureSums> workloads;
        std::vector<insight::CellKey> keys;
        GPULEDGER_TRY(insight::visitCells(*view.cube, *view.attribution, {{at.start(), at.end()}, filter},
                                          {insight::Dimension::Workload}, insight::allMeasures(), keys,
                                          [&](std::size_t key, Day, int, Measure measure, std::int64_t amount) {
                                              workloads[keys[key].front()][measure] += amount;
                                          }));
        for (const auto &[name, of] : workloads)
            sums[name] += sign * (metric == RuleMetric::AnomalyCost ? of.cost().total() : of[Measure::IdleTicks]);
    }
    std::vector<WorkloadChange> out;
    for (const auto &[name, amount] : sums) {
        if (amount != 0 && !name.empty())
            out.push_back({name, amount});
    }
    std::stable_sort(out.begin(), out.end(), [](const WorkloadChange &a, const WorkloadChange &b) {
        return std::abs(a.amount) > std::abs(b.amount);
    });
    out.resize(std::min(out.size(), kMostWorkloads));
    return out;
}

std::vector<std::string> costDrivers(const insight::RateSums &before, const insight::RateSums &after, Day usual,
                                     base::Currency currency)
{
    const insight::CostChange change = insight::explainChange(insight::costGroups(before, after));
    const auto part = [&](std::string_view name, std::int64_t nanos) {
        return std::string(name) + ' ' + signedDriverAmount(nanos, currency);
    };
    return {driverAmount(change.after, currency) + ", " + signedDriverAmount(change.after - change.before, currency)
                + " against " + driverDate(usual),
            part("price", change.price) + ", " + part("hours", change.hours) + ", " + part("mix", change.mix) + ", "
                + part("efficiency", change.efficiency)};
}

} // namespace

Result<std::vector<std::string>> anomalyDriversOf(View &view, const alerts::Rule &rule, const std::string &scope,
                                                  base::UtcTime end, const SeriesQuestion &question,
                                                  base::Currency currency)
{
    const Day day{base::dayOf(end).number - 1};
    const insight::Filter filter = driverFilter(rule.scope, scope);
    std::vector<std::string> out;
    auto days = weekDaysOf(view, filter, day);
    GPULEDGER_TRY(days);
    const auto usual = usualDay(*days, rule.metric, day, question.events, eventTeamOf(rule, scope));
    const auto now = metricOfDay(rule.metric, sumOfDay((*days)[day]));
    if (!usual || !now)
        return out;
    const bool isCost = rule.metric == RuleMetric::AnomalyCost;
    if (isCost)
        out = costDrivers((*days)[*usual], (*days)[day], *usual, currency);
    else
        out.push_back(driverPercent(*now) + ", " + driverPercent(*sumOfDay((*days)[*usual]).utilization()) + " on "
                      + driverDate(*usual));
    const auto changed = changedWorkloads(view, filter, rule.metric, day, *usual);
    GPULEDGER_TRY(changed);
    for (const WorkloadChange &one : *changed)
        out.push_back(base::printable(one.name, kLongestDriverName) + ": "
                      + (isCost ? signedDriverAmount(one.amount, currency) : signedDriverHours(one.amount) + " idle"));
    return out;
}

} // namespace gpuledger::services
