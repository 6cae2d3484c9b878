// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap.h"

#include "app/insight/fineheatmap.h"
#include "app/insight/heatmapbins.h"
#include "app/insight/heatmapcells.h"
#include "app/insight/measuresums.h"

#include <array>
#include <utility>

namespace gpuledger::insight {

using store::Measure;

namespace {

constexpr std::array<std::pair<Bins, std::string_view>, 5> kBinNames{{{Bins::HourOfWeek, "hour-of-week"},
                                                                      {Bins::HourOfDay, "hour-of-day"},
                                                                      {Bins::Day, "day"},
                                                                      {Bins::Hour, "hour"},
                                                                      {Bins::FiveMinutes, "5-minutes"}}};

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
                              base::Currency currency, const std::stop_token &stop)
{
    if (query.bins == Bins::FiveMinutes)
        return fineHeatmap(facts, query, currency, stop);
    Heatmap out = emptyHeatmap(query, currency);
    out.range = wholeCells(query.query.range);
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
    std::vector<std::int64_t> idleTime;
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
        idleTime.push_back(whole[Measure::IdleTicks]);
        out.rows.push_back(std::move(row));
    }
    std::vector<HeatmapRow> sorted;
    for (const std::size_t i : rowOrder(out.rows, idleTime))
        sorted.push_back(std::move(out.rows[i]));
    out.rows = std::move(sorted);
    for (const MeasureSums &sums : columns)
        out.columns.push_back(cellOf(query.metric, sums));
    return out;
}

} // namespace gpuledger::insight
