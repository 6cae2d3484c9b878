// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/proof/usageproof.h"

#include "app/base/text/text.h"
#include "app/insight/heatmap/heatmapbins.h"
#include "app/insight/heatmap/heatmapcells.h"
#include "app/insight/overview/summary.h"
#include "app/insight/proof/usagerows.h"
#include "app/insight/query/measuresums.h"
#include "app/store/facts/measures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace gpuledger::insight {

using base::Result;
using model::GpuState;
using store::Measure;

namespace {

constexpr std::string_view kHeldHours = "held-hours"; // a measure of the heat map besides its metrics
constexpr double kTicksPerHour = 3600.0 * base::GpuTime::kTicksPerSecond;
constexpr std::int32_t kUsageDaysAtOnce = 8; // of facts, so that memory stays bounded

// Which metric a figure reads, and the states of its rows.
struct Meaning {
    Metric metric = Metric::Utilization; // the reading that the rows show
    std::vector<GpuState> states;
    bool onlyUnpriced = false;
};

const std::vector<GpuState> kPaidStates{GpuState::Active, GpuState::Idle, GpuState::Unallocated,
                                        GpuState::UnobservedHeld, GpuState::UnobservedFree};
const std::vector<GpuState> kObservedHeld{GpuState::Active, GpuState::Idle};

Meaning meaningOf(const Figure &figure)
{
    const std::string_view measure = figure.measure;
    Meaning meaning{Metric::Utilization, kPaidStates, measure == "gpu-hours.unpriced"};
    if (figure.kind == FigureKind::Heatmap)
        meaning.metric = metricFromString(measure).value_or(Metric::Utilization);
    if (measure.ends_with(".active"))
        meaning.states = {GpuState::Active};
    else if (measure.ends_with(".idle") || measure == "idle-cost")
        meaning.states = {GpuState::Idle};
    else if (measure.ends_with(".unallocated"))
        meaning.states = {GpuState::Unallocated};
    else if (measure.ends_with(".unobserved"))
        meaning.states = {GpuState::UnobservedHeld, GpuState::UnobservedFree};
    else if (measure.ends_with(".held") || measure == kHeldHours)
        meaning.states = {GpuState::Active, GpuState::Idle, GpuState::UnobservedHeld};
    else if (measure == "utilization" || measure == "sm-active" || measure == "tensor-active" || measure == "memory"
             || measure == "power")
        meaning.states = kObservedHeld;
    return meaning;
}

std::pair<Measure, Measure> readingOf(Metric metric)
{
    switch (metric) {
    case Metric::SmActive:
        return {Measure::SmActivityTicks, Measure::SmObservedTicks};
    case Metric::TensorActive:
        return {Measure::TensorActivityTicks, Measure::TensorObservedTicks};
    case Metric::Memory:
        return {Measure::MemoryShareTicks, Measure::MemoryObservedTicks};
    case Metric::Power:
        return {Measure::PowerWattTicks, Measure::PowerObservedTicks};
    default:
        return {Measure::ActivityTicks, Measure::ActiveTicks}; // and idle ticks: see UsageRows
    }
}

FigureValue money(const MeasureSums &sums, std::int64_t nanos, base::Currency currency)
{
    // If none of it has a price, the cost is unknown, not zero.
    const bool priced = sums[Measure::UnpricedTicks] == 0 || sums[Measure::UnpricedTicks] < sums.time().paid().ticks;
    return priced ? FigureValue::of(base::Money(nanos, currency)) : FigureValue{};
}

FigureValue timeOf(std::string_view state, const MeasureSums &sums)
{
    const TimeByState time = sums.time();
    return FigureValue::of(state == "active"            ? time.active
                               : state == "idle"        ? time.idle
                               : state == "unallocated" ? time.unallocated
                               : state == "unobserved"  ? time.unobserved()
                               : state == "held"        ? time.held()
                               : state == "unpriced"    ? sums.cost().unpriced
                                                        : time.paid());
}

FigureValue costOf(std::string_view state, const MeasureSums &sums, base::Currency currency)
{
    const CostByState cost = sums.cost();
    return money(sums,
                 state == "active"            ? cost.active
                     : state == "idle"        ? cost.idle
                     : state == "unallocated" ? cost.unallocated
                     : state == "unobserved"  ? cost.unobservedHeld + cost.unobservedFree
                                              : cost.total(),
                 currency);
}

// A metric of the heat map, without converting money to a floating-point number and back.
FigureValue metricOf(Metric metric, const MeasureSums &sums, base::Currency currency)
{
    const auto value = valueOf(metric, sums);
    if (!value)
        return {};
    if (metric == Metric::Cost || metric == Metric::IdleCost)
        return FigureValue::of(
            base::Money(metric == Metric::Cost ? sums.cost().total() : sums[Measure::CostIdle], currency));
    return FigureValue::of(value, unitOf(metric, currency));
}

FigureValue valueFrom(const Figure &figure, const MeasureSums &sums, base::Currency currency)
{
    const std::string_view measure = figure.measure;
    if (measure == kHeldHours)
        return timeOf("held", sums);
    if (figure.kind == FigureKind::Heatmap)
        return metricOf(*metricFromString(measure), sums, currency);
    constexpr std::string_view kHours = "gpu-hours.", kCost = "cost.";
    if (measure.starts_with(kHours))
        return timeOf(measure.substr(kHours.size()), sums);
    if (measure.starts_with(kCost))
        return costOf(measure.substr(kCost.size()), sums, currency);
    return FigureValue::of(measure == "utilization"      ? sums.utilization()
                               : measure == "allocation" ? sums.allocation()
                                                         : sums.coverage(),
                           "share");
}

void addUsageInputs(Proof &proof, const MeasureSums &shown, const MeasureSums &anew, base::Currency currency)
{
    const auto add = [&](std::string name, const std::function<FigureValue(const MeasureSums &)> &of) {
        proof.inputs.push_back({std::move(name), of(shown), of(anew)});
    };
    for (const char *state : {"paid", "active", "idle", "unallocated", "unobserved", "held"})
        add(state, [&](const MeasureSums &sums) { return timeOf(state, sums); });
    const std::string_view measure = proof.figure.measure;
    if (measure.starts_with("cost") || measure == "idle-cost") {
        for (const char *state : {"active", "idle", "unallocated", "unobserved"})
            add(std::string("cost of ") + state,
                [&](const MeasureSums &sums) { return costOf(state, sums, currency); });
        add("unpriced", [&](const MeasureSums &sums) { return timeOf("unpriced", sums); });
        return;
    }
    const auto metric = meaningOf(proof.figure).metric;
    if (metric == Metric::Power) {
        add("power x held", [](const MeasureSums &sums) {
            return FigureValue::of(static_cast<double>(sums[Measure::PowerWattTicks]) / kTicksPerHour, "Wh");
        });
        add("power seen",
            [](const MeasureSums &sums) { return FigureValue::of(base::GpuTime{sums[Measure::PowerObservedTicks]}); });
        return;
    }
    const auto [sum, over] = readingOf(metric);
    if (metric == Metric::Utilization || metric == Metric::Effective) {
        add("activity x held",
            [](const MeasureSums &sums) { return FigureValue::of(base::GpuTime{sums[Measure::ActivityTicks]}); });
    } else if (over != Measure::ActiveTicks) {
        add("reading x held",
            [sum = sum](const MeasureSums &sums) { return FigureValue::of(base::GpuTime{sums[sum]}); });
        add("reading seen",
            [over = over](const MeasureSums &sums) { return FigureValue::of(base::GpuTime{sums[over]}); });
    }
}

// Which quarter hours count: those of the range, and of the bin if there is one.
class Cells {
public:
    static Result<Cells> make(const Figure &figure)
    {
        Cells cells;
        cells.m_range = wholeCells(figure.range);
        if (figure.kind != FigureKind::Heatmap)
            return cells;
        const auto zone = base::TimeZone::find(figure.zone);
        GPULEDGER_TRY(zone);
        cells.m_zone = *zone;
        auto table = BinTable::make(figure.bins, cells.m_range, *zone);
        GPULEDGER_TRY(table);
        if (figure.bin) {
            const auto &labels = table->labels();
            const auto it = std::find(labels.begin(), labels.end(), *figure.bin);
            if (it == labels.end())
                return base::fail(base::ErrorCode::InvalidArgument,
                                  "the range has no bin \"" + base::printable(*figure.bin, 64) + '"');
            cells.m_bin = static_cast<std::size_t>(it - labels.begin());
        }
        cells.m_table = std::move(*table);
        return cells;
    }
    base::TimeRange range() const { return m_range; }
    const base::TimeZone &zone() const { return m_zone; }
    std::optional<std::size_t> bin() const { return m_bin; }
    bool holds(base::Day day, int cell) const
    {
        return m_range.contains(day.start() + cell * base::kCell) && (!m_bin || m_table.binOf(day, cell) == *m_bin);
    }

private:
    Cells() = default;
    base::TimeRange m_range;
    base::TimeZone m_zone;
    BinTable m_table;
    std::optional<std::size_t> m_bin;
};

// From the roll-up if it can answer, as on the pages.
Result<MeasureSums> sumsShown(store::CubeReader &cube, store::AttributionReader &facts, const Figure &figure,
                              const Cells &cells)
{
    MeasureSums sums;
    std::vector<CellKey> keys;
    GPULEDGER_TRY(visitCells(cube, facts, {cells.range(), figure.filter}, {}, allMeasures(), keys,
                             [&](std::size_t, base::Day day, int cell, Measure measure, std::int64_t amount) {
                                 if (cells.holds(day, cell))
                                     sums[measure] += amount;
                             }));
    return sums;
}

// The value that the page itself shows.
Result<FigureValue> shownSummary(store::CubeReader &cube, store::AttributionReader &facts, const Figure &figure,
                                 base::Currency currency)
{
    const auto answer = summarize(cube, facts, {figure.range, figure.filter}, Dimension::Team, currency);
    GPULEDGER_TRY(answer);
    const SummaryRow &row = answer->total;
    if (figure.measure == "utilization")
        return FigureValue::of(row.utilization, "share");
    if (figure.measure == "allocation")
        return FigureValue::of(row.allocation, "share");
    if (figure.measure == "coverage")
        return FigureValue::of(row.coverage, "share");
    MeasureSums sums; // the same figures in the form that the formulas use
    sums[Measure::ActiveTicks] = row.time.active.ticks;
    sums[Measure::IdleTicks] = row.time.idle.ticks;
    sums[Measure::UnallocatedTicks] = row.time.unallocated.ticks;
    sums[Measure::UnobservedHeldTicks] = row.time.unobservedHeld.ticks;
    sums[Measure::UnobservedFreeTicks] = row.time.unobservedFree.ticks;
    sums[Measure::CostActive] = row.cost.active;
    sums[Measure::CostIdle] = row.cost.idle;
    sums[Measure::CostUnallocated] = row.cost.unallocated;
    sums[Measure::CostUnobservedHeld] = row.cost.unobservedHeld;
    sums[Measure::CostUnobservedFree] = row.cost.unobservedFree;
    sums[Measure::UnpricedTicks] = row.cost.unpriced.ticks;
    return valueFrom(figure, sums, currency);
}

// The dimension of the page's rows: a heat map narrowed to one value of it has one row.
Dimension rowDimension(const Filter &filter)
{
    for (const auto &[dimension, values] : filter.include) {
        if (values.size() == 1)
            return dimension;
    }
    return Dimension::Team;
}

Result<FigureValue> shownCell(store::CubeReader &cube, store::AttributionReader &facts, const Figure &figure,
                              const Cells &cells, const MeasureSums &sums, base::Currency currency)
{
    HeatmapQuery query;
    query.query = {figure.range, figure.filter};
    query.by = rowDimension(figure.filter);
    query.bins = figure.bins;
    query.metric = metricFromString(figure.measure).value_or(Metric::Utilization);
    query.zone = cells.zone();
    const auto map = heatmap(cube, facts, query, currency);
    GPULEDGER_TRY(map);
    if (!cells.bin() && map->rows.size() > 1) // several rows together are not a cell of the page
        return valueFrom(figure, sums, currency);
    const HeatmapCell none;
    const HeatmapCell &cell = cells.bin() ? map->columns[*cells.bin()]
        : map->rows.empty()               ? none
                                          : map->rows.front().overall;
    if (figure.measure == kHeldHours) {
        const base::GpuTime exact = sums.time().held(); // the cell stores it as a floating-point number
        return FigureValue::of(
            exact.hours() == cell.heldHours ? exact : base::GpuTime{std::llround(cell.heldHours * kTicksPerHour)});
    }
    if (!cell.value)
        return FigureValue{};
    if (query.metric == Metric::IdleCost)
        return FigureValue::of(base::Money(cell.idleCostNanos, currency));
    if (query.metric != Metric::Cost)
        return FigureValue::of(cell.value, map->unit);
    const base::Money exact(sums.cost().total(), currency); // the cell stores it as a floating-point number
    return FigureValue::of(exact.toDouble() == *cell.value
                               ? exact
                               : base::Money(std::llround(*cell.value * base::Money::kNanosPerUnit), currency));
}

Result<MeasureSums> sumsFromFacts(store::AttributionReader &facts, const Figure &figure, const Cells &cells,
                                  UsageRows &rows, const std::stop_token &stop)
{
    MeasureSums sums;
    if (cells.range().empty())
        return sums;
    const auto labels = LabelLookup::read(facts, figure.filter, {});
    GPULEDGER_TRY(labels);
    const Meaning meaning = meaningOf(figure);
    const auto visit = [&](const model::DeviceAttribution &device) -> Result<void> {
        for (const model::UsagePart &part : device.parts) {
            if (!cells.holds(device.day, part.bucket / base::kBucketsPerCell)
                || !matches(figure.filter, device, part.holder, *labels))
                continue;
            store::forEachMeasure(device, part, [&](Measure m, std::int64_t amount) { sums[m] += amount; });
            const bool isRow =
                std::find(meaning.states.begin(), meaning.states.end(), part.state) != meaning.states.end()
                && !(meaning.onlyUnpriced && part.priced);
            if (isRow && part.ticks != 0)
                rows.add(device, part);
        }
        return {};
    };
    const base::Day last = base::dayOf(cells.range().end - base::Seconds{1});
    for (base::Day day = base::dayOf(cells.range().start); day <= last; day.number += kUsageDaysAtOnce) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        GPULEDGER_TRY(facts.walk(day, std::min(last, base::Day{day.number + kUsageDaysAtOnce - 1}), {}, visit));
    }
    return sums;
}

} // namespace

