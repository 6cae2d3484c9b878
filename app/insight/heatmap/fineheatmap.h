// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "app/insight/query/notsynced.h"

namespace gpuledger::insight {

// A heat map of base buckets, the wall of all devices among them: read from the facts day by day, with its cells
// packed. Fails with InvalidArgument above kMaxFineCells, Cancelled once `stop` asks for it, and Storage… codes.
// Buckets that are expected behind the data are missing, not empty.
// Blocking; worker threads.
inline constexpr std::size_t kMaxFineCells = 32'000'000;
[[nodiscard]] base::Result<Heatmap> fineHeatmap(store::AttributionReader &facts, const HeatmapQuery &query,
                                                base::Currency currency, const std::stop_token &stop,
                                                const Reach &reach, const std::vector<ExpectedTime> &expected);

} // namespace gpuledger::insight
