// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/query/measuresums.h"
#include "app/insight/query/notsynced.h"
#include "app/insight/query/query.h"
#include "app/insight/query/reach.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/cube.h"

#include <string>

namespace gpuledger::insight {

// GPU time, cost and ratios of one group.
struct SummaryRow {
    std::string key;
    TimeByState time;
    CostByState cost;
    // Null if there is nothing to divide by.
    std::optional<double> utilization; // sum(activity x held seconds) / sum(held observed seconds)
    std::optional<double> allocation; // held / paid
    std::optional<double> coverage; // observed / (paid + notSynced)
    // Paid time expected where the range extends beyond the data, assuming that the devices present at the end of the
    // data stay. Not included in any sum, and never priced; 0 unless the data are stale.
    base::GpuTime notSynced;
    // True if its cost is known: some of the paid time has a price, or nothing was paid for and nothing is missing.
    bool hasKnownCost() const { return time.paid().ticks == 0 ? notSynced.ticks == 0 : cost.unpriced < time.paid(); }
};

// GPU time and cost of a range by one dimension.
struct Summary {
    base::TimeRange range; // as used (whole quarter hours)
    base::Currency currency;
    SummaryRow total;
    std::vector<SummaryRow> rows; // descending by idle cost, then by idle time, ties by key
    Reach reach; // of the data, in the range
};

// Dimensions of the roll-up are read from the cube, the others (workload, node, device) from the facts. Blocking; call
// from a worker thread. Fails with Storage… codes, or Overflow.
[[nodiscard]] base::Result<Summary> summarize(store::CubeReader &cube, store::AttributionReader &facts,
                                              const Query &query, const Dimension &by, base::Currency currency,
                                              const Reach &reach = {});
// Builds the row of a group from its sums.
SummaryRow rowOf(std::string key, const MeasureSums &sums);
// Counts time that is not synced as not observed.
void addNotSynced(SummaryRow &row, base::GpuTime time);

} // namespace gpuledger::insight
