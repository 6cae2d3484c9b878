// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionenvironment.h"
#include "app/actions/clockwatch.h"
#include "app/actions/plan.h"
#include "app/store/actions/actionstore.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// What somebody agreed to.
struct Confirmation {
    std::string plan; // hashOf() of what was shown
    std::string reason; // kept in the audit log; may be empty
    std::optional<int> typedCount; // where BlastRadius::needsTypedCount()
    std::string actor{}; // empty: the environment's
    std::vector<std::string> typedNames{}; // BlastRadius::irreversible, typed by hand
    bool onlyMarked = false; // a mark of everything that holds GPUs through it must be there when its call leaves
    static constexpr std::size_t kLongestReason = 2000; // bytes
};

struct RunLimits {
    std::chrono::seconds verifyWithin{150}; // a pod's usual grace period and a minute, with some room
    std::chrono::milliseconds pollEvery{500};
    std::size_t wave = 5; // side by side, after one was verified alone
};

// Called with each new state of an action, on any thread, one call at a time; what it tells is on disk.
using RunProgress = std::function<void(const model::ActionRecord &)>;

struct ActionContext {
    ActionEnvironment &environment;
    store::ActionStore &store;
    ClockWatch &clock;
    RunLimits limits{};
};

// Stops what is stoppable in a plan, in its order. Every object is looked at once more right before its call; one that
// changed is refused, and the others go on. The first surprise (a failure, a lost answer, a second refusal by the
// platform, nobody can tell whether it was done) or a request to stop ends it before the next call: those are refused.
// Whoever calls holds the ActionLock. Blocking; a worker thread. The actions in the order of the plan. Fails with
// Refused (nothing stoppable, another plan than the confirmed one, a plan older than two base buckets, the count or a
// name was not typed, the user's quota); then nothing was called. Fails with Storage… codes where an intent or a result
// can't be written: the log has what was called until then, and settleActions() finds out the rest.
[[nodiscard]] base::Result<std::vector<model::ActionRecord>> runPlan(const Plan &plan, const Confirmation &confirmation,
                                                                     ActionContext &engine, std::stop_token stop,
                                                                     const RunProgress &progress = {});

} // namespace gpuledger::actions
