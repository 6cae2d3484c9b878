// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionenvironment.h"
#include "app/actions/clockwatch.h"
#include "app/actions/plan.h"
#include "app/store/actions/actionstore.h"

#include <chrono>
#include <optional>
#include <stop_token>

namespace gpuledger::actions {

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
