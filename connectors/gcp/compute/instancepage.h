// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/gcp/metrics/instancenumbers.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>

// A page of Compute Engine's list of instances (compute/v1 instances.aggregatedList). No calls.
namespace gpuledger::gcp {

// The model that an accelerator type stands for: "A100 80GB" of "nvidia-a100-80gb". One that is not known keeps its
// name without the maker's. Empty: it is no GPU.
std::string gpuOf(std::string_view acceleratorType);

// "us-central1-a" of ".../zones/us-central1-a".
std::string lastOf(const std::string &url);
model::Labels instanceLabels(const nlohmann::json &instance);
// Of GKE, Dataproc or Slurm: their scheduler says what runs on it.
bool isInCluster(const model::Labels &labels);
bool isSpot(const nlohmann::json &instance);
// The value of a metadata item; empty: it has none.
std::string metadataOf(const nlohmann::json &instance, std::string_view key);

// What the list reports of listed machines beside what others need.
struct InstanceDetails {
    InstanceNumbers numbers;
    std::set<std::string> notebooks; // ids of the machines that Vertex AI Workbench made
};
// Adds the machines with GPUs of a page: those that run, and the last run of those that are stopped. `known` says how
// many GPUs a type has built in; all others have the accelerators that were attached to them. Zones that did not answer
// and machines that can't be told are counted as left out. `details` gets those of the machines. Fails with Parse.
[[nodiscard]] base::Result<void> addInstances(const nlohmann::json &page, const std::string &project,
                                              const std::map<std::string, ports::KnownMachine> &known,
                                              ports::Inventory &out, InstanceDetails &details);

} // namespace gpuledger::gcp
