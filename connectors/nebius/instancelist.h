// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/nebius/platforms.h"

#include <optional>
#include <string>
#include <string_view>

// What the list of instances says (nebius/compute/v1 Instance). No calls; values.
namespace gpuledger::nebius {

namespace wire {
class Instance;
} // namespace wire

// By its number in the API.
enum class InstanceState {
    Unspecified = 0,
    Creating = 1,
    Updating = 2,
    Starting = 3,
    Running = 4,
    Stopping = 5,
    Stopped = 6,
    Deleting = 7,
    Error = 8, // can't be started any more
};
std::string_view wordOf(InstanceState state); // "running"

// An instance as it was told at one time; texts are UTF-8.
struct InstanceFacts {
    std::string id, name, hostName; // the last is often empty
    std::string platform, preset;
    std::string revision; // of its specification and its labels
    std::optional<base::UtcTime> created;
    InstanceState state = InstanceState::Unspecified;
    bool isBusy = false; // an operation on it goes on
    bool isToBeStopped = false; // its specification says so
    model::Labels labels;
    bool isPreemptible = false, hasLocalDisk = false;
    std::string gpuCluster, nvlinkGroup, reservation; // ids; empty: none

    std::string type() const { return typeOf(platform, preset); }
    // A node of Managed Kubernetes, on which Soperator runs, too: their scheduler says what runs on it.
    bool isInCluster() const;
    // Whether it pays for its GPUs: until it has stopped completely. std::nullopt: it is not known.
    std::optional<bool> isOn() const;
};
// Fails with Parse: it has no id, or one that can't be.
[[nodiscard]] base::Result<InstanceFacts> factsOf(const wire::Instance &instance);

// Adds it if it has GPUs and is on; false: it was not added. What can't be told is counted as left out. When a run
// began is not told: the API knows when an instance was created, not when it was started.
bool addInstance(const InstanceFacts &facts, const InstanceTypes &types, const std::string &region,
                 ports::Inventory &out);

} // namespace gpuledger::nebius
