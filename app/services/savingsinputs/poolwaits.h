// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/savings/capacity/capacity.h"
#include "app/store/facts/factreader.h"

#include <vector>

namespace gpuledger::services {

// Adds what waited in the cluster of each pool and asked for GPUs that the pool has, or may have (poolkinds.h);
// `range`: the hours of the pools. A request counts with its GPUs if it was for whole ones. One for a slice or a share
// of a GPU counts as one GPU, and so does every request in a cluster in which some node shares its GPUs. Fails with
// Storage… codes.
[[nodiscard]] base::Result<void> addWaiting(std::vector<savings::CapacityPool> &pools, store::FactReader &facts,
                                            base::TimeRange range);

} // namespace gpuledger::services
