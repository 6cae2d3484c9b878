// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/azure/compute/machinestate.h"
#include "connectors/azure/learning/learningpage.h"

#include <string>
#include <vector>

// What the description of a compute of Azure Machine Learning means for a stop. No calls; values.
namespace gpuledger::azure {

inline constexpr char kStoppedByCluster[] =
    "a node of a cluster is stopped through it: set its minimum number of nodes to 0";

// An instance or a cluster as it was described at one time.
struct ComputeView {
    LearningCompute compute;
    std::string id; // "/subscriptions/…", in lower case
    std::string uid; // the id and the time of its creation, because a later compute may have the same name
    std::string provisioning; // "Succeeded", "Updating", …; empty: not reported
    std::vector<std::string> lastOperation; // its name, time and status
    std::vector<std::string> starts; // the names of the schedules that start it; a name may be empty
};
// Fails with Parse, also if it doesn't say when it was created, and with NotFound if it is only attached.
[[nodiscard]] base::Result<ComputeView> computeViewIn(const nlohmann::json &description,
                                                      const LearningWorkspace &workspace);

// Changes with its state, the last operation on it, its size and its tags.
std::string versionOf(const ComputeView &view);
// All but `ref.source`, the holders and `readAt`.
model::TargetState stateOf(const ComputeView &view, const Locks &locks);

} // namespace gpuledger::azure
