// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionenvironment.h"
#include "app/actions/clockwatch.h"
#include "app/actions/plan.h"
#include "app/store/actions/actionstore.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// Tells, as soon as it is known, what was found out about one of the stops; any thread, one call at a time.
using PlanProgress = std::function<void(std::size_t place, const PlannedStop &stop)>;

struct PlanQuestion {
    std::vector<std::string> holders; // ids of the idle list; at most kMost
    bool rehearse = true; // ask the platform for a dry run
    std::vector<std::string> despite{}; // other controllers, each named as in TargetState::managers
    static constexpr std::size_t kMost = 500;
};

// From chosen idle workloads to the objects that must be stopped, with every check asked of the live sources now.
// Blocking; worker threads; all checks of several objects run side by side. Fails with Refused (nothing chosen, or too
// much), Cancelled, or where telemetry or the cache can't be asked at all; what fails for one object is in its checks.
[[nodiscard]] base::Result<Plan> makePlan(const PlanQuestion &question, ActionEnvironment &environment,
                                          store::ActionStore &store, ClockWatch &clock, std::stop_token stop,
                                          const PlanProgress &progress = {});

} // namespace gpuledger::actions
