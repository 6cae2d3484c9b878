// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/inventorysource.h"
#include "connectors/azure/compute/activitylog.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/compute/machinepage.h"
#include "connectors/azure/compute/machinesizes.h"
#include "connectors/azure/learning/learningmachines.h"
#include "connectors/azure/metrics/monitorusage.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::azure {

// The machines with GPUs of a subscription: virtual machines, those of uniform scale sets, and those of Azure Machine
// Learning. Threads and errors: see ports::InventorySource; calls also fail with the errors of AzureToken.
class AzureInventory final : public ports::InventorySource {
public:
    // `clock` must outlive it. `usage` may be null: what the machines do is not read.
    AzureInventory(std::string name, std::unique_ptr<ComputeApi> api, const base::Clock &clock,
                   std::unique_ptr<MonitorUsage> usage = nullptr);

    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return "azure"; }
    [[nodiscard]] base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &known,
                                                      std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;
    ports::UsageSource *usage() override { return m_usage.get(); }

private:
    // A machine with GPUs, and what it is doing.
    struct Seen {
        MachineFacts facts;
        MachineStatus status;
        SizeGpus size;
    };
    ComputeQuestion machines(bool statuses) const;
    ComputeQuestion scaleSets() const;
    ComputeQuestion instancesOf(const ScaleSet &set) const;
    ComputeQuestion sizesOf(const std::string &location) const;
    ComputeQuestion activity(const base::TimeRange &range) const;
    base::Result<void> learnSizes(const std::vector<MachineFacts> &machines, const std::vector<ScaleSet> &sets,
                                  const std::vector<LearningCompute> &computes, MachineSizes &sizes,
                                  const std::stop_token &stop);
    base::Result<void> addMachines(const std::vector<MachineFacts> &machines, const MachineSizes &sizes,
                                   std::vector<Seen> &out, const std::stop_token &stop);
    base::Result<void> addInstances(const ScaleSet &set, const MachineSizes &sizes, std::vector<Seen> &out,
                                    const std::stop_token &stop);
    // Empty: no machine needs it, or it can't be read, of which `out` warns. Fails with Cancelled.
    base::Result<std::optional<ActivityLog>> readActivity(const std::vector<Seen> &machines, ports::Inventory &out,
                                                          const std::stop_token &stop);
    base::Result<ports::Finding> probeActivity(const std::stop_token &stop);

    std::string m_name;
    std::unique_ptr<ComputeApi> m_api;
    const base::Clock &m_clock;
    std::unique_ptr<MonitorUsage> m_usage;
};

// For the catalogue. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeAzureInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                   const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::azure
