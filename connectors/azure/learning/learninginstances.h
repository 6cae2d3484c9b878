// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"
#include "connectors/azure/compute/computeapi.h"

#include <stop_token>
#include <string>

namespace gpuledger::azure {

// The compute instances of Azure Machine Learning in a subscription, as AzureTarget stops and starts them. Blocking;
// any thread. Calls fail with the errors of ComputeApi::ask.
class LearningInstances {
public:
    explicit LearningInstances(ComputeApi &api); // which must outlive it

    // Whether a target is one of these: its name space is GROUP/WORKSPACE, that of a virtual machine is GROUP.
    static bool has(const model::TargetRef &target);
    // The one that is called GROUP/WORKSPACE/COMPUTE or COMPUTE, in any case. A service that the account may not list
    // has none of that short name. Fails with NotFound; with Refused if several may have it, or if it is the name of
    // GROUP/WORKSPACE/COMPUTE/NODE.
    [[nodiscard]] base::Result<model::TargetRef> named(const std::string &name, const std::stop_token &stop);
    // All but `ref.source`, the holders and `readAt`. Fails also with Parse.
    [[nodiscard]] base::Result<model::TargetState> describe(const model::TargetRef &target, bool withLocks,
                                                            const std::stop_token &stop);
    [[nodiscard]] base::Result<ports::Permission> permission(const model::TargetRef &target, bool undo,
                                                             const std::stop_token &stop);
    // Sends the change, once. Of the outcome, the version is missing.
    [[nodiscard]] ports::WriteOutcome change(const model::TargetRef &target, bool starts, const std::stop_token &stop);

private:
    base::Result<model::TargetRef> byFullName(const std::string &name, const std::stop_token &stop);
    base::Result<model::TargetRef> byOwnName(const std::string &name, const std::stop_token &stop);
    std::string idOf(const model::TargetRef &target) const;

    ComputeApi &m_api;
};

} // namespace gpuledger::azure
