// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/machinepage.h"

#include "app/base/remedy.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::string_view kPower = "PowerState/", kProvisioning = "ProvisioningState/";
constexpr std::string_view kInSet = "/virtualmachinescalesets/";
constexpr std::array<std::string_view, 3> kOver{"succeeded", "failed", "canceled"};
constexpr std::array<std::string_view, 4> kBilled{"running", "starting", "stopping", "stopped"};
constexpr std::array<std::string_view, 2> kFree{"deallocating", "deallocated"};

template <std::size_t N> bool isOneOf(const std::array<std::string_view, N> &words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

tl::unexpected<base::Error> unreadableList(const char *what)
{
    return base::fail(ErrorCode::Parse, std::string("the Resource Manager's list can't be read: ") + what,
                      base::Remedy::NextSyncTriesAgain);
}

Result<const Json *> valuesIn(const Json &page)
{
    const Json &values = format::memberOf(page, "value");
    if (!values.is_array())
        return unreadableList("it has no values");
    const bool haveIds = std::all_of(values.begin(), values.end(),
                                     [](const Json &one) { return format::textOf(one, "id").starts_with('/'); });
    if (!haveIds)
        return unreadableList("something in it has no id");
    return &values;
}

std::optional<base::UtcTime> timeAt(const Json &object, const char *key)
{
    const auto time = base::parseTime(format::textOf(object, key));
    return time ? std::optional(*time) : std::nullopt;
}

bool isSpotPriority(const Json &properties)
{
    return lowerCase(format::textOf(properties, "priority")) == "spot";
}

std::vector<std::string> segmentsOfId(const std::string &id)
{
    std::vector<std::string> segments;
    for (std::size_t from = 1; from <= id.size();) {
        const std::size_t to = std::min(id.find('/', from), id.size());
        segments.push_back(lowerCase(id.substr(from, to - from)));
        from = to + 1;
    }
    return segments;
}

} // namespace

model::Labels tagsIn(const Json &resource)
{
    model::Labels tags;
    const Json &all = format::memberOf(resource, "tags");
    if (all.is_object()) {
        for (const auto &[key, value] : all.items()) {
            if (value.is_string())
                tags[key] = value.get<std::string>();
        }
    }
    return tags;
}

MachineFacts factsOf(const Json &machine)
{
    const Json &properties = format::memberOf(machine, "properties");
    const Json &zones = format::memberOf(machine, "zones");
    MachineFacts facts;
    facts.id = format::textOf(machine, "id");
    facts.computerName = format::textOf(format::memberOf(properties, "osProfile"), "computerName");
    facts.size = format::textOf(format::memberOf(properties, "hardwareProfile"), "vmSize");
    if (facts.size.empty()) // an instance of a scale set
        facts.size = format::textOf(format::memberOf(machine, "sku"), "name");
    facts.location = lowerCase(format::textOf(machine, "location"));
    if (zones.is_array() && !zones.empty() && zones.front().is_string())
        facts.zone = zones.front().get<std::string>();
    facts.tags = tagsIn(machine);
    facts.created = timeAt(properties, "timeCreated");
    facts.isSpot = isSpotPriority(properties);
    facts.scaleSet = lowerCase(format::textOf(format::memberOf(properties, "virtualMachineScaleSet"), "id"));
    if (const std::string id = lowerCase(facts.id); facts.scaleSet.empty() && id.find(kInSet) != std::string::npos)
        facts.scaleSet = id.substr(0, id.find('/', id.find(kInSet) + kInSet.size()));
    return facts;
}

MachineStatus statusOf(const Json &instanceView)
{
    const Json &statuses = format::memberOf(instanceView, "statuses");
    MachineStatus out;
    for (std::size_t i = 0; statuses.is_array() && i < statuses.size(); ++i) {
        const std::string code = format::textOf(statuses[i], "code");
        if (code.starts_with(kPower))
            out.power = code.substr(kPower.size());
        if (!code.starts_with(kProvisioning))
            continue;
        const std::string state = code.substr(kProvisioning.size()); // "failed/AllocationFailed"
        if (isOneOf(kOver, std::string_view(state).substr(0, state.find('/'))))
            out.done = timeAt(statuses[i], "time");
    }
    return out;
}

