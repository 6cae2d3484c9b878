// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/instancestate.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/auth/keyedtarget.h"
#include "connectors/format/json.h"
#include "connectors/gcp/compute/instancepage.h"

#include <algorithm>
#include <array>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;
using model::Caution;
using model::Loss;
using model::Obstacle;

namespace {

constexpr std::size_t kShownWord = 200; // bytes
constexpr std::string_view kTerminated = "TERMINATED", kRunning = "RUNNING";
constexpr std::array<std::string_view, 4> kChanging{"PROVISIONING", "STAGING", "STOPPING", "PENDING_STOP"};
// Labels of Google have neither dots nor slashes.
constexpr std::string_view kOwnPrefix = "gpu-ledger_", kOwnLabels = "gpu-ledger.io/";

std::string lowerWord(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return base::printableLine(text, kShownWord);
}

bool hasScratchDisk(const Json &instance)
{
    const Json &disks = format::memberOf(instance, "disks");
    return disks.is_array() && std::any_of(disks.begin(), disks.end(), [](const Json &disk) {
               return format::textOf(disk, "type") == "SCRATCH";
           });
}

model::Labels withOwnLabels(const model::Labels &labels)
{
    model::Labels out;
    for (const auto &[key, value] : labels)
        out[key.starts_with(kOwnPrefix) ? std::string(kOwnLabels) + key.substr(kOwnPrefix.size()) : key] = value;
    return out;
}

std::optional<Obstacle> obstacleOf(const InstanceView &view)
{
    if (view.status == kTerminated || view.status == "STOPPING" || view.status == "PENDING_STOP")
        return Obstacle{Obstacle::Kind::AlreadyStopped, "it is " + lowerWord(view.status)};
    if (view.status != kRunning)
        return Obstacle{Obstacle::Kind::Other,
                        view.status.empty() ? "its state is unknown" : "it is " + lowerWord(view.status)};
    if (isInCluster(view.labels))
        return Obstacle{Obstacle::Kind::ManagedElsewhere,
                        "a node of a cluster is stopped through it: scale its pool down instead"};
    if (!view.group.empty())
        return Obstacle{Obstacle::Kind::ManagedElsewhere,
                        "instance group " + base::printable(lastOf(view.group), kShownWord)
                            + " replaces a stopped machine: scale it down instead"};
    return std::nullopt;
}

std::vector<Caution> cautionsOf(const InstanceView &view)
{
    std::vector<Caution> all{
        {Caution::Kind::Unguarded,
         "Compute Engine has no precondition: the machine is compared right before it is stopped, and read back"},
        {Caution::Kind::StaysBilled, "its disks and any static address stay billed"},
        {Caution::Kind::Other, "an ephemeral external address is given back"}};
    if (view.isSpot)
        all.push_back({Caution::Kind::Other, "a spot machine: Google may not start it again for its price"});
    if (view.isLimited)
        all.push_back({Caution::Kind::Other, "it runs for a limited time, which a stop doesn't lengthen"});
    return all;
}

} // namespace

Result<InstanceView> instanceIn(const Json &instance)
{
    InstanceView view;
    view.uid = format::textOf(instance, "id");
    view.name = format::textOf(instance, "name");
    view.zone = lastOf(format::textOf(instance, "zone"));
    view.hostName = format::textOf(instance, "hostname");
    view.status = format::textOf(instance, "status");
    view.started = format::textOf(instance, "lastStartTimestamp");
    view.type = lastOf(format::textOf(instance, "machineType"));
    view.fingerprint = format::textOf(instance, "labelFingerprint");
    if (const std::string maker = metadataOf(instance, "created-by");
        maker.find("/instanceGroupManagers/") != std::string::npos)
        view.group = maker;
    const auto created = base::parseTime(format::textOf(instance, "creationTimestamp"));
    view.created = created ? *created : base::UtcTime{};
    view.labels = instanceLabels(instance);
    view.hasLocalDisk = hasScratchDisk(instance);
    view.isSpot = isSpot(instance);
    view.isLimited = !format::memberOf(format::memberOf(instance, "scheduling"), "maxRunDuration").is_null();
    if (view.uid.empty() || view.name.empty() || view.zone.empty() || view.status.empty())
        return base::fail(ErrorCode::Parse, "Compute Engine described an instance without an id, name, zone or status",
                          base::Remedy::NextSyncTriesAgain);
    return view;
}

std::string versionOf(const InstanceView &view)
{
    std::vector<std::string> parts{view.uid,
                                   view.status,
                                   view.started,
                                   view.type,
                                   view.fingerprint,
                                   view.group,
                                   view.hasLocalDisk ? "local disk" : ""};
    for (const auto &[key, value] : view.labels) {
        parts.push_back(key);
        parts.push_back(value);
    }
    return auth::versionOf(parts);
}

model::TargetState stateOf(const InstanceView &view, const std::string &project)
{
    model::TargetState out;
    out.ref.cluster = project;
    out.ref.kind = "ComputeInstance";
    out.ref.nameSpace = view.zone;
    out.ref.name = view.name;
    out.ref.uid = view.uid;
    out.version = versionOf(view);
    out.created = view.created;
    out.verb = model::StopVerb::StopInstance;
    out.field = "state";
    out.value = auth::stateValue(lowerWord(view.status));
    out.stoppedValue = auth::stateValue(lowerWord(std::string(kTerminated)));
    out.isStopped = view.status == kTerminated;
    out.isChanging = std::find(kChanging.begin(), kChanging.end(), view.status) != kChanging.end();
    out.labels = withOwnLabels(view.labels);
    out.annotations = {{"instance-type", view.type}, {"zone", view.zone}};
    out.isReversible = !view.hasLocalDisk;
    if (model::isProtectedBy(out.labels))
        out.protectedBy =
            model::ProtectMark{model::ProtectMark::Place::Label, "Instance " + view.zone + '/' + view.name};
    out.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint};
    if (view.hasLocalDisk)
        out.losses.push_back(Loss::LocalDisk);
    out.losses.push_back(Loss::Capacity);
    out.cautions = cautionsOf(view);
    out.obstacle = obstacleOf(view);
    return out;
}

bool hasPermission(const Json &answer, const std::string &right)
{
    const Json &held = format::memberOf(answer, "permissions");
    return held.is_array()
        && std::any_of(held.begin(), held.end(), [&](const Json &one) { return one.is_string() && one == right; });
}

std::string failureOf(const Json &operation)
{
    const Json &error = format::memberOf(operation, "error");
    if (error.is_null())
        return {};
    std::string text;
    const Json &all = format::memberOf(error, "errors");
    for (std::size_t i = 0; all.is_array() && i < all.size(); ++i) {
        for (const char *key : {"code", "message"}) {
            const std::string words = format::textOf(all[i], key);
            text += words.empty() ? "" : (text.empty() ? "" : ": ") + words;
        }
    }
    return text.empty() ? "the operation failed" : base::printableLine(base::log::redacted(text), kShownWord);
}

} // namespace gpuledger::gcp
