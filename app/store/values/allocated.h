// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/allocation.h"

#include <functional>
#include <string>
#include <vector>

// What allocators say of a UTC day, as the ledger is made from it, and what it finds about them.
namespace gpuledger::store {

using AllocatedVisitor = std::function<base::Result<void>(const std::string &source, const model::AllocationDay &)>;
using AllocationFindings = std::vector<model::AllocationFinding>; // ascending by key(), of one day
using AllocationFindingVisitor = std::function<base::Result<void>(base::Day, const model::AllocationFinding &)>;

// What the cache has of a source's day.
struct AllocatedState {
    base::Day day;
    base::UtcTime fetchedAt{};
    bool final = false; // it changes no more
    bool empty = true; // the server knew nothing of it
    bool held = false; // the server has less of it than what is kept
};

} // namespace gpuledger::store
