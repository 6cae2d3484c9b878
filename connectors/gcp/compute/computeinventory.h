// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"
#include "connectors/gcp/compute/computeapi.h"
#include "connectors/gcp/metrics/monitoringusage.h"
#include "connectors/gcp/workbench/workbenchowners.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::gcp {

// The instances with GPUs in all zones of a project of Google Cloud. Threads and errors: see ports::InventorySource;
// calls also fail with the errors of GoogleToken::get.
class ComputeInventory final : public ports::InventorySource {
public:
    // `usage` may be null: what the instances do is not read.
    ComputeInventory(std::string name, std::unique_ptr<ComputeApi> api, std::unique_ptr<WorkbenchOwners> workbench,
                     std::unique_ptr<MonitoringUsage> usage);

    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return "gcp"; }
    [[nodiscard]] base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &known,
                                                      std::stop_token stop) override;
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(std::stop_token stop) override;
    ports::UsageSource *usage() override { return m_usage.get(); }

private:
    base::Result<void> nameOwners(const std::set<std::string> &notebooks, ports::Inventory &out,
                                  const std::stop_token &stop);

    std::string m_name;
    std::unique_ptr<ComputeApi> m_api;
    std::unique_ptr<WorkbenchOwners> m_workbench;
    std::unique_ptr<MonitoringUsage> m_usage;
};

// For the catalogue. Fails with InvalidConfig (no project, a wrong url, no token, or a word for machines or usage that
// is none).
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeComputeInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                     std::shared_ptr<http::HttpClient> client, const Tuning &tuning = {});

} // namespace gpuledger::gcp
