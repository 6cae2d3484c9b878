// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/check.h"
#include "app/actions/limits.h"
#include "app/base/money.h"
#include "app/insight/idle/idle.h"
#include "app/model/action.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::actions {

// One object that would be stopped, and what was asked about it.
struct PlannedStop {
    model::TargetState target; // empty `ref` where none was found
    bool isSimulated = false;
    std::vector<insight::IdleItem> items; // what holds GPUs through it, as the idle list has it; at least one
    std::string owner; // team
    double gpus = 0;
    std::optional<base::Money> ratePerHour, perMonth; // of all items; null: one of them is unpriced
    std::vector<std::string> despite; // other controllers that were named: it is stopped all the same
    std::vector<Check> checks; // in the order of CheckName
    base::UtcTime checkedAt{};
    base::UtcTime listedAt{}; // until when the idle list that names its items had looked

    bool isStoppable() const { return allPassed(checks) && !target.ref.uid.empty(); }
};

// What a click on "Stop" would do; shown before anybody confirms it.
struct Plan {
    std::vector<PlannedStop> stops; // in the order of what was chosen; two pods of one object are one
    base::UtcTime at{};
    std::map<std::string, double> held; // GPUs of each team at that time
    model::ActionLimits limits;
    BlastRadius blast; // of those that are stoppable
};

// SHA-256 over identity, version and values of what is stoppable in it, over which of it can't be brought back and who
// else manages it: what is confirmed is what was shown.
std::string hashOf(const std::vector<PlannedStop> &stops);
// The same plan with only these of its stops, in the same order.
Plan withOnly(const Plan &plan, const std::vector<std::string> &uids);

} // namespace gpuledger::actions
