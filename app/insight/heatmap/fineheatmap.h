// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "app/insight/query/notsynced.h"

namespace gpuledger::insight {

// A heat map of base buckets, such as the wall of all devices: read from the facts day by day, with packed cells. Fails
// with InvalidArgument above kMaxFineCells, with Cancelled once `stop` requests it, and with Storage… codes. Buckets
// expected beyond the end of the data are missing, not empty. Blocking; call from a worker thread.
inline constexpr std::size_t kMaxFineCells = 32'000'000;
[[nodiscard]] base::Result<Heatmap> fineHeatmap(store::AttributionReader &facts, const HeatmapQuery &query,
                                                base::Currency currency, const std::stop_token &stop,
                                                const Reach &reach, const std::vector<ExpectedTime> &expected);

} // namespace gpuledger::insight
