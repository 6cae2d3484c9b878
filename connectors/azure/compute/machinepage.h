// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

// What Microsoft.Compute's lists say of machines (api-version 2024-07-01). No calls.
namespace gpuledger::azure {

// What the Resource Manager knows about a machine without looking at it.
struct MachineFacts {
    std::string id; // "/subscriptions/…", as told: its case changes from answer to answer
    std::string computerName; // empty: not told
    std::string size; // "Standard_ND96isr_H100_v5"
    std::string location, zone; // "eastus", "1" (empty: none)
    model::Labels tags;
    std::optional<base::UtcTime> created;
    bool isSpot = false;
    std::string scaleSet{}; // id of the one that it belongs to, in lower case; empty: none

    // Of AKS or Databricks, as their tags say: those decide what runs on it.
    bool isInCluster() const;
};

// What it is doing.
struct MachineStatus {
    std::string power; // "running", "deallocated", …; empty: not told
    std::optional<base::UtcTime> done; // when the last operation on it ended; empty: one goes on, or not told
};

// When a machine ran, as the activity log says.
struct RunTimes {
    base::UtcTime since{};
    std::optional<base::UtcTime> until{}; // empty: it goes on
};

// A set of machines of one size. Those of a flexible one are in the list of machines, those of a uniform one are not.
struct ScaleSet {
    std::string id, size, location;
    bool isUniform = false, isEmpty = false, isSpot = false;
};

// The tags of a machine or another resource.
model::Labels tagsIn(const nlohmann::json &resource);
MachineFacts factsOf(const nlohmann::json &machine);
MachineStatus statusOf(const nlohmann::json &instanceView);
// "rg/name" of "/subscriptions/S/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/name", and
// "rg/set_instance" of ".../virtualMachineScaleSets/set/virtualMachines/instance", in lower case.
std::string machineName(const std::string &id);
std::string subscriptionOf(const std::string &id); // in lower case
// The machines of a page of virtualMachines or of a scale set. Fails with Parse.
[[nodiscard]] base::Result<std::vector<MachineFacts>> machinesIn(const nlohmann::json &page);
// By id in lower case. Fails with Parse.
[[nodiscard]] base::Result<std::map<std::string, MachineStatus>> statusesIn(const nlohmann::json &page);
[[nodiscard]] base::Result<std::vector<ScaleSet>> scaleSetsIn(const nlohmann::json &page);

// The machine as it is listed; its GPUs are left to the caller. `run`: what the activity log says of it. std::nullopt:
// it does not run, and when it did is not known, or (`isUnknown`) that it runs or since when is not known.
std::optional<ports::ListedMachine> listed(const MachineFacts &facts, const MachineStatus &status, bool &isUnknown,
                                           const std::optional<RunTimes> &run = {});
// True of a machine that is off, but keeps its place and its price.
bool isStoppedAndBilled(const MachineStatus &status);

} // namespace gpuledger::azure
