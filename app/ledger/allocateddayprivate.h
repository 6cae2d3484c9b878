// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/allocatedday.h"

#include <map>
#include <string>
#include <utility>

// What the two files of AllocatedDay share; nobody else includes it.
namespace gpuledger::ledger {

struct AllocatedDay::Source {
    const std::string &name;
    const model::AllocationDay &day;
    std::map<std::size_t, Machine> machines; // by node
    std::map<std::pair<std::string, std::string>, std::size_t> places; // the node of its cluster and name
};

} // namespace gpuledger::ledger
