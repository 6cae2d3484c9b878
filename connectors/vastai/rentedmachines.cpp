// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/rentedmachines.h"

#include "app/base/text/text.h"
#include "connectors/auth/keyedinventory.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/vastai/instancenames.h"
#include "connectors/vastai/vastaiapi.h"

namespace gpuledger::vastai {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestMachineText = 256; // bytes
constexpr std::int64_t kMostMachineMib = 16'384 * 1'024; // of one GPU

// What a machine needs and no more: an instance has tokens, too.
http::Parameters questionForMachines()
{
    return {
        {"select_filters", "{}"},
        {"select_cols",
         R"(["id","label","gpu_name","num_gpus","gpu_ram","geolocation","actual_status","intended_status","is_bid",)"
         R"("dph_base","dph_total"])"},
        {"order_by", R"([{"col":"id","dir":"asc"}])"},
        {"limit", "25"}};
}

std::string machineText(const Json &object, const char *member)
{
    return base::printableLine(format::textOf(object, member), kLongestMachineText);
}

// A frozen instance still pays for its GPUs, and so does one whose container ended by itself.
bool paysForGpus(const Json &instance)
{
    const std::string actual = format::textOf(instance, "actual_status");
    return format::textOf(instance, "intended_status") == "running"
        && (actual == "running" || actual == "exited" || actual == "frozen");
}

// Of its GPUs alone, where Vast.ai says it: the bill has disks on lines of their own.
std::optional<base::Money> hourPriceOf(const Json &instance)
{
    for (const char *member : {"dph_base", "dph_total"}) {
        const auto price = base::Money::parse(format::textOf(instance, member), base::Currency::usd());
        if (price && price->nanos() > 0)
            return *price;
    }
    return std::nullopt;
}

ports::ListedMachine machineOf(const Json &instance, const std::string &id)
{
    ports::ListedMachine machine;
    machine.id = "instance-" + id; // as the bill names it
    machine.hostName = "C." + id; // as Vast.ai labels its container
    machine.providerId = "vastai://" + machine.id;
    machine.gpuName = machineText(instance, "gpu_name");
    machine.gpus = base::parseInt(format::textOf(instance, "num_gpus")).value_or(0);
    machine.type = std::to_string(machine.gpus) + "x " + machine.gpuName;
    if (const auto mib = base::parseInt(format::textOf(instance, "gpu_ram")); mib && *mib > 0 && *mib < kMostMachineMib)
        machine.memoryMib = *mib;
    machine.region = machineText(instance, "geolocation");
    if (const std::string label = machineText(instance, "label"); !label.empty())
        machine.tags["instance_label"] = label;
    machine.perHour = hourPriceOf(instance);
    machine.isSpot = format::memberOf(instance, "is_bid") == Json(true);
    return machine;
}

} // namespace

Result<std::string> readMachines(const std::string &body, std::set<std::string> &ids, ports::Inventory &inventory)
{
    const std::string failure = "Vast.ai's list of instances can't be read";
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree || !format::memberOf(*tree, "instances").is_array())
        return base::fail(ErrorCode::Parse, failure);
    for (const Json &instance : format::memberOf(*tree, "instances")) {
        const std::string id = machineText(instance, "id");
        if (id.empty())
            return base::fail(ErrorCode::Parse, failure + ": an instance has no id");
        if (!ids.insert(id).second)
            return base::fail(ErrorCode::Parse, failure + ": it lists instance " + id + " twice");
        if (ids.size() > kMostInstanceNames)
            return base::fail(ErrorCode::TooMuch, "Vast.ai lists more than 20,000 instances");
        if (paysForGpus(instance))
            inventory.machines.push_back(machineOf(instance, id));
    }
    return format::textOf(*tree, "next_token");
}

Result<std::unique_ptr<ports::InventorySource>> makeVastaiInventory(const model::SourceSettings &settings,
                                                                    ports::SecretStore &secrets,
                                                                    const base::Clock &realClock,
                                                                    std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    static constexpr auth::KeyedMachineList kList{
        .cloud = "vast.ai",
        .right = "GET /api/v1/instances",
        .read = [](auth::KeyedApi &api, const std::stop_token &stop) -> Result<ports::Inventory> {
            ports::Inventory inventory;
            std::set<std::string> ids;
            GPULEDGER_TRY(getPages(api, "/api/v1/instances/", questionForMachines(), stop,
                                   [&](const std::string &body) { return readMachines(body, ids, inventory); }));
            return inventory;
        }};
    return std::make_unique<auth::KeyedInventory>(settings, *keyed, secrets, realClock, std::move(client),
                                                  standardTuning(), refusalOf, kList);
}

} // namespace gpuledger::vastai
