// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap.h"
#include "app/insight/measuresums.h"

namespace gpuledger::insight {

// What heat maps of all bins have in common. Pure functions; any thread.

// What every cell tells beside its value (held, observed, idle cost), and what the metric itself needs.
std::vector<store::Measure> measuresFor(Metric metric);
// Null: nothing was observed, or nothing was priced.
std::optional<double> valueOf(Metric metric, const MeasureSums &sums);
HeatmapCell cellOf(Metric metric, const MeasureSums &sums);
// Everything that the question tells; no rows yet.
Heatmap emptyHeatmap(const HeatmapQuery &query, base::Currency currency);
// Descending by idle cost, then by idle time, ties by key. `idleTicks` has one a row.
std::vector<std::size_t> rowOrder(const std::vector<HeatmapRow> &rows, const std::vector<std::int64_t> &idleTicks);

} // namespace gpuledger::insight
