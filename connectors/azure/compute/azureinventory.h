// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/compute/machinepage.h"
#include "connectors/azure/compute/machinesizes.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gpuledger::azure {

// The machines with GPUs of a subscription: virtual machines, and those of uniform scale sets. Threads and errors: see
// ports::InventorySource; calls also fail with the errors of AzureToken.
class AzureInventory final : public ports::InventorySource {
public:
    AzureInventory(std::string name, std::unique_ptr<ComputeApi> api);

    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return "azure"; }
    [[nodiscard]] base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &known,
                                                      std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;

private:
    ComputeQuestion machines(bool statuses) const;
    ComputeQuestion scaleSets() const;
    ComputeQuestion instancesOf(const ScaleSet &set) const;
    ComputeQuestion sizesOf(const std::string &location) const;
    base::Result<void> learnSizes(const std::vector<MachineFacts> &machines, const std::vector<ScaleSet> &sets,
                                  MachineSizes &sizes, const std::stop_token &stop);
    base::Result<void> addMachines(const std::vector<MachineFacts> &machines, const MachineSizes &sizes,
                                   ports::Inventory &out, const std::stop_token &stop);
    base::Result<void> addInstances(const ScaleSet &set, const MachineSizes &sizes, ports::Inventory &out,
                                    const std::stop_token &stop);

    std::string m_name;
    std::unique_ptr<ComputeApi> m_api;
};

// For the catalogue. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeAzureInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                   std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::azure
