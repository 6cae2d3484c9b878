// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"
#include "app/actions/environment/clockwatch.h"
#include "app/actions/plan/plan.h"
#include "app/store/actions/actionstore.h"

#include <chrono>
#include <optional>
#include <stop_token>

namespace gpuledger::actions {

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
