// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/allocation.h"

#include <functional>
#include <string>
#include <vector>

// What allocators report for a UTC day, as input of the ledger, and what the ledger finds about them.
namespace gpuledger::store {

using AllocatedVisitor = std::function<base::Result<void>(const std::string &source, const model::AllocationDay &)>;
using AllocationFindings = std::vector<model::AllocationFinding>; // ascending by key(), of one day
using AllocationFindingVisitor = std::function<base::Result<void>(base::Day, const model::AllocationFinding &)>;

// What the cache has for a source's day.
struct AllocatedState {
    base::Day day;
    base::UtcTime fetchedAt{};
    bool final = false; // it will not change any more
    bool empty = true; // the server had no data for it
    bool held = false; // the server now has less of it than what is stored
};

} // namespace gpuledger::store
