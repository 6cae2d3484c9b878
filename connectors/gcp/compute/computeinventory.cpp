// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computeinventory.h"

#include "connectors/gcp/compute/computerefusal.h"
#include "connectors/gcp/compute/instancepage.h"

#include <nlohmann/json.hpp>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

ComputeInventory::ComputeInventory(std::string name, std::unique_ptr<ComputeApi> api,
                                   std::unique_ptr<MonitoringUsage> usage)
    : m_name(std::move(name))
    , m_api(std::move(api))
    , m_usage(std::move(usage))
{
}

Result<ports::Inventory> ComputeInventory::read(const std::map<std::string, ports::KnownMachine> &known,
                                                std::stop_token stop)
{
    ports::Inventory inventory;
    InstanceNumbers numbers;
    GPULEDGER_TRY(m_api->eachPage(
        [&](const nlohmann::json &page) { return addInstances(page, m_api->project(), known, inventory, numbers); },
        stop));
    if (m_usage)
        m_usage->know(std::move(numbers));
    return inventory;
}

Result<std::vector<ports::Finding>> ComputeInventory::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    const auto list = m_api->askList(stop);
    if (!list && list.error().code != ErrorCode::Forbidden)
        return base::fail(list.error());
    std::vector<ports::Finding> findings;
    if (list)
        findings.push_back({Level::Good, ports::FindingText::RightGiven, {kListRight}, {}, {}});
    else
        findings.push_back({Level::Missing, ports::FindingText::MachinesWithheld, {kListRight}, {}, {}});
    if (!m_usage)
        return findings;
    const auto use = m_usage->probe(stop);
    GPULEDGER_TRY(use);
    findings.insert(findings.end(), use->begin(), use->end());
    return findings;
}

Result<std::unique_ptr<ports::InventorySource>>
makeComputeInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                     std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    auto usage = makeMonitoringUsage(settings, secrets, realClock, client, tuning);
    GPULEDGER_TRY(usage);
    auto api = makeComputeApi(settings, kReadScope, secrets, realClock, std::move(client), tuning);
    GPULEDGER_TRY(api);
    return std::make_unique<ComputeInventory>(settings.name, std::move(*api), std::move(*usage));
}

} // namespace gpuledger::gcp
