// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionenvironment.h"
#include "app/actions/clockwatch.h"
#include "app/actions/plan.h"
#include "app/store/actions/actionstore.h"

#include <chrono>
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

// Repeats the checks of one planned stop right before its call: it is still the confirmed object, it is idle in samples
// requested at `notBefore` or later, and no wish to keep it has been added. `against` is the first check that fails,
// std::nullopt if none does. `fresh` is the state to act on.
struct PreflightResult {
    std::optional<Check> against;
    model::TargetState fresh;
};
[[nodiscard]] PreflightResult revalidate(const PlannedStop &planned, ActionEnvironment &environment,
                                         store::ActionStore &store, ClockWatch &clock,
                                         std::chrono::steady_clock::time_point notBefore, const std::stop_token &stop);

} // namespace gpuledger::actions
