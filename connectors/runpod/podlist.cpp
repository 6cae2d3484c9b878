// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/podlist.h"

#include "app/base/text/text.h"
#include "connectors/auth/keyedinventory.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/runpod/podnames.h"
#include "connectors/runpod/runpodapi.h"

#include <algorithm>
#include <set>

namespace gpuledger::runpod {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestWordOfPod = 256; // bytes

std::string wordOfPod(const Json &object, const char *member)
{
    return base::printableLine(format::textOf(object, member), kLongestWordOfPod);
}

tl::unexpected<base::Error> unreadablePods(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "RunPod's list of pods can't be read: " + what);
}

// Those that it really has, where RunPod says it, else those that it rents; std::nullopt: unknown.
std::optional<std::int64_t> gpusOfPod(const Json &pod)
{
    const Json &gpu = format::memberOf(pod, "gpu");
    if (gpu.is_null())
        return 0;
    const auto rented = base::parseInt(format::textOf(gpu, "count"));
    if (!rented || *rented < 0)
        return std::nullopt;
    const Json &seen = format::memberOf(format::memberOf(pod, "runtime"), "gpus");
    return seen.is_array() ? std::min(*rented, static_cast<std::int64_t>(seen.size())) : *rented;
}

ports::ListedMachine machineOf(const Json &pod, const std::string &id, std::int64_t gpus)
{
    ports::ListedMachine machine;
    machine.id = id;
    machine.providerId = "runpod://" + id;
    machine.gpuName = wordOfPod(format::memberOf(pod, "gpu"), "id");
    machine.gpus = gpus;
    machine.type = std::to_string(gpus) + "x " + machine.gpuName;
    machine.region = wordOfPod(pod, "dataCenterId");
    if (const std::string name = wordOfPod(pod, "name"); !name.empty())
        machine.tags["pod_name"] = name;
    if (const auto started = base::parseTime(format::textOf(pod, "startedAt")))
        machine.since = *started;
    if (const auto price = base::Money::parse(format::textOf(pod, "cost"), base::Currency::usd());
        price && price->nanos() > 0)
        machine.perHour = *price;
    return machine;
}

} // namespace

Result<ports::Inventory> machinesIn(const std::string &body)
{
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree)
        return unreadablePods(tree.error().text);
    const Json &pods = format::memberOf(*tree, "pods");
    if (!pods.is_array())
        return unreadablePods("it has no pods");
    if (pods.size() > kMostPodNames)
        return base::fail(ErrorCode::TooMuch, "RunPod lists more than 20,000 pods");
    ports::Inventory inventory;
    std::set<std::string> ids;
    for (const Json &pod : pods) {
        const std::string id = wordOfPod(pod, "id");
        if (id.empty())
            return unreadablePods("a pod has no id");
        if (!ids.insert(id).second)
            return unreadablePods("it lists pod " + id + " twice");
        if (format::textOf(pod, "status") != "RUNNING" || !format::memberOf(pod, "cluster").is_null())
            continue;
        const auto gpus = gpusOfPod(pod);
        if (!gpus)
            inventory.leaveOut("machine without a usable number of GPUs");
        else if (*gpus > 0)
            inventory.machines.push_back(machineOf(pod, id, *gpus));
    }
    return inventory;
}

Result<std::unique_ptr<ports::InventorySource>> makeRunpodInventory(const model::SourceSettings &settings,
                                                                    ports::SecretStore &secrets,
                                                                    const base::Clock &realClock,
                                                                    std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    static constexpr auth::KeyedMachineList kList{
        .cloud = "runpod",
        .right = "GET /v2/pods",
        .read = [](auth::KeyedApi &api, const std::stop_token &stop) -> Result<ports::Inventory> {
            const auto body = api.get("/v2/pods", {}, stop);
            GPULEDGER_TRY(body);
            return machinesIn(*body);
        }};
    return std::make_unique<auth::KeyedInventory>(settings, *keyed, secrets, realClock, std::move(client),
                                                  auth::KeyedTuning{}, refusalOf, kList);
}

} // namespace gpuledger::runpod
