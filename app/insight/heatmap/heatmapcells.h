// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "app/insight/query/measuresums.h"

#include <array>
#include <cstddef>

namespace gpuledger::insight {

// Shared by heat maps of all bins. Pure functions; any thread.

// What every cell reports besides its value (held, observed, idle and unallocated cost), and what the metric itself
// needs.
std::vector<store::Measure> measuresFor(Metric metric);
// Keeps the sums of these measures only: a cell is an array of count() numbers that starts as zeros. A heat map of all
// devices has hundreds of thousands of cells.
class MeasureSlots {
public:
    explicit MeasureSlots(Metric metric);
    std::size_t count() const { return m_count; }
    // Ignores a measure that the metric does not need.
    void add(std::int64_t *cell, store::Measure measure, std::int64_t amount) const
    {
        const int slot = m_slots[static_cast<std::size_t>(measure)];
        if (slot != kUnused)
            cell[slot] += amount;
    }
    MeasureSums sums(const std::int64_t *cell) const; // the measures that are not kept are zero

private:
    static constexpr int kUnused = -1;
    std::array<int, store::kMeasureCount> m_slots{};
    std::size_t m_count = 0;
};

// Null: nothing was observed, or nothing has a price.
std::optional<double> valueOf(Metric metric, const MeasureSums &sums);

// What is known about a cell's time besides its sums.
struct CellTime {
    base::GpuTime notSynced; // paid time expected beyond the end of stale data
    base::GpuTime notFetched; // the same beyond the end of any data: between two syncs a little is always missing
    double inRange = 1; // share of the bin's time that is in the range
    CellTime &operator+=(const CellTime &o)
    {
        notSynced += o.notSynced;
        notFetched += o.notFetched;
        return *this;
    }
};
HeatmapCell cellOf(Metric metric, const MeasureSums &sums, const CellTime &time = {});
// Copies everything that the query determines; no rows yet.
Heatmap emptyHeatmap(const HeatmapQuery &query, base::Currency currency);
// Descending by idle cost, then by idle time, ties by key. `idleTicks` has one entry per row.
std::vector<std::size_t> rowOrder(const std::vector<HeatmapRow> &rows, const std::vector<std::int64_t> &idleTicks);

} // namespace gpuledger::insight
