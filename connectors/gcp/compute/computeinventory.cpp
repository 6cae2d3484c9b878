// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computeinventory.h"

#include "connectors/gcp/compute/computerefusal.h"
#include "connectors/gcp/compute/instancepage.h"

#include <nlohmann/json.hpp>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

ComputeInventory::ComputeInventory(std::string name, std::unique_ptr<ComputeApi> api)
    : m_name(std::move(name))
    , m_api(std::move(api))
{
}

Result<ports::Inventory> ComputeInventory::read(const std::map<std::string, ports::KnownMachine> &known,
                                                std::stop_token stop)
{
    ports::Inventory inventory;
    GPULEDGER_TRY(m_api->eachPage(
        [&](const nlohmann::json &page) { return addInstances(page, m_api->project(), known, inventory); }, stop));
    return inventory;
}

Result<std::vector<ports::Finding>> ComputeInventory::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    const auto list = m_api->askList(stop);
    if (list)
        return std::vector<ports::Finding>{{Level::Good, ports::FindingText::RightGiven, {kListRight}, {}, {}}};
    if (list.error().code != ErrorCode::Forbidden)
        return base::fail(list.error());
    return std::vector<ports::Finding>{{Level::Missing, ports::FindingText::MachinesWithheld, {kListRight}, {}, {}}};
}

Result<std::unique_ptr<ports::InventorySource>> makeComputeInventory(const model::SourceSettings &settings,
                                                                     ports::SecretStore &secrets,
                                                                     const base::Clock &realClock,
                                                                     std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    auto api = makeComputeApi(settings, kReadScope, secrets, realClock, std::move(client));
    GPULEDGER_TRY(api);
    return std::make_unique<ComputeInventory>(settings.name, std::move(*api));
}

} // namespace gpuledger::gcp
