// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/measuresums.h"
#include "app/insight/spend/costchange.h"

#include <map>
#include <vector>

// GPU time grouped by what its list price depends on: the groups that explain a change at list prices. Pure; any
// thread.
namespace gpuledger::insight {

// Cluster, cloud, region, GPU model.
const std::vector<Dimension> &rateDimensions();
// By the values of rateDimensions().
using RateSums = std::map<CellKey, MeasureSums>;

// Only time that has a price.
std::vector<CostGroup> costGroups(const RateSums &before, const RateSums &after);
// Paid time that has a price.
std::int64_t pricedTicks(const MeasureSums &sums);

} // namespace gpuledger::insight
