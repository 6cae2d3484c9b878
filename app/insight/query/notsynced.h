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

// Paid time to be expected where a range goes on behind the data of a source: the devices at their end are expected to
// stay.
struct ExpectedTime {
    base::TimeRange missing; // asked for, and not fetched yet
    bool stale = false; // more than what is missing between two syncs when all is well
    // What is paid for in a quarter hour, by key: as in the last whole one of the data.
    std::vector<std::pair<std::string, base::GpuTime>> perCell;
};
// Paid time over some part of what is missing.
base::GpuTime expectedOver(base::GpuTime perCell, base::Seconds time);

// One a stale source, or one a source with `alsoFresh` (see unsyncedOf()). Blocking; worker threads. Fails with
// Storage… codes.
[[nodiscard]] base::Result<std::vector<ExpectedTime>> expectedTime(store::CubeReader &cube,
                                                                   store::AttributionReader &facts, const Reach &reach,
                                                                   const Filter &filter, const Dimension &by,
                                                                   bool alsoFresh = false);

// The sum over the missing time of stale sources, by key.
using PaidByKey = std::map<std::string, base::GpuTime>;
PaidByKey notSyncedBy(const std::vector<ExpectedTime> &expected);

} // namespace gpuledger::insight
