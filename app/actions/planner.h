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

// The checks of one planned stop once more, right before its call: is it the very object that was confirmed, quiet by
// samples that were asked for at `notBefore` or later, and still nobody's wish to keep? The first that fails; nothing:
// go on. `fresh` is the state to act on.
struct PreflightResult {
    std::optional<Check> against;
    model::TargetState fresh;
};
[[nodiscard]] PreflightResult revalidate(const PlannedStop &planned, ActionEnvironment &environment,
                                         store::ActionStore &store, ClockWatch &clock,
                                         std::chrono::steady_clock::time_point notBefore, const std::stop_token &stop);

} // namespace gpuledger::actions
