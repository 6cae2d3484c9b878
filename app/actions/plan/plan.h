// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/check.h"
#include "app/actions/plan/limits.h"
#include "app/base/money/money.h"
#include "app/insight/idle/idle.h"
#include "app/model/action.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::actions {

// One object that would be stopped, with its checks.
struct PlannedStop {
    model::TargetState target; // empty `ref` if no object was found
    bool isSimulated = false;
    std::vector<insight::IdleItem> items; // the idle items that hold GPUs through the object; at least one
    std::string owner; // team
    double gpus = 0;
    std::optional<base::Money> ratePerHour, perMonth; // of all items; std::nullopt if one of them is unpriced
    std::vector<std::string> despite; // other controllers named in the request: the object is stopped despite them
    std::vector<Check> checks; // in the order of CheckName
    base::UtcTime checkedAt{};
    base::UtcTime listedAt{}; // end of the time covered by the idle list that names its items

    bool isStoppable() const { return allPassed(checks) && !target.ref.uid.empty(); }
};

// What the "Stop" button would do, shown before it is confirmed.
struct Plan {
    std::vector<PlannedStop> stops; // in the order of the selection; two pods of one object share a stop
    base::UtcTime at{};
    std::map<std::string, double> held; // GPUs that each team held at that time
    model::ActionLimits limits;
    BlastRadius blast; // of the stoppable ones
};

// SHA-256 over the identity, version and values of the stoppable objects, over which of them can't be restored and over
// their other controllers. It proves that the confirmed plan is the one that was shown.
std::string hashOf(const std::vector<PlannedStop> &stops);
// The same plan reduced to the stops with these uids, in the same order.
Plan withOnly(const Plan &plan, const std::vector<std::string> &uids);

} // namespace gpuledger::actions