bool MachineFacts::isInCluster() const
{
    return std::any_of(tags.begin(), tags.end(), [](const auto &tag) {
        return tag.first.starts_with("aks-managed-") || (tag.first == "Vendor" && tag.second == "Databricks");
    });
}

std::string machineName(const std::string &id)
{
    constexpr std::size_t kGroup = 3, kSet = 7, kInstance = 9, kSegments = 10;
    const std::vector<std::string> segments = segmentsOfId(id);
    if (segments.size() <= kSet)
        return lowerCase(id);
    return segments[kGroup] + '/' + segments[kSet]
        + (segments.size() == kSegments ? '_' + segments[kInstance] : std::string());
}

std::string subscriptionOf(const std::string &id)
{
    const std::vector<std::string> segments = segmentsOfId(id);
    return segments.size() > 1 ? segments[1] : std::string();
}

Result<std::vector<MachineFacts>> machinesIn(const Json &page)
{
    const auto values = valuesIn(page);
    GPULEDGER_TRY(values);
    std::vector<MachineFacts> out;
    for (const Json &machine : **values)
        out.push_back(factsOf(machine));
    return out;
}

Result<std::map<std::string, MachineStatus>> statusesIn(const Json &page)
{
    const auto values = valuesIn(page);
    GPULEDGER_TRY(values);
    std::map<std::string, MachineStatus> out;
    for (const Json &machine : **values)
        out.emplace(lowerCase(format::textOf(machine, "id")),
                    statusOf(format::memberOf(format::memberOf(machine, "properties"), "instanceView")));
    return out;
}

Result<std::vector<ScaleSet>> scaleSetsIn(const Json &page)
{
    const auto values = valuesIn(page);
    GPULEDGER_TRY(values);
    std::vector<ScaleSet> out;
    for (const Json &set : **values) {
        const Json &sku = format::memberOf(set, "sku"), &capacity = format::memberOf(sku, "capacity");
        const Json &properties = format::memberOf(set, "properties");
        out.push_back({format::textOf(set, "id"), format::textOf(sku, "name"),
                       lowerCase(format::textOf(set, "location")),
                       format::textOf(properties, "orchestrationMode") != "Flexible",
                       capacity.is_number_integer() && capacity.get<std::int64_t>() == 0,
                       isSpotPriority(format::memberOf(properties, "virtualMachineProfile"))});
    }
    return out;
}

std::optional<ports::ListedMachine> listed(const MachineFacts &facts, const MachineStatus &status, bool &isUnknown,
                                           const std::optional<RunTimes> &run)
{
    const bool isFree = isOneOf(kFree, status.power);
    const auto since = status.done && facts.created ? std::max(*status.done, *facts.created) : status.done;
    isUnknown = !isFree && (!isOneOf(kBilled, status.power) || !since);
    if (isUnknown || (isFree && !(run && run->until)))
        return std::nullopt;
    ports::ListedMachine machine;
    machine.id = machineName(facts.id);
    machine.hostName = facts.computerName;
    machine.providerId = "azure://" + lowerCase(facts.id);
    machine.type = facts.size;
    machine.region = facts.location;
    machine.zone = facts.zone.empty() ? facts.location : facts.location + '-' + facts.zone;
    machine.tags = facts.tags;
    machine.since = !run ? *since : isFree ? run->since : std::min(run->since, *since);
    if (isFree)
        machine.until = run->until;
    machine.isSpot = facts.isSpot;
    machine.isMember = facts.isInCluster();
    return machine;
}

bool isStoppedAndBilled(const MachineStatus &status)
{
    return status.power == "stopped";
}

} // namespace gpuledger::azure