Result<Proof> usageProof(store::CubeReader &cube, store::AttributionReader &facts, const Figure &figure,
                         base::Currency currency, const std::stop_token &stop)
{
    const auto cells = Cells::make(figure);
    GPULEDGER_TRY(cells);
    Proof proof;
    proof.figure = figure;
    const auto shown = sumsShown(cube, facts, figure, *cells);
    GPULEDGER_TRY(shown);
    auto value = figure.kind == FigureKind::Summary ? shownSummary(cube, facts, figure, currency)
                                                    : shownCell(cube, facts, figure, *cells, *shown, currency);
    GPULEDGER_TRY(value);
    proof.shown = std::move(*value);
    const auto [sum, over] = readingOf(meaningOf(figure).metric);
    UsageRows rows(sum, over, currency);
    const auto anew = sumsFromFacts(facts, figure, *cells, rows, stop);
    GPULEDGER_TRY(anew);
    proof.recomputed = valueFrom(figure, *anew, currency);
    addUsageInputs(proof, *shown, *anew, currency);
    rows.moveTo(proof);
    proof.agrees = proof.shown == proof.recomputed && shown->values == anew->values;
    proof.shownFrom = answeredByRollup(figure.filter, {}) ? "rollup, rollup_group" : "usage_day, holder, placement";
    proof.recomputedFrom = "usage_day, holder, holder_span, placement, device, node";
    return proof;
}

} // namespace gpuledger::insight
