// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/ruleseries.h"

#include "app/insight/query/measuresums.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/store/facts/measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace gpuledger::services {

using alerts::Rule;
using alerts::RuleMetric;
using alerts::RuleScope;
using alerts::RuleUnit;
using base::Result;
using insight::Dimension;
using store::Measure;

namespace {

constexpr base::Seconds kHour{3600};
constexpr std::int64_t kHoursPerDay = 24;
constexpr std::int64_t kTicksPerHour = base::GpuTime::kTicksPerSecond * 3600;
constexpr double kNanosPerOne = 1e9;
constexpr double kLeastFetchedHour = 0.9;
constexpr auto kCellsPerHour = static_cast<std::size_t>(kHour / base::kCell);

// What a value is made of; ticks, but for the nanos of a cost.
struct Sums {
    std::int64_t part = 0, whole = 0;
    std::int64_t paid = 0, unobserved = 0, unpriced = 0;

    void add(const Sums &o, std::int64_t sign)
    {
        part += sign * o.part;
        whole += sign * o.whole;
        paid += sign * o.paid;
        unobserved += sign * o.unobserved;
        unpriced += sign * o.unpriced;
    }
};

bool isIn(Measure measure, std::initializer_list<Measure> some)
{
    return std::find(some.begin(), some.end(), measure) != some.end();
}

bool isCost(Measure measure)
{
    return isIn(measure,
                {Measure::CostActive, Measure::CostIdle, Measure::CostUnallocated, Measure::CostUnobservedHeld,
                 Measure::CostUnobservedFree});
}

bool isPartOf(const Rule &rule, Measure measure, bool isOwned)
{
    switch (rule.metric) {
    case RuleMetric::IdleCost:
        return measure == Measure::CostIdle;
    case RuleMetric::IdleHours:
        return measure == Measure::IdleTicks;
    case RuleMetric::Utilization:
        return measure == Measure::ActivityTicks;
    case RuleMetric::Unallocated:
        return measure == (rule.bound.unit == RuleUnit::Gpus ? Measure::UnallocatedTicks : Measure::CostUnallocated);
    case RuleMetric::AttributionCoverage:
        return isOwned && isCost(measure);
    default:
        return false;
    }
}

// To which sums a measure adds.
std::vector<std::int64_t Sums::*> sumsOf(const Rule &rule, Measure measure, bool isOwned)
{
    std::vector<std::int64_t Sums::*> out;
    if (isIn(measure, {Measure::UnobservedHeldTicks, Measure::UnobservedFreeTicks}))
        out.push_back(&Sums::unobserved);
    if (isIn(measure,
             {Measure::ActiveTicks, Measure::IdleTicks, Measure::UnallocatedTicks, Measure::UnobservedHeldTicks,
              Measure::UnobservedFreeTicks}))
        out.push_back(&Sums::paid);
    if (measure == Measure::UnpricedTicks)
        out.push_back(&Sums::unpriced);
    if (isPartOf(rule, measure, isOwned))
        out.push_back(&Sums::part);
    const bool isWhole = rule.metric == RuleMetric::AttributionCoverage
        ? isCost(measure)
        : isIn(measure, {Measure::ActiveTicks, Measure::IdleTicks});
    if (isWhole)
        out.push_back(&Sums::whole);
    return out;
}

// What sumsOf() looks at. To read the others would take as long again.
std::vector<Measure> ruleMeasures(const Rule &rule)
{
    std::vector<Measure> needed{Measure::ActiveTicks,         Measure::IdleTicks,           Measure::UnallocatedTicks,
                                Measure::UnobservedHeldTicks, Measure::UnobservedFreeTicks, Measure::UnpricedTicks};
    for (const Measure other : {Measure::ActivityTicks, Measure::CostActive, Measure::CostIdle,
                                Measure::CostUnallocated, Measure::CostUnobservedHeld, Measure::CostUnobservedFree}) {
        if (isPartOf(rule, other, true))
            needed.push_back(other);
    }
    return needed;
}

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

// The sums of each quarter hour of a range, by scope.
class SumsOfScopes {
public:
    SumsOfScopes(const Rule &rule, base::TimeRange cells)
        : m_cells(cells)
    {
        for (std::size_t i = 0; i < m_sumsOf.size(); ++i) {
            const auto measure = static_cast<Measure>(i);
            m_sumsOf[i] = {sumsOf(rule, measure, false), sumsOf(rule, measure, true)};
        }
    }

