// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap.h"

namespace gpuledger::insight {

// A heat map of base buckets, the wall of all devices among them: read from the facts day by day, with its cells
// packed. Fails with InvalidArgument above kMaxFineCells, Cancelled once `stop` asks for it, and Storage… codes.
// Blocking; worker threads.
inline constexpr std::size_t kMaxFineCells = 32'000'000;
[[nodiscard]] base::Result<Heatmap> fineHeatmap(store::AttributionReader &facts, const HeatmapQuery &query,
                                                base::Currency currency, const std::stop_token &stop);

} // namespace gpuledger::insight
