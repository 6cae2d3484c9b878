// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/query.h"
#include "app/store/attributionreader.h"
#include "app/store/cube.h"

namespace gpuledger::insight {

struct SummaryRow {
    std::string key;
    TimeByState time;
    CostByState cost;
    // Null when there is nothing to divide by.
    std::optional<double> utilization; // sum(activity x held seconds) / sum(held observed seconds)
    std::optional<double> allocation; // held / paid
    std::optional<double> coverage; // observed / paid
};

struct Summary {
    base::TimeRange range; // as used (whole quarter hours)
    base::Currency currency;
    SummaryRow total;
    std::vector<SummaryRow> rows; // descending by idle cost, then by idle time, ties by key
};

// Dimensions of the roll-up come from the cube, the others (workload, node, device) from the facts. Blocking; worker
// threads. Fails with Storage… codes, or Overflow.
[[nodiscard]] base::Result<Summary> summarize(store::CubeReader &cube, store::AttributionReader &facts,
                                              const Query &query, const Dimension &by, base::Currency currency);

} // namespace gpuledger::insight
