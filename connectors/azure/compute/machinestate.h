// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "connectors/azure/compute/machinepage.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

// What a virtual machine's description means for a stop, and what it has in common with other machines that can be
// stopped. No calls; values.
namespace gpuledger::azure {

// A machine as it was told at one time.
struct MachineView {
    MachineFacts facts;
    MachineStatus status;
    std::string uid; // vmId: another machine of the same name has another one
    std::string provisioning; // "Succeeded", "Updating", …
    std::string scaleSet; // id of the one that it belongs to; empty: none
};
// From its description and its instance view. Fails with Parse.
[[nodiscard]] base::Result<MachineView> viewIn(const nlohmann::json &machine, const nlohmann::json &instanceView);

// The locks on it and on what it is in; std::nullopt: they could not be read.
using Locks = std::optional<std::vector<std::string>>; // names of those that let nothing be changed
[[nodiscard]] base::Result<std::vector<std::string>> readOnlyLocksIn(const nlohmann::json &page);
// Whether a page of permissions allows an action. Actions have wildcards; what one entry denies, another may allow.
bool allows(const nlohmann::json &page, std::string_view action);

// A name or a word of the service on one line, for people.
std::string shownWord(const std::string &text);
// StopProtection if a lock lets nothing be changed.
std::optional<model::Obstacle> lockObstacle(const Locks &locks);
// `own` cautions, and those of every machine.
std::vector<model::Caution> cautionsWith(std::vector<model::Caution> own, const Locks &locks);
// A machine that is stopped as a whole and loses its temporary disk. Its version, cautions, obstacle, annotations and
// `isChanging` are left to the caller. `stoppedState` is the service's word for a stopped machine.
model::TargetState stoppableState(model::TargetRef ref, const std::string &state, const std::string &stoppedState,
                                  const model::Labels &tags);

// Changes with its power state, the last operation on it, its size and its tags.
std::string versionOf(const MachineView &view);
// All but `ref.source`, the holders and `readAt`.
model::TargetState stateOf(const MachineView &view, const Locks &locks);

} // namespace gpuledger::azure
