// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/ruleseries.h"

#include <set>

namespace gpuledger::services {

// What waited in a cluster in each quarter hour of a range.
struct WaitedCells {
    std::vector<std::int64_t> gpuSeconds; // that were waited for
    std::vector<std::int64_t> known; // seconds for which a source recorded what waited
};

// By cluster; of `cells`, whole quarter hours. A pod that several sources reported counts once. A request for whole
// GPUs counts with their number, one for a slice or in a cluster of `sharing` (whose GPUs are shared) as one. Pure.
std::map<std::string, WaitedCells> waitedCells(const store::PastWaiting &past, const std::set<std::string> &sharing,
                                               base::TimeRange cells);

// For the metric QueueWaiting: a reading every quarter hour, of the hour that ends then: the mean number of GPUs that
// pods waited for, but no more than the mean number of GPUs that were idle or that nobody held. Clusters of which no
// source recorded what waits have no series. Unknown if that was recorded for less than nine tenths of the hour, or if
// the hour is unknown as for Unallocated. Fails with Storage… codes.
[[nodiscard]] base::Result<RuleSeries> queueSeriesOf(View &view, const SeriesQuestion &question);

} // namespace gpuledger::services
