// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/timezone.h"
#include "app/insight/query.h"
#include "app/store/attributionreader.h"
#include "app/store/cube.h"

namespace gpuledger::insight {

enum class Bins { HourOfWeek, HourOfDay, Day, Hour };
std::string_view toString(Bins bins); // "hour-of-week", …
std::optional<Bins> binsFromString(std::string_view text);

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

struct HeatmapCell {
    std::optional<double> value; // null: nothing was observed (or nothing was priced)
    double heldHours = 0; // GPU-hours held
    std::optional<double> observed; // observed / paid of the cell; null when nothing was paid for
    std::int64_t idleCostNanos = 0;
    double paidHours = 0;
};

struct HeatmapRow {
    std::string key;
    std::vector<HeatmapCell> cells; // one a bin
    HeatmapCell overall; // the row as one cell: for its mean and idle cost
};

struct Heatmap {
    Metric metric = Metric::Utilization;
    std::string unit;
    std::string timeZone;
    Bins binning = Bins::HourOfWeek;
    base::TimeRange range;
    base::Currency currency;
    std::vector<std::string> bins; // "Mon 00" …, "00" …, "2026-11-01", "2026-11-01T13:00+01:00"
    std::vector<HeatmapRow> rows; // descending by idle cost, then by idle time, ties by key
    std::vector<HeatmapCell> columns; // all rows together, one a bin
};

struct HeatmapQuery {
    Query query;
    Dimension by = Dimension::Team;
    Bins bins = Bins::HourOfWeek;
    Metric metric = Metric::Utilization;
    base::TimeZone zone;
};

// Bins are local to the zone: a DST day has 23 or 25 hours, an hour that does not exist has no cells and the repeated
// one has both. Blocking; worker threads. Fails with InvalidArgument (more than 20,000 bins) or Storage… codes.
[[nodiscard]] base::Result<Heatmap> heatmap(store::CubeReader &cube, store::AttributionReader &facts,
                                            const HeatmapQuery &query, base::Currency currency);

} // namespace gpuledger::insight
