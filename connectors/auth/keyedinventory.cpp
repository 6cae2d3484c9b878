// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/keyedinventory.h"

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;

KeyedInventory::KeyedInventory(const model::SourceSettings &settings, const KeyedSettings &keyed,
                               ports::SecretStore &secrets, const base::Clock &realClock,
                               std::shared_ptr<http::HttpClient> client, KeyedTuning tuning, KeyedApi::Refusal refusal,
                               const KeyedMachineList &list)
    : m_name(settings.name)
    , m_realClock(realClock)
    , m_api(settings, keyed.api, secrets, std::move(client), std::move(tuning), refusal)
    , m_list(list)
{
}

Result<ports::Inventory> KeyedInventory::read(const std::map<std::string, ports::KnownMachine> &, std::stop_token stop)
{
    auto inventory = m_list.read(m_api, stop);
    GPULEDGER_TRY(inventory);
    if (const auto wrong = wrongClock(m_api.answerDate(), m_realClock.now(),
                                      "nobody knows when these machines were listed, and none was recorded"))
        return base::fail(*wrong);
    return inventory;
}

Result<std::vector<ports::Finding>> KeyedInventory::probe(std::stop_token stop)
{
    const auto inventory = m_list.read(m_api, stop);
    if (inventory)
        return std::vector<ports::Finding>();
    // Services answer both to a key that may do less.
    const ErrorCode code = inventory.error().code;
    if (code != ErrorCode::Forbidden && code != ErrorCode::Unauthorized)
        return base::fail(inventory.error());
    return std::vector<ports::Finding>{
        {ports::Finding::Level::Missing, ports::FindingText::MachinesWithheld, {m_list.right}, {}, {}}};
}

} // namespace gpuledger::auth
