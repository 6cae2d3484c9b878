// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/timezone.h"
#include "app/insight/query/query.h"
#include "app/insight/query/reach.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/cube.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>

namespace gpuledger::insight {

enum class Bins { HourOfWeek, HourOfDay, Day, Hour, FiveMinutes };
std::string_view toString(Bins bins); // "hour-of-week", …, "5-minutes"
std::optional<Bins> binsFromString(std::string_view text);

// What the cells of a heat map show.
enum class Metric {
    Utilization,
    SmActive,
    TensorActive,
    Memory,
    Power,
    Allocation,
    Effective,
    IdleCost,
    Cost,
    Coverage
};
std::string_view toString(Metric metric); // "utilization", "sm-active", "tensor-active", "memory", "power",
                                          // "allocation", "effective", "idle-cost", "cost", "coverage"
std::optional<Metric> metricFromString(std::string_view text);
// "share" (0..1), "W" (mean per held device) or the currency code.
std::string unitOf(Metric metric, base::Currency currency);

// Below this, a cell shows its coverage.
inline constexpr double kCoverageShownBelow = 0.95;

// One row and bin of a heat map, or the sum of several.
struct HeatmapCell {
    std::optional<double> value; // null: nothing was observed (or nothing has a price)
    double heldHours = 0; // GPU-hours held
    std::optional<double> observed; // observed / (paid + not synced) of the cell; null if both are zero
    std::int64_t idleCostNanos = 0;
    double paidHours = 0;
    double notSyncedHours = 0; // GPU-hours expected where the range extends beyond stale data; not included in any sum
    // The observed share of all the time that the bin represents, including the parts of a day or an hour that are
    // outside the range, not fetched yet or still in the future; null like `observed`.
    std::optional<double> known;
    std::int64_t unallocatedCostNanos = 0; // of paid time that nothing held
    bool isPartial() const { return known && *known < kCoverageShownBelow; }
};

// One group of a heat map, with a cell per bin.
struct HeatmapRow {
    std::string key;
    std::vector<HeatmapCell> cells; // one per bin; empty if the heat map is packed
    HeatmapCell overall; // the row as one cell, for its mean and idle cost
};

// The values of more cells than a Heatmap could hold unpacked: a week of 10,000 devices has 20 million buckets.
struct PackedCells {
    static constexpr float kMissing = std::numeric_limits<float>::quiet_NaN(); // a cell without a value
    static constexpr float kNothingHeld = std::numeric_limits<float>::infinity(); // observed and unallocated
    std::vector<float> values; // row by row; empty: rows have their own cells
    std::vector<std::uint8_t> known; // percentage of each cell's time that was observed, rounded down
    bool empty() const { return values.empty(); }
    std::optional<double> value(std::size_t index) const
    {
        return std::isfinite(values[index]) ? std::optional<double>(values[index]) : std::nullopt;
    }
};

// A metric by group and time bin.
struct Heatmap {
    Metric metric = Metric::Utilization;
    std::string unit;
    std::string timeZone;
    Bins binning = Bins::HourOfWeek;
    base::TimeRange range;
    base::Currency currency;
    model::CostView cost = model::CostView::Effective; // what its amounts of money stand for
    std::vector<std::string> bins; // "Mon 00" …, "00" …, "2026-11-01", "2026-11-01T13:00+01:00"
    // Of the time with data, how much each bin stands for: an hour of the week occurs several times, and not every hour
    // equally often. One per bin; empty if the heat map is packed.
    std::vector<base::Seconds> lengths;
    std::vector<HeatmapRow> rows; // descending by idle cost, then by idle time, ties by key
    std::vector<HeatmapCell> columns; // all rows together, one per bin
    PackedCells packed; // of five-minute bins, whose rows have no cells
    Reach reach; // of the data, in the range
};

// Selects the metric, the grouping and the bins of a heat map.
struct HeatmapQuery {
    Query query;
    Dimension by = Dimension::Team;
    Bins bins = Bins::HourOfWeek;
    Metric metric = Metric::Utilization;
    base::TimeZone zone;
};

// Bins are local to the zone: a DST day has 23 or 25 hours, an hour that does not exist has no cells, and a repeated
// one has both. Five-minute bins are always read from the facts. Blocking; call from a worker thread. Fails with
// InvalidArgument (more than 20,000 bins, or more than 32 million five-minute cells), Cancelled or Storage… codes.
[[nodiscard]] base::Result<Heatmap> heatmap(store::CubeReader &cube, store::AttributionReader &facts,
                                            const HeatmapQuery &query, base::Currency currency,
                                            const std::stop_token &stop = {}, const Reach &reach = {});

} // namespace gpuledger::insight
