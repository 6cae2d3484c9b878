// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/actionenvironment.h"
#include "app/actions/environment/clockwatch.h"
#include "app/actions/plan/plan.h"
#include "app/store/actions/actionstore.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::actions {

// What the user confirmed.
struct Confirmation {
    std::string plan; // hashOf() of the plan that was shown
    std::string reason; // kept in the audit log; may be empty
    std::optional<int> typedCount; // required if BlastRadius::needsTypedCount()
    std::string actor{}; // empty: the actor of the environment
    std::vector<std::string> typedNames{}; // BlastRadius::irreversible as typed by the user
    bool onlyMarked = false; // every holder behind the object must still be marked when the call is sent
    static constexpr std::size_t kLongestReason = 2000; // bytes
};

struct RunLimits {
    std::chrono::seconds verifyWithin{150}; // a pod's default grace period (30 s) and a minute, with some margin
    // A machine on its way ("stopping"): clouds take minutes.
    std::chrono::seconds machineWithin{900};
    std::chrono::milliseconds pollEvery{500};
    // After a lost answer: for so long a machine may look as before although its cloud was told to stop or start it.
    std::chrono::seconds machineLateness{20};
    std::size_t wave = 5; // in parallel, after the first one was verified alone
};

// Called with each new state of an action, which is already on disk. Any thread, one call at a time.
using RunProgress = std::function<void(const model::ActionRecord &)>;

struct ActionContext {
    ActionEnvironment &environment;
    store::ActionStore &store;
    ClockWatch &clock;
    RunLimits limits{};
};

// Stops the stoppable objects of a plan, in its order, and returns the actions in that order. Every object is checked
// again right before its call; one that has changed is refused and the run continues. The run ends before the next call
// at the first surprise (a failure, a lost answer, a second refusal by the platform, an outcome that can't be
// determined) or when a stop is requested; the remaining objects are refused. The caller holds the ActionLock.
// Blocking; call on a worker thread. Fails with Refused if nothing is stoppable, the plan is not the confirmed one or
// is older than two base buckets, the count or a name was not typed, or the user's quota is used up; then nothing was
// called. Fails with Storage… codes if an intent or a result can't be written: the log then has all calls made so far,
// and settleActions() finds out the rest.
[[nodiscard]] base::Result<std::vector<model::ActionRecord>> runPlan(const Plan &plan, const Confirmation &confirmation,
                                                                     ActionContext &engine, std::stop_token stop,
                                                                     const RunProgress &progress = {});

} // namespace gpuledger::actions
