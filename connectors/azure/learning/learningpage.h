// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What Microsoft.MachineLearningServices' lists say of computes (api-version 2022-10-01). No calls; values.
namespace gpuledger::azure {

// What belongs together in Azure Machine Learning. Its group and name are usable as parts of an address, once encoded.
struct LearningWorkspace {
    std::string group, name;
    std::string location{}; // "eastus"; empty: not reported
};

// A compute that has machines of its own.
struct LearningCompute {
    enum class Kind {
        Instance, // one machine
        Cluster, // its nodes
    };
    Kind kind = Kind::Instance;
    LearningWorkspace workspace;
    std::string name; // usable as a part of an address, once encoded
    std::string size; // "STANDARD_NC6S_V3", in any case
    std::string location;
    model::Labels tags; // with the tag `created_by`, if the service says who created it
    std::string state; // of an instance: "JobRunning"
    std::optional<base::UtcTime> since; // when the run of an instance began; empty: not reported
    bool isSpot = false;
    bool hasNodes = true; // false: a cluster without nodes
    std::optional<base::UtcTime> created; // empty: not reported
};

// A machine of a cluster.
struct ComputeNode {
    std::string id, state; // "tvm-3601533753_1-20170719t162906z", "running"
};

enum class ComputeRun { On, Off, Unknown };

// Whether a text can be a part of an address and of an id, whatever it means there.
bool isNamePart(const std::string &text);
// The workspaces of a page. `subscription` is "/subscriptions/…"; what is not below it can't be read, and is counted in
// `out`. Fails with Parse.
[[nodiscard]] base::Result<std::vector<LearningWorkspace>>
workspacesIn(const nlohmann::json &page, const std::string &subscription, ports::Inventory &out);
// Whether a compute is only attached to its workspace: its machines are listed where they are.
bool isAttached(const nlohmann::json &compute);
// An instance or a cluster; std::nullopt: it can't be read.
std::optional<LearningCompute> computeIn(const nlohmann::json &compute, const LearningWorkspace &workspace);
// The instances and clusters of a page; attached computes are not machines of their own. What can't be read is counted
// in `out`. Fails with Parse.
[[nodiscard]] base::Result<std::vector<LearningCompute>>
computesIn(const nlohmann::json &page, const LearningWorkspace &workspace, ports::Inventory &out);
// The nodes of a page of listNodes. What can't be read is counted in `out`. Fails with Parse.
[[nodiscard]] base::Result<std::vector<ComputeNode>> nodesIn(const nlohmann::json &page, ports::Inventory &out);

// Whether an instance in this state is billed for its machine.
ComputeRun instanceRun(std::string_view state);
// Whether a node in this state is a machine.
ComputeRun nodeRun(std::string_view state);

} // namespace gpuledger::azure
