// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/machinestate.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/keyedtarget.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;
using model::Caution;
using model::Loss;
using model::Obstacle;

namespace {

constexpr std::size_t kShownName = 200; // bytes
// Azure allows no '/' in the names of tags.
constexpr std::string_view kOwnTags = "gpu-ledger.io-", kOwnLabels = "gpu-ledger.io/";

std::string shown(const std::string &text)
{
    return base::printableLine(text, kShownName);
}

model::Labels withOwnNames(const model::Labels &tags)
{
    model::Labels out;
    for (const auto &[key, value] : tags)
        out[key.starts_with(kOwnTags) ? std::string(kOwnLabels) + key.substr(kOwnTags.size()) : key] = value;
    return out;
}

std::string lastSegment(const std::string &id)
{
    return id.substr(id.rfind('/') + 1);
}

std::optional<Obstacle> powerObstacle(const MachineView &view)
{
    const std::string &power = view.status.power;
    if (power == "running" || power == "stopped")
        return std::nullopt;
    if (power == "deallocated" || power == "deallocating")
        return Obstacle{Obstacle::Kind::AlreadyStopped, "it is " + power};
    return Obstacle{Obstacle::Kind::Other, power.empty() ? "its state is unknown" : "it is " + shown(power)};
}

std::optional<Obstacle> obstacleOf(const MachineView &view, const Locks &locks)
{
    if (auto obstacle = powerObstacle(view))
        return obstacle;
    if (view.facts.isInCluster())
        return Obstacle{Obstacle::Kind::ManagedElsewhere,
                        "a node of a cluster is stopped through it: scale its pool down instead"};
    if (!view.scaleSet.empty())
        return Obstacle{Obstacle::Kind::ManagedElsewhere,
                        "scale set " + shown(lastSegment(view.scaleSet))
                            + " replaces a stopped machine: scale it down instead"};
    if (!view.status.done)
        return Obstacle{Obstacle::Kind::Other, "an operation on it goes on: " + shown(view.provisioning)};
    if (locks && !locks->empty())
        return Obstacle{Obstacle::Kind::StopProtection,
                        "the lock " + shown(locks->front()) + " lets nothing be changed"};
    return std::nullopt;
}

std::vector<Caution> cautionsOf(const MachineView &view, const Locks &locks)
{
    std::vector<Caution> all{
        {Caution::Kind::Unguarded,
         "Azure has no precondition: the machine is compared right before it is deallocated, and read back"},
        {Caution::Kind::StaysBilled, "its disks and any static IP address stay billed"},
        {Caution::Kind::Other, "a dynamic IP address is given back"}};
    if (view.facts.isSpot)
        all.push_back({Caution::Kind::Other, "a spot machine: Azure may not start it again for its price"});
    if (!locks)
        all.push_back({Caution::Kind::Other, "whether a lock protects it could not be read"});
    return all;
}

// "Microsoft.Compute/virtualMachines/*" fits all below; upper and lower case are the same.
bool fits(std::string_view pattern, std::string_view action)
{
    std::size_t at = 0, star = std::string_view::npos, resume = 0;
    for (std::size_t i = 0; i < action.size();) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            resume = i;
        } else if (at < pattern.size() && pattern[at] == action[i]) {
            ++at;
            ++i;
        } else if (star != std::string_view::npos) { // the last star takes one more
            at = star + 1;
            i = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool isAmong(const Json &patterns, std::string_view action)
{
    for (std::size_t i = 0; patterns.is_array() && i < patterns.size(); ++i) {
        if (patterns[i].is_string() && fits(lowerCase(patterns[i].get<std::string>()), action))
            return true;
    }
    return false;
}

tl::unexpected<base::Error> noMachine()
{
    return base::fail(ErrorCode::Parse, "the Resource Manager described a machine without an id or state",
                      base::Remedy::NextSyncTriesAgain);
}

} // namespace

Result<MachineView> viewIn(const Json &machine, const Json &instanceView)
{
    MachineView view;
    const Json &properties = format::memberOf(machine, "properties");
    view.facts = factsOf(machine);
    view.status = statusOf(instanceView);
    view.uid = lowerCase(format::textOf(properties, "vmId"));
    view.provisioning = format::textOf(properties, "provisioningState");
    view.scaleSet = format::textOf(format::memberOf(properties, "virtualMachineScaleSet"), "id");
    if (!view.facts.id.starts_with('/') || view.uid.empty() || !format::memberOf(instanceView, "statuses").is_array())
        return noMachine();
    return view;
}

Result<std::vector<std::string>> readOnlyLocksIn(const Json &page)
{
    const Json &locks = format::memberOf(page, "value");
    if (!locks.is_array())
        return base::fail(ErrorCode::Parse, "the Resource Manager's list of locks can't be read");
    std::vector<std::string> names;
    for (const Json &lock : locks) {
        if (lowerCase(format::textOf(format::memberOf(lock, "properties"), "level")) != "cannotdelete")
            names.push_back(format::textOf(lock, "name"));
    }
    return names;
}

bool allows(const Json &page, std::string_view action)
{
    const Json &entries = format::memberOf(page, "value");
    const std::string wanted = lowerCase(std::string(action));
    for (std::size_t i = 0; entries.is_array() && i < entries.size(); ++i) {
        if (isAmong(format::memberOf(entries[i], "actions"), wanted)
            && !isAmong(format::memberOf(entries[i], "notActions"), wanted))
            return true;
    }
    return false;
}

std::string versionOf(const MachineView &view)
{
    std::vector<std::string> parts{view.uid,
                                   lowerCase(view.facts.size),
                                   view.status.power,
                                   view.provisioning,
                                   lowerCase(view.scaleSet),
                                   view.status.done ? base::toRfc3339(*view.status.done) : std::string()};
    for (const auto &[key, value] : view.facts.tags) {
        parts.push_back(key);
        parts.push_back(value);
    }
    return auth::versionOf(parts);
}

bool isDeallocated(const MachineView &view)
{
    return view.status.power == "deallocated";
}

model::TargetState stateOf(const MachineView &view, const Locks &locks)
{
    model::TargetState out;
    const std::string name = machineName(view.facts.id);
    const std::size_t slash = name.find('/');
    out.ref.cluster = subscriptionOf(view.facts.id);
    out.ref.kind = "VirtualMachine";
    out.ref.nameSpace = name.substr(0, slash);
    out.ref.name = slash == std::string::npos ? name : name.substr(slash + 1);
    out.ref.uid = view.uid;
    out.version = versionOf(view);
    out.created = view.facts.created.value_or(base::UtcTime{});
    out.verb = model::StopVerb::StopInstance;
    out.field = "state";
    out.value = auth::stateValue(view.status.power);
    out.stoppedValue = auth::stateValue("deallocated");
    out.isStopped = isDeallocated(view);
    out.isChanging =
        view.status.power == "starting" || view.status.power == "stopping" || view.status.power == "deallocating";
    out.labels = withOwnNames(view.facts.tags);
    out.annotations = {{"instance-type", view.facts.size}, {"region", view.facts.location}};
    out.isReversible = false; // what is on the temporary disk is lost
    if (model::isProtectedBy(out.labels))
        out.protectedBy = model::ProtectMark{model::ProtectMark::Place::Tag, "VirtualMachine " + name};
    out.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::LocalDisk, Loss::Capacity};
    out.cautions = cautionsOf(view, locks);
    out.obstacle = obstacleOf(view, locks);
    return out;
}

} // namespace gpuledger::azure
