// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"
#include "app/actions/environment/clockwatch.h"
#include "app/actions/plan/plan.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

// The checks of a stop that ask telemetry, the platform and the clock, for the plan and for the preflight. Those with a
// stop token block; worker threads.
namespace gpuledger::actions {

// What the current samples show.
struct QuietCheck {
    Check check;
    base::UtcTime newest{}; // newest sample seen
    std::chrono::steady_clock::time_point askedAt{};
};

QuietCheck quietCheck(const PlannedStop &planned, ActionEnvironment &environment,
                      std::chrono::steady_clock::time_point notBefore, const std::stop_token &stop);
Check writesCheck(const PlannedStop &planned, ActionEnvironment &environment, const std::stop_token &stop);
Check permissionCheck(const PlannedStop &planned, const Platform &platform, const std::stop_token &stop);
Check rehearsalCheck(const PlannedStop &planned, const Platform &platform, ActionEnvironment &environment,
                     const std::stop_token &stop);
Check clockCheck(ClockWatch &clock, ActionEnvironment &environment, base::UtcTime newest);

// `despite`: other controllers that were named: they are not an obstacle.
Check stoppableCheck(const model::TargetState &target, const std::vector<std::string> &despite);
// Whether the configuration forbids stopping such an object; std::nullopt if it does not.
std::optional<Check> reversibleCheck(const model::TargetState &target, const ActionEnvironment &environment);

Check failedCheck(CheckName name, Why why, const std::string &subject = {});
Check passedCheck(CheckName name);
Check unreachableCheck(CheckName name, const base::Error &error);

} // namespace gpuledger::actions
