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
    return Obstacle{Obstacle::Kind::Other, power.empty() ? "its state is unknown" : "it is " + shownWord(power)};
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
                        "scale set " + shownWord(lastSegment(view.scaleSet))
                            + " replaces a stopped machine: scale it down instead"};
    if (!view.status.done)
        return Obstacle{Obstacle::Kind::Other, "an operation on it goes on: " + shownWord(view.provisioning)};
    return lockObstacle(locks);
}

std::vector<Caution> cautionsOf(const MachineView &view, const Locks &locks)
{
    std::vector<Caution> own{{Caution::Kind::StaysBilled, "its disks and any static IP address stay billed"},
                             {Caution::Kind::Other, "a dynamic IP address is given back"}};
    if (view.facts.isSpot)
        own.push_back({Caution::Kind::Other, "a spot machine: Azure may not start it again for its price"});
    return cautionsWith(std::move(own), locks);
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

std::string shownWord(const std::string &text)
{
    return base::printableLine(text, kShownName);
}

std::optional<Obstacle> lockObstacle(const Locks &locks)
{
    if (!locks || locks->empty())
        return std::nullopt;
    return Obstacle{Obstacle::Kind::StopProtection,
                    "the lock " + shownWord(locks->front()) + " lets nothing be changed"};
}

std::vector<Caution> cautionsWith(std::vector<Caution> own, const Locks &locks)
{
    own.insert(own.begin(),
               {Caution::Kind::Unguarded,
                "Azure has no precondition: the machine is compared right before it is deallocated, and read back"});
    if (!locks)
        own.push_back({Caution::Kind::Other, "whether a lock protects it could not be read"});
    return own;
}

model::TargetState stoppableState(model::TargetRef ref, const std::string &state, const std::string &stoppedState,
                                  const model::Labels &tags)
{
    model::TargetState out;
    out.ref = std::move(ref);
    out.verb = model::StopVerb::StopInstance;
    out.field = "state";
    out.value = auth::stateValue(state);
    out.stoppedValue = auth::stateValue(stoppedState);
    out.isStopped = state == stoppedState;
    out.labels = withOwnNames(tags);
    out.isReversible = false; // what is on the temporary disk is lost
    if (model::isProtectedBy(out.labels))
        out.protectedBy =
            model::ProtectMark{model::ProtectMark::Place::Tag, out.ref.kind + ' ' + model::fullNameOf(out.ref)};
    out.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::LocalDisk, Loss::Capacity};
    return out;
}

model::TargetState stateOf(const MachineView &view, const Locks &locks)
{
    const std::string name = machineName(view.facts.id);
    const std::size_t slash = name.find('/');
    model::TargetRef ref;
    ref.cluster = subscriptionOf(view.facts.id);
    ref.kind = "VirtualMachine";
    ref.nameSpace = name.substr(0, slash);
    ref.name = slash == std::string::npos ? name : name.substr(slash + 1);
    ref.uid = view.uid;
    model::TargetState out = stoppableState(std::move(ref), view.status.power, "deallocated", view.facts.tags);
    out.version = versionOf(view);
    out.created = view.facts.created.value_or(base::UtcTime{});
    out.isChanging =
        view.status.power == "starting" || view.status.power == "stopping" || view.status.power == "deallocating";
    out.annotations = {{"instance-type", view.facts.size}, {"region", view.facts.location}};
    out.cautions = cautionsOf(view, locks);
    out.obstacle = obstacleOf(view, locks);
    return out;
}

} // namespace gpuledger::azure
