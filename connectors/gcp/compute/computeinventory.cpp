// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computeinventory.h"

#include "connectors/gcp/compute/computerefusal.h"
#include "connectors/gcp/compute/instancepage.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kCreatorLabel = "created_by"; // as machines of Azure Machine Learning have it

} // namespace

ComputeInventory::ComputeInventory(std::string name, std::unique_ptr<ComputeApi> api,
                                   std::unique_ptr<WorkbenchOwners> workbench, std::unique_ptr<MonitoringUsage> usage)
    : m_name(std::move(name))
    , m_api(std::move(api))
    , m_workbench(std::move(workbench))
    , m_usage(std::move(usage))
{
}

Result<ports::Inventory> ComputeInventory::read(const std::map<std::string, ports::KnownMachine> &known,
                                                std::stop_token stop)
{
    ports::Inventory inventory;
    InstanceDetails details;
    GPULEDGER_TRY(m_api->eachPage(
        [&](const nlohmann::json &page) { return addInstances(page, m_api->project(), known, inventory, details); },
        stop));
    GPULEDGER_TRY(nameOwners(details.notebooks, inventory, stop));
    if (m_usage)
        m_usage->know(std::move(details.numbers));
    return inventory;
}

// Compute Engine does not know who has a notebook. A label of that name says it already.
Result<void> ComputeInventory::nameOwners(const std::set<std::string> &notebooks, ports::Inventory &out,
                                          const std::stop_token &stop)
{
    const auto isUnnamed = [&](const ports::ListedMachine &machine) {
        return notebooks.contains(machine.id) && !machine.tags.contains(kCreatorLabel);
    };
    if (std::none_of(out.machines.begin(), out.machines.end(), isUnnamed))
        return {};
    auto known = m_workbench->read(stop);
    GPULEDGER_TRY(known);
    for (ports::ListedMachine &machine : out.machines) {
        std::string owner = isUnnamed(machine) ? known->of(machine.id) : std::string();
        if (!owner.empty())
            machine.tags.emplace(kCreatorLabel, std::move(owner));
    }
    std::move(known->warnings.begin(), known->warnings.end(), std::back_inserter(out.warnings));
    return {};
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
    if (list) {
        const auto owners = m_workbench->probe(stop);
        GPULEDGER_TRY(owners);
        findings.insert(findings.end(), owners->begin(), owners->end());
    }
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
    auto workbench = makeWorkbenchOwners(settings, secrets, realClock, client, tuning);
    GPULEDGER_TRY(workbench);
    auto api = makeComputeApi(settings, kReadScope, secrets, realClock, std::move(client), tuning);
    GPULEDGER_TRY(api);
    return std::make_unique<ComputeInventory>(settings.name, std::move(*api), std::move(*workbench), std::move(*usage));
}

} // namespace gpuledger::gcp
