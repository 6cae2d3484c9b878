// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap.h"

#include "app/insight/heatmapbins.h"
#include "app/insight/measuresums.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::insight {

using store::Measure;

namespace {

constexpr std::array<std::pair<Bins, std::string_view>, 4> kBinNames{
    {{Bins::HourOfWeek, "hour-of-week"}, {Bins::HourOfDay, "hour-of-day"}, {Bins::Day, "day"}, {Bins::Hour, "hour"}}};

constexpr std::array<std::pair<Metric, std::string_view>, 10> kMetricNames{{
    {Metric::Utilization, "utilization"},
    {Metric::SmActive, "sm-active"},
    {Metric::TensorActive, "tensor-active"},
    {Metric::Memory, "memory"},
    {Metric::Power, "power"},
    {Metric::Allocation, "allocation"},
    {Metric::Effective, "effective"},
    {Metric::IdleCost, "idle-cost"},
    {Metric::Cost, "cost"},
    {Metric::Coverage, "coverage"},
}};

// What every cell tells beside its value (held, observed, idle cost), and what the metric itself needs.
std::vector<Measure> measuresFor(Metric metric)
{
    std::vector<Measure> list{Measure::ActiveTicks,         Measure::IdleTicks,           Measure::UnallocatedTicks,
                              Measure::UnobservedHeldTicks, Measure::UnobservedFreeTicks, Measure::CostIdle,
                              Measure::UnpricedTicks};
    const auto with = [&](std::initializer_list<Measure> more) { list.insert(list.end(), more); };
    switch (metric) {
    case Metric::Utilization:
    case Metric::Effective:
        with({Measure::ActivityTicks});
        break;
    case Metric::SmActive:
        with({Measure::SmActivityTicks, Measure::SmObservedTicks});
        break;
    case Metric::TensorActive:
        with({Measure::TensorActivityTicks, Measure::TensorObservedTicks});
        break;
    case Metric::Memory:
        with({Measure::MemoryShareTicks, Measure::MemoryObservedTicks});
        break;
    case Metric::Power:
        with({Measure::PowerWattTicks, Measure::PowerObservedTicks});
        break;
    case Metric::Cost:
        with({Measure::CostActive, Measure::CostUnallocated, Measure::CostUnobservedHeld, Measure::CostUnobservedFree});
        break;
    case Metric::Allocation:
    case Metric::IdleCost:
    case Metric::Coverage:
        break;
    }
    return list;
}

// An amount, or nothing where no time was paid for or none of it has a price.
std::optional<double> money(const MeasureSums &sums, std::int64_t nanos)
{
    const base::GpuTime paid = sums.time().paid();
    if (paid.ticks == 0 || sums[Measure::UnpricedTicks] >= paid.ticks)
        return std::nullopt;
    return static_cast<double>(nanos) / base::Money::kNanosPerUnit;
}

std::optional<double> valueOf(Metric metric, const MeasureSums &sums)
{
    switch (metric) {
    case Metric::Utilization:
        return sums.utilization();
    case Metric::SmActive:
        return sums.ratio(Measure::SmActivityTicks, Measure::SmObservedTicks);
    case Metric::TensorActive:
        return sums.ratio(Measure::TensorActivityTicks, Measure::TensorObservedTicks);
    case Metric::Memory:
        return sums.ratio(Measure::MemoryShareTicks, Measure::MemoryObservedTicks);
    case Metric::Power:
        return sums.ratio(Measure::PowerWattTicks, Measure::PowerObservedTicks);
    case Metric::Allocation:
        return sums.coverage().value_or(0) > 0 || sums.time().held().ticks > 0 ? sums.allocation() : std::nullopt;
    case Metric::Effective: {
        const auto utilization = sums.utilization(), allocation = sums.allocation();
        return utilization && allocation ? std::optional(*utilization * *allocation) : std::nullopt;
    }
    case Metric::IdleCost:
        return sums.coverage().value_or(0) > 0 ? money(sums, sums[Measure::CostIdle]) : std::nullopt;
    case Metric::Cost:
        return money(sums, sums.cost().total());
    case Metric::Coverage:
        return sums.coverage();
    }
    return std::nullopt;
}

HeatmapCell cellOf(Metric metric, const MeasureSums &sums)
{
    const TimeByState time = sums.time();
    return {valueOf(metric, sums), time.held().hours(), sums.coverage(), sums[Measure::CostIdle], time.paid().hours()};
}

} // namespace

