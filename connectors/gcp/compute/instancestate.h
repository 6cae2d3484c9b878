// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

// What an instance's description means for a stop. No calls; values.
namespace gpuledger::gcp {

// An instance as it was told at one time.
struct InstanceView {
    std::string uid; // its number: another instance of the same name has another one
    std::string zone, name, hostName;
    std::string status; // "RUNNING", …
    std::string started; // as written; changes with every start
    std::string type, fingerprint; // the latter of its labels
    std::string group; // the instance group that made it; empty: none
    base::UtcTime created{};
    model::Labels labels;
    bool hasLocalDisk = false, isSpot = false, isLimited = false; // the last: it ends by itself
};
// Fails with Parse.
[[nodiscard]] base::Result<InstanceView> instanceIn(const nlohmann::json &instance);

// Changes with every start and stop, and with its type and its labels.
std::string versionOf(const InstanceView &view);
// All but `ref.source`, the holders and `readAt`.
model::TargetState stateOf(const InstanceView &view, const std::string &project);
// Whether the answer to testIamPermissions has this right.
bool hasPermission(const nlohmann::json &answer, const std::string &right);
// What the operation says that a change became: "" while it goes well, else why not.
std::string failureOf(const nlohmann::json &operation);

} // namespace gpuledger::gcp
