// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap/heatmap.h"

#include "app/insight/heatmap/fineheatmap.h"
#include "app/insight/heatmap/heatmapbins.h"
#include "app/insight/heatmap/heatmapcells.h"
#include "app/insight/query/measuresums.h"
#include "app/insight/query/notsynced.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
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

// Paid time expected beyond the end of the data, bin by bin.
class ExpectedCells {
public:
    ExpectedCells(const BinTable &bins, base::TimeRange range)
        : m_bins(bins)
        , m_range(range)
    {
    }

    void add(const ExpectedTime &expected)
    {
        const std::size_t width = m_bins.labels().size();
        std::vector<base::Seconds> missing(width, base::Seconds{0});
        const base::TimeRange within = expected.missing.intersect(m_range);
        // Nothing is missing within the range if its last cell ended before: an empty stretch has no cell.
        const base::UtcTime first = within.empty() ? within.end : base::floorTo(within.start, base::kCell);
        for (base::UtcTime t = first; t < within.end; t += base::kCell)
            missing[m_bins.binAt(t)] += base::TimeRange{t, t + base::kCell}.intersect(within).length();
        for (const auto &[key, perCell] : expected.perCell) {
            std::vector<CellTime> &row = m_rows[key];
            row.resize(width);
            for (std::size_t b = 0; b < width; ++b) {
                const base::GpuTime time = expectedOver(perCell, missing[b]);
                row[b] += {expected.stale ? time : base::GpuTime{}, time};
            }
        }
    }
    CellTime at(const std::string &key, std::size_t bin) const
    {
        const auto row = m_rows.find(key);
        CellTime time = row == m_rows.end() ? CellTime() : row->second[bin];
        time.inRange = m_bins.inRange(bin);
        return time;
    }
    const std::map<std::string, std::vector<CellTime>> &rows() const { return m_rows; }

private:
    const BinTable &m_bins;
    base::TimeRange m_range;
    std::map<std::string, std::vector<CellTime>> m_rows;
};

// The sums of each key and bin. A key's sums exist from its first amount until they are released.
class SumsByKey {
public:
    SumsByKey(Metric metric, std::size_t width)
        : m_slots(metric)
        , m_width(width)
    {
    }
    void add(std::size_t key, std::size_t bin, Measure measure, std::int64_t amount)
    {
        if (key >= m_cells.size())
            m_cells.resize(key + 1);
        if (m_cells[key].empty())
            m_cells[key].resize(m_width * m_slots.count());
        m_slots.add(m_cells[key].data() + bin * m_slots.count(), measure, amount);
    }
    MeasureSums at(std::size_t key, std::size_t bin) const
    {
        return key < m_cells.size() && !m_cells[key].empty() ? m_slots.sums(m_cells[key].data() + bin * m_slots.count())
                                                             : MeasureSums();
    }
    void release(std::size_t key)
    {
        if (key < m_cells.size())
            m_cells[key] = {};
    }

private:
    const MeasureSlots m_slots;
    const std::size_t m_width;
    std::vector<std::vector<std::int64_t>> m_cells; // of each key, bin by bin
};

// A group that was present at the end of the data gets a row even if the whole range lies beyond it.
void addExpectedRows(const ExpectedCells &behind, std::vector<CellKey> &keys)
{
    std::set<std::string> known;
    for (const CellKey &key : keys)
        known.insert(key.front());
    for (const auto &[key, times] : behind.rows()) {
        if (known.count(key) == 0)
            keys.push_back({key});
    }
}

// From the first data to the newest of any source; the whole range if that is not known.
base::TimeRange withData(const Reach &reach, base::TimeRange range)
{
    base::TimeRange data{reach.from.value_or(range.start), range.end};
    std::optional<base::UtcTime> newest;
    for (const SourceReach &source : reach.sources) {
        if (source.to)
            newest = std::max(newest.value_or(*source.to), *source.to);
    }
    data.end = newest.value_or(range.end);
    return data.intersect(range);
}

// Rows and columns of the sums, each of which is released once it is a row.
void fill(Heatmap &out, const std::vector<CellKey> &keys, SumsByKey &cells, const ExpectedCells &behind)
{
    const std::size_t width = out.bins.size();
    std::vector<MeasureSums> columns(width);
    std::vector<CellTime> columnTimes(width);
    std::vector<std::int64_t> idleTime;
    const std::size_t rowCount = width > 0 ? keys.size() : 0; // an empty range has no bins
    for (std::size_t k = 0; k < rowCount; ++k) {
        HeatmapRow row;
        row.key = keys[k].front();
        row.cells.reserve(width);
        MeasureSums whole;
        CellTime wholeTime;
        for (std::size_t b = 0; b < width; ++b) {
            const MeasureSums sums = cells.at(k, b);
            const CellTime time = behind.at(row.key, b);
            row.cells.push_back(cellOf(out.metric, sums, time));
            whole += sums;
            wholeTime += time;
            columns[b] += sums;
            columnTimes[b] += time;
            columnTimes[b].inRange = time.inRange;
        }
        cells.release(k);
        row.overall = cellOf(out.metric, whole, wholeTime);
        if (whole.time().paid().ticks == 0 && wholeTime.notFetched.ticks == 0)
            continue;
        idleTime.push_back(whole[Measure::IdleTicks]);
        out.rows.push_back(std::move(row));
    }
    std::vector<HeatmapRow> sorted;
    for (const std::size_t i : rowOrder(out.rows, idleTime))
        sorted.push_back(std::move(out.rows[i]));
    out.rows = std::move(sorted);
    for (std::size_t b = 0; b < width; ++b)
        out.columns.push_back(cellOf(out.metric, columns[b], columnTimes[b]));
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
                              base::Currency currency, const std::stop_token &stop, const Reach &reach)
{
    const auto expected = expectedTime(cube, facts, reach, query.query.filter, query.by, true);
    GPULEDGER_TRY(expected);
    if (query.bins == Bins::FiveMinutes)
        return fineHeatmap(facts, query, currency, stop, reach, *expected);
    Heatmap out = emptyHeatmap(query, currency);
    out.reach = reach;
    out.range = wholeCells(query.query.range);
    std::optional<base::TimeRange> knowable; // from the first data to now
    if (!reach.asked.empty())
        knowable = {reach.from.value_or(reach.asked.start), reach.asked.end};
    auto bins = BinTable::make(query.bins, out.range, query.zone, knowable);
    GPULEDGER_TRY(bins);
    out.bins = bins->labels();
    out.lengths = bins->lengths(withData(reach, out.range));

    std::vector<CellKey> keys;
    SumsByKey cells(query.metric, out.bins.size());
    GPULEDGER_TRY(visitCells(cube, facts, {out.range, query.query.filter}, {query.by}, measuresFor(query.metric), keys,
                             [&](std::size_t key, base::Day day, int cell, Measure measure, std::int64_t amount) {
                                 cells.add(key, bins->binOf(day, cell), measure, amount);
                             }));
    ExpectedCells behind(*bins, out.range);
    for (const ExpectedTime &one : *expected)
        behind.add(one);
    addExpectedRows(behind, keys);
    fill(out, keys, cells, behind);
    return out;
}

} // namespace gpuledger::insight
