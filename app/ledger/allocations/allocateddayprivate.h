// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/allocations/allocatedday.h"

#include <map>
#include <string>
#include <utility>

// Shared by the two source files of AllocatedDay; do not include it anywhere else.
namespace gpuledger::ledger {

struct AllocatedDay::Source {
    const std::string &name;
    const model::AllocationDay &day;
    std::map<std::size_t, Machine> machines; // by node
    std::map<std::pair<std::string, std::string>, std::size_t> places; // node index by cluster and name
};

} // namespace gpuledger::ledger
