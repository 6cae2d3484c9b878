// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/query/query.h"
#include "app/insight/query/reach.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/cube.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// Paid time expected where a range extends beyond the data of a source, assuming that the devices at the end of the
// data stay.
struct ExpectedTime {
    base::TimeRange missing; // requested but not fetched yet
    bool stale = false; // longer than the normal delay between two syncs
    // Paid time per quarter hour, by key: as in the last complete one of the data.
    std::vector<std::pair<std::string, base::GpuTime>> perCell;
};
// Paid time over part of the missing time.
base::GpuTime expectedOver(base::GpuTime perCell, base::Seconds time);

// One entry per stale source, or per source with `alsoFresh` (see unsyncedOf()). Blocking; call from a worker thread.
// Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<ExpectedTime>> expectedTime(store::CubeReader &cube,
                                                                   store::AttributionReader &facts, const Reach &reach,
                                                                   const Filter &filter, const Dimension &by,
                                                                   bool alsoFresh = false);

// The sum over the missing time of stale sources, by key.
using PaidByKey = std::map<std::string, base::GpuTime>;
PaidByKey notSyncedBy(const std::vector<ExpectedTime> &expected);

} // namespace gpuledger::insight
