// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/allocated.h"
#include "app/store/values/cube.h"
#include "app/store/values/gapkept.h"
#include "app/store/values/idlekept.h"

#include <map>

namespace gpuledger::store {

// Everything that is derived from the facts of one day.
struct DerivedDay {
    std::map<GroupKey, GroupDay> groups;
    IdleDay idle;
    GapDay gaps;
    LedgerDay ledger;
    AllocationFindings findings;
};

} // namespace gpuledger::store
