// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/lambda/rentedinstances.h"

#include "app/base/text/text.h"
#include "connectors/auth/keyedinventory.h"
#include "connectors/format/json.h"
#include "connectors/lambda/instancelist.h"
#include "connectors/lambda/lambdaapi.h"
#include "connectors/lambda/typeprices.h"

namespace gpuledger::lambda {

using base::Result;

namespace {

constexpr std::int64_t kNanosOfCent = base::Money::kNanosPerUnit / 100;

ports::ListedMachine machineOf(const ListedInstance &instance, std::int64_t gpus)
{
    ports::ListedMachine machine;
    machine.id = instance.id;
    machine.hostName = instance.hostName;
    machine.providerId = "lambda://" + instance.facts.region + '/' + instance.id;
    machine.type = instance.facts.type;
    machine.region = instance.facts.region;
    machine.gpuName = gpuNameOf(instance.facts.gpu);
    machine.gpus = gpus;
    if (const auto tags = format::parseJson(instance.facts.tags); tags && tags->is_object()) {
        for (const auto &[key, value] : tags->items())
            machine.tags[key] = value.is_string() ? value.get<std::string>() : std::string();
    }
    if (!instance.facts.name.empty())
        machine.tags["instance_name"] = instance.facts.name;
    if (instance.cents)
        machine.perHour = base::Money(*instance.cents * kNanosOfCent, base::Currency::usd());
    return machine;
}

} // namespace

ports::Inventory machinesAmong(const std::vector<ListedInstance> &instances)
{
    ports::Inventory inventory;
    for (const ListedInstance &instance : instances) {
        if (!instance.isBilled())
            continue;
        const auto gpus = base::parseInt(instance.facts.gpus);
        if (!gpus)
            inventory.leaveOut("machine without a usable number of GPUs");
        else if (*gpus > 0)
            inventory.machines.push_back(machineOf(instance, *gpus));
    }
    return inventory;
}

Result<std::unique_ptr<ports::InventorySource>> makeLambdaInventory(const model::SourceSettings &settings,
                                                                    ports::SecretStore &secrets,
                                                                    const base::Clock &realClock,
                                                                    std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    static constexpr auth::KeyedMachineList kList{
        .cloud = "lambda",
        .right = "GET /api/v1/instances",
        .read = [](auth::KeyedApi &api, const std::stop_token &stop) -> Result<ports::Inventory> {
            const auto body = api.get(kInstancesPath, {}, stop);
            GPULEDGER_TRY(body);
            const auto instances = readInstances(*body);
            GPULEDGER_TRY(instances);
            return machinesAmong(*instances);
        }};
    return std::make_unique<auth::KeyedInventory>(settings, *keyed, secrets, realClock, std::move(client),
                                                  standardTuning(), refusalOf, kList);
}

} // namespace gpuledger::lambda
