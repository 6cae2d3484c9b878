// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/clouds/cloudmachines.h"

#include "connectors/demo/bills/billmonths.h"

#include <algorithm>

namespace gpuledger::demo {

using base::Result;

Result<std::unique_ptr<ports::InventorySource>> CloudMachines::create(const model::SourceSettings &settings,
                                                                      const base::Clock &clock)
{
    const auto account = accountOf(settings);
    GPULEDGER_TRY(account);
    return std::make_unique<CloudMachines>(settings.name, *account->first, account->second, clock);
}

CloudMachines::CloudMachines(std::string name, const CloudAccount &account, const Options &options,
                             const base::Clock &clock)
    : m_name(std::move(name))
    , m_account(account)
    , m_options(options)
    , m_clock(clock)
{
}

Result<ports::Inventory> CloudMachines::read(const std::map<std::string, ports::KnownMachine> & /*known*/,
                                             std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "stopped");
    ports::Inventory inventory;
    if (!m_account.listsMachines)
        return inventory;
    const base::UtcTime now = m_clock.now();
    const auto months = billedMonths(m_options, now);
    for (const CloudMachine &machine : machinesAt(m_account, FleetPlan::make(m_options))) {
        const auto first = std::find_if(months.begin(), months.end(), [&](const BillMonth &month) {
            return month.monthsBefore <= machine.sinceMonths;
        });
        ports::ListedMachine listed;
        listed.id = machine.id;
        listed.hostName = machine.hostName;
        listed.providerId = machine.providerId;
        listed.type = machine.type;
        listed.region = machine.region;
        listed.zone = machine.zone;
        if (!machine.team.empty())
            listed.tags["team"] = machine.team;
        listed.gpuName = machine.gpuName;
        listed.gpus = machine.gpus;
        listed.since = first == months.end() ? base::floorTo(now, base::kDay) : first->month.start;
        listed.perHour = base::Money(machine.nanosPerHour, base::Currency::usd());
        listed.isMember = !machine.cluster.empty();
        inventory.machines.push_back(std::move(listed));
    }
    return inventory;
}

Result<std::vector<ports::Finding>> CloudMachines::probe(std::stop_token /*stop*/)
{
    return std::vector<ports::Finding>();
}

} // namespace gpuledger::demo
