// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/compute/machinesizes.h"
#include "connectors/azure/learning/learningpage.h"

#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::azure {

inline constexpr char kWorkspacesRight[] = "Microsoft.MachineLearningServices/workspaces/read";
inline constexpr char kComputesRight[] = "Microsoft.MachineLearningServices/workspaces/computes/read";
inline constexpr char kNodesRight[] = "Microsoft.MachineLearningServices/workspaces/computes/listNodes/action";
inline constexpr char kLearningProvider[] = "/providers/Microsoft.MachineLearningServices/workspaces";
inline constexpr char kLearningVersion[] = "?api-version=2022-10-01";

// The address of a workspace in the Resource Manager.
std::string workspaceUrl(const ComputeApi &api, const LearningWorkspace &workspace);

// The machines with GPUs of Azure Machine Learning in a subscription: instances, and the nodes of clusters. They run in
// subscriptions of Microsoft and are in no list of Microsoft.Compute. Blocking; one call at a time.
class LearningMachines {
public:
    static constexpr std::size_t kMostMachines = 100'000;

    explicit LearningMachines(ComputeApi &api); // which must outlive it

    // All workspaces; none if the subscription does not have the service. That they may not be listed is a warning in
    // `out`. Fails as computes() does.
    [[nodiscard]] base::Result<std::vector<LearningWorkspace>> workspaces(ports::Inventory &out,
                                                                          const std::stop_token &stop);
    // The instances and clusters of all workspaces, whatever their sizes; none if the subscription does not have the
    // service. What may not be listed is a warning in `out`, and so is what can't be read counted there. If the service
    // fails otherwise, `out` is partial (ports::Inventory::noteFailure). Fails as ComputeApi::eachPage does, but only
    // with what concerns the whole account.
    [[nodiscard]] base::Result<std::vector<LearningCompute>> computes(ports::Inventory &out,
                                                                      const std::stop_token &stop);
    // Adds the machines of those that have GPUs and run. Fails as computes() does, and leaves `out` with some of them.
    [[nodiscard]] base::Result<void> add(const std::vector<LearningCompute> &computes, const MachineSizes &sizes,
                                         ports::Inventory &out, const std::stop_token &stop);
    // What a connection test says of the three rights, as far as there is something to ask for. Fails like computes().
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);

private:
    ComputeQuestion workspacesList() const;
    ComputeQuestion computesOf(const LearningWorkspace &workspace) const;
    ComputeQuestion nodesOf(const LearningCompute &cluster) const;
    std::string idOf(const LearningWorkspace &workspace) const;

    base::Result<void> addNodes(const LearningCompute &cluster, const SizeGpus &size, ports::Inventory &out,
                                const std::stop_token &stop);
    base::Result<void> addMachine(const LearningCompute &compute, const std::string &node, const SizeGpus &size,
                                  ports::Inventory &out);
    base::Result<nlohmann::json> tryList(const ComputeQuestion &list, std::vector<ports::Finding> &findings,
                                         const std::stop_token &stop);

    ComputeApi &m_api;
    std::set<std::string> m_ids; // of the machines added
};

} // namespace gpuledger::azure