    std::size_t width() const { return static_cast<std::size_t>(m_cells.length() / base::kCell); }
    std::vector<Sums> &of(const std::string &scope)
    {
        const auto found = m_sums.find(scope);
        return found != m_sums.end() ? found->second : m_sums.emplace(scope, width()).first->second;
    }
    // `amounts`: of consecutive cells.
    void add(std::vector<Sums> &sums, base::Day day, int cell, Measure measure, std::span<const std::int64_t> amounts,
             bool isOwned) const
    {
        const base::UtcTime at = day.start() + cell * base::kCell;
        const auto first = static_cast<std::size_t>((at - m_cells.start) / base::kCell);
        for (const auto sum : m_sumsOf[static_cast<std::size_t>(measure)][isOwned ? 1 : 0]) {
            for (std::size_t i = 0; i < amounts.size(); ++i)
                sums[first + i].*sum += amounts[i];
        }
    }
    const std::map<std::string, std::vector<Sums>> &all() const { return m_sums; }
    base::TimeRange cells() const { return m_cells; }

private:
    base::TimeRange m_cells;
    // By measure, of what nobody owns and of what somebody does.
    std::array<std::array<std::vector<std::int64_t Sums::*>, 2>, store::kMeasureCount> m_sumsOf;
    std::map<std::string, std::vector<Sums>> m_sums;
};

Result<void> readDimension(View &view, const Rule &rule, SumsOfScopes &scopes)
{
    std::vector<Dimension> by{rule.scope == RuleScope::Team ? Dimension::Team : Dimension::Cluster};
    if (rule.metric == RuleMetric::AttributionCoverage)
        by.emplace_back(Dimension::Team);
    std::vector<insight::CellKey> keys;
    struct Target {
        std::vector<Sums> *sums;
        bool isOwned;
    };
    std::vector<Target> targets; // by index of the key
    return insight::visitRows(
        *view.cube, *view.attribution, {scopes.cells(), {}}, by, ruleMeasures(rule), keys,
        [&](std::size_t key, base::Day day, int cell, Measure measure, std::span<const std::int64_t> amounts) {
            for (std::size_t i = targets.size(); i < keys.size(); ++i) {
                const std::string &team = keys[i].back();
                targets.push_back({&scopes.of(rule.scope == RuleScope::All ? "all" : keys[i].front()),
                                   !team.empty() && team != ledger::kUnowned});
            }
            scopes.add(*targets[key].sums, day, cell, measure, amounts, targets[key].isOwned);
        });
}

// No roll-up has the pools: they are read from the facts.
Result<void> readPools(View &view, SumsOfScopes &scopes)
{
    const base::TimeRange cells = scopes.cells();
    const base::Day last = base::dayOf(cells.end - base::Seconds{1});
    return view.attribution->walk(
        base::dayOf(cells.start), last, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
            const auto pools = device.node ? ledger::nodePools(*device.node) : std::vector<std::string>();
            std::vector<Sums> &sums = scopes.of(pools.empty() ? std::string() : pools.front());
            for (const model::UsagePart &part : device.parts) {
                const int cell = part.bucket / base::kBucketsPerCell;
                if (!cells.contains(device.day.start() + cell * base::kCell))
                    continue;
                const std::string team = insight::valueOf(store::groupKeyOf(device, part.holder), Dimension::Team);
                const bool isOwned = !team.empty() && team != ledger::kUnowned;
                store::forEachMeasure(device, part, [&](Measure measure, std::int64_t amount) {
                    scopes.add(sums, device.day, cell, measure, std::span(&amount, 1), isOwned);
                });
            }
            return {};
        });
}

Result<std::vector<alerts::Reading>> readingsOfSums(const Rule &rule, const std::vector<Sums> &cells,
                                                    base::UtcTime start, const std::vector<char> &known,
                                                    double observed)
{
    std::vector<alerts::Reading> out;
    out.reserve(cells.size());
    Sums hour;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        hour.add(cells[i], 1);
        if (i >= kCellsPerHour)
            hour.add(cells[i - kCellsPerHour], -1);
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
    const base::TimeRange cells = insight::wholeCells(question.range);
    RuleSeries out;
    if (cells.empty())
        return out;
    SumsOfScopes scopes(rule, cells);
    if (rule.scope == RuleScope::All)
        scopes.of("all");
    for (const std::string &scope : question.scopes)
        scopes.of(scope);
    GPULEDGER_TRY(rule.scope == RuleScope::Pool ? readPools(view, scopes) : readDimension(view, rule, scopes));
    std::vector<char> known;
    for (base::UtcTime end = cells.start + base::kCell; end <= cells.end; end += base::kCell)
        known.push_back(isHourFetched(end, question) ? 1 : 0);
    for (const auto &[scope, sums] : scopes.all()) {
        auto readings = readingsOfSums(rule, sums, cells.start, known, question.observed);
        GPULEDGER_TRY(readings);
        out.emplace(scope, std::move(*readings));
    }
    return out;
}

} // namespace gpuledger::services
