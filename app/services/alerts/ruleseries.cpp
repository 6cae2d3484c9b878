// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/ruleseries.h"

#include "app/services/alerts/series/rulecells.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuledger::services {

using alerts::Rule;
using alerts::RuleMetric;
using alerts::RuleScope;
using alerts::RuleUnit;
using base::Result;

namespace {

constexpr base::Seconds kHour{3600};
constexpr std::int64_t kHoursPerDay = 24;
constexpr std::int64_t kTicksPerHour = base::GpuTime::kTicksPerSecond * 3600;
constexpr double kNanosPerOne = 1e9;
constexpr double kLeastFetchedHour = 0.9;
constexpr auto kCellsPerHour = static_cast<std::size_t>(kHour / base::kCell);

// What a value is made of: see CellColumn.
struct Sums {
    std::int64_t part = 0, whole = 0;
    std::int64_t paid = 0, unobserved = 0, unpriced = 0;
};

struct HourValue {
    std::optional<std::int64_t> nanos; // std::nullopt: unknown, or nothing was there
    bool nothing = false;
};

// The sums of one hour as a value.
Result<HourValue> hourValue(const Rule &rule, const Sums &hour, double observed)
{
    using Value = HourValue;
    const bool isCoverage = rule.metric == RuleMetric::AttributionCoverage;
    const bool isMoney = rule.bound.unit == RuleUnit::MoneyPerDay || isCoverage;
    const auto paid = static_cast<double>(hour.paid);
    if (!isCoverage && static_cast<double>(hour.paid - hour.unobserved) < observed * paid)
        return Value();
    if (isMoney && hour.unpriced > hour.paid / 2)
        return Value();
    const auto part = static_cast<double>(hour.part);
    switch (rule.bound.unit) {
    case RuleUnit::MoneyPerDay: {
        std::int64_t perDay = 0;
        if (__builtin_mul_overflow(hour.part, kHoursPerDay, &perDay))
            return base::fail(base::ErrorCode::Overflow, "the cost per day of an alert does not fit into 64 bits");
        return Value{perDay};
    }
    case RuleUnit::HoursPerDay:
        return Value{std::llround(part / static_cast<double>(kTicksPerHour) * kHoursPerDay * kNanosPerOne)};
    case RuleUnit::Gpus:
        return Value{std::llround(part / static_cast<double>(kTicksPerHour) * kNanosPerOne)};
    default:
        break;
    }
    if (hour.whole <= 0) // nothing was held, or cost anything
        return Value{std::nullopt, true};
    return Value{std::llround(part / static_cast<double>(hour.whole) * kNanosPerOne)};
}

Result<std::vector<alerts::Reading>> readingsOfCells(const Rule &rule, const ScopeCells &cells, base::UtcTime start,
                                                     const std::vector<char> &known, double observed)
{
    const RuleColumns columns = columnsOf(rule).value_or(RuleColumns());
    std::vector<std::pair<std::int64_t Sums::*, const std::vector<std::int64_t> *>> sums;
    const auto take = [&](std::int64_t Sums::*sum, CellColumn column) {
        if (const auto &values = cells[static_cast<std::size_t>(column)]; !values.empty())
            sums.emplace_back(sum, &values);
    };
    take(&Sums::part, columns.part);
    if (columns.whole)
        take(&Sums::whole, *columns.whole);
    take(&Sums::paid, CellColumn::Paid);
    take(&Sums::unobserved, CellColumn::Unobserved);
    take(&Sums::unpriced, CellColumn::Unpriced);
    std::vector<alerts::Reading> out;
    out.reserve(known.size());
    Sums hour;
    for (std::size_t i = 0; i < known.size(); ++i) {
        for (const auto &[sum, values] : sums) {
            hour.*sum += (*values)[i];
            if (i >= kCellsPerHour)
                hour.*sum -= (*values)[i - kCellsPerHour];
        }
        if (i + 1 < kCellsPerHour)
            continue;
        alerts::Reading reading{start + static_cast<std::int64_t>(i + 1) * base::kCell, std::nullopt};
        if (known[i] != 0) {
            const auto value = hourValue(rule, hour, observed);
            GPULEDGER_TRY(value);
            reading.nanos = value->nanos;
            reading.nothing = value->nothing;
        }
        out.push_back(reading);
    }
    return out;
}

} // namespace

bool isHourFetched(base::UtcTime end, const SeriesQuestion &question)
{
    const base::TimeRange hour{end - kHour, end};
    if (end > question.covered.end)
        return false;
    return std::all_of(question.fetched.begin(), question.fetched.end(), [&](const store::FetchedRanges &source) {
        return source.ranges.empty() || hour.start < source.ranges.front().start
            || source.shareOf(hour) >= kLeastFetchedHour;
    });
}

Result<RuleSeries> ruleSeriesOf(View &view, const Rule &rule, const SeriesQuestion &question)
{
    RuleCells own({&rule, question.cells ? 0U : 1U}, question.range);
    RuleCells &shared = question.cells ? *question.cells : own;
    const base::TimeRange cells = shared.cells();
    RuleSeries out;
    if (cells.empty())
        return out;
    const auto scopes = shared.of(view, rule.scope);
    GPULEDGER_TRY(scopes);
    std::vector<char> known;
    for (base::UtcTime end = cells.start + base::kCell; end <= cells.end; end += base::kCell)
        known.push_back(isHourFetched(end, question) ? 1 : 0);
    const auto addScope = [&](const std::string &scope, const ScopeCells &of) -> Result<void> {
        auto readings = readingsOfCells(rule, of, cells.start, known, question.observed);
        GPULEDGER_TRY(readings);
        out.emplace(scope, std::move(*readings));
        return {};
    };
    for (const auto &[scope, of] : **scopes)
        GPULEDGER_TRY(addScope(scope, of));
    std::vector<std::string> others = question.scopes; // that held nothing
    if (rule.scope == RuleScope::All)
        others.emplace_back("all");
    for (const std::string &scope : others) {
        if (!out.contains(scope))
            GPULEDGER_TRY(addScope(scope, {}));
    }
    return out;
}

} // namespace gpuledger::services