std::string_view toString(Bins bins)
{
    return kBinNames[static_cast<std::size_t>(bins)].second;
}

std::optional<Bins> binsFromString(std::string_view text)
{
    for (const auto &[bins, name] : kBinNames) {
        if (name == text)
            return bins;
    }
    return std::nullopt;
}

std::string_view toString(Metric metric)
{
    return kMetricNames[static_cast<std::size_t>(metric)].second;
}

std::optional<Metric> metricFromString(std::string_view text)
{
    for (const auto &[metric, name] : kMetricNames) {
        if (name == text)
            return metric;
    }
    return std::nullopt;
}

std::string unitOf(Metric metric, base::Currency currency)
{
    switch (metric) {
    case Metric::Power:
        return "W";
    case Metric::IdleCost:
    case Metric::Cost:
        return std::string(currency.code());
    default:
        return "share";
    }
}

base::Result<Heatmap> heatmap(store::CubeReader &cube, store::AttributionReader &facts, const HeatmapQuery &query,
                              base::Currency currency)
{
    Heatmap out;
    out.metric = query.metric;
    out.unit = unitOf(query.metric, currency);
    out.timeZone = query.zone.name();
    out.binning = query.bins;
    out.range = wholeCells(query.query.range);
    out.currency = currency;
    auto bins = BinTable::make(query.bins, out.range, query.zone);
    GPULEDGER_TRY(bins);
    out.bins = bins->labels();
    const std::size_t width = out.bins.size();

    std::vector<CellKey> keys;
    std::vector<MeasureSums> cells; // keys x bins
    GPULEDGER_TRY(visitCells(cube, facts, {out.range, query.query.filter}, {query.by}, measuresFor(query.metric), keys,
                             [&](std::size_t key, base::Day day, int cell, Measure measure, std::int64_t amount) {
                                 if ((key + 1) * width > cells.size())
                                     cells.resize((key + 1) * width);
                                 cells[key * width + bins->binOf(day, cell)][measure] += amount;
                             }));
    std::vector<MeasureSums> columns(width);
    std::vector<std::pair<std::int64_t, std::size_t>> idleTime;
    const std::size_t rowCount = width > 0 ? cells.size() / width : 0; // an empty range has no bins
    for (std::size_t k = 0; k < rowCount; ++k) {
        HeatmapRow row;
        row.key = keys[k].front();
        MeasureSums whole;
        for (std::size_t b = 0; b < width; ++b) {
            const MeasureSums &sums = cells[k * width + b];
            row.cells.push_back(cellOf(query.metric, sums));
            whole += sums;
            columns[b] += sums;
        }
        row.overall = cellOf(query.metric, whole);
        if (whole.time().paid().ticks == 0)
            continue;
        idleTime.emplace_back(whole[Measure::IdleTicks], out.rows.size());
        out.rows.push_back(std::move(row));
    }
    std::vector<std::size_t> order(out.rows.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto rank = [&](std::size_t i) {
            return std::tuple(-out.rows[i].overall.idleCostNanos, -idleTime[i].first,
                              std::string_view(out.rows[i].key));
        };
        return rank(a) < rank(b);
    });
    std::vector<HeatmapRow> sorted;
    for (const std::size_t i : order)
        sorted.push_back(std::move(out.rows[i]));
    out.rows = std::move(sorted);
    for (const MeasureSums &sums : columns)
        out.columns.push_back(cellOf(query.metric, sums));
    return out;
}

} // namespace gpuledger::insight
