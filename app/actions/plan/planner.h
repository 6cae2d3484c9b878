// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"
#include "app/actions/environment/clockwatch.h"
#include "app/actions/plan/plan.h"
#include "app/store/actions/actionstore.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// Reports the findings about one of the stops as soon as they are known. Any thread, one call at a time.
using PlanProgress = std::function<void(std::size_t place, const PlannedStop &stop)>;

struct PlanQuestion {
    std::vector<std::string> holders; // ids of the idle list; at most kMost
    bool rehearse = true; // request a dry run from the platform
    std::vector<std::string> despite{}; // other controllers, each named as in TargetState::managers
    static constexpr std::size_t kMost = 500;
};

// Finds the objects that must be stopped for the chosen idle workloads, and checks each against the live sources.
// Blocking; call on a worker thread. Checks of several objects run in parallel. Fails with Refused (nothing chosen, or
// too much), with Cancelled, or if telemetry or the cache can't be queried at all; failures of a single object are in
// its checks.
[[nodiscard]] base::Result<Plan> makePlan(const PlanQuestion &question, ActionEnvironment &environment,
                                          store::ActionStore &store, ClockWatch &clock, std::stop_token stop,
                                          const PlanProgress &progress = {});

} // namespace gpuledger::actions
