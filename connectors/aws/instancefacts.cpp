// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/instancefacts.h"

#include "app/base/text/text.h"
#include "connectors/aws/awswire.h"
#include "connectors/aws/instancemark.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::aws {

namespace {

using model::Caution;
using model::Loss;
using model::Obstacle;

constexpr std::array<std::pair<int, std::string_view>, 6> kStates{
    {{0, "pending"}, {16, "running"}, {32, "shutting-down"}, {48, "terminated"}, {64, "stopping"}, {80, "stopped"}}};

struct GroupMark {
    std::string_view key; // if it ends with '/', any name below it counts
    std::string_view what;
};
constexpr std::array<GroupMark, 8> kGroupTags{{{"aws:autoscaling:groupName", "Auto Scaling group"},
                                               {"eks:nodegroup-name", "EKS node group"},
                                               {"karpenter.sh/nodepool", "Karpenter node pool"},
                                               {"karpenter.sh/provisioner-name", "Karpenter provisioner"},
                                               {"aws:ec2spot:fleet-request-id", "spot fleet"},
                                               {"aws:ec2:fleet-id", "EC2 fleet"},
                                               {"eks:cluster-name", "EKS cluster"},
                                               {"kubernetes.io/cluster/", "Kubernetes cluster"}}};

std::string printableName(const std::string &text)
{
    return base::printable(text, 200);
}

model::Labels tagsIn(const format::XmlNode &item)
{
    model::Labels tags;
    for (const format::XmlNode &tag : item.listAt("tagSet"))
        tags[tag.textAt("key")] = tag.textAt("value");
    return tags;
}

base::Result<InstanceFacts> factsIn(const format::XmlNode &item, const std::string &account)
{
    InstanceFacts out;
    out.account = account;
    out.id = item.textAt("instanceId");
    out.type = item.textAt("instanceType");
    out.state = stateName(item.textAt("instanceState/code"));
    out.launched = item.textAt("launchTime");
    out.reason = item.textAt("reason");
    out.zone = item.textAt("placement/availabilityZone");
    out.lifecycle = item.textAt("instanceLifecycle");
    out.spotRequest = item.textAt("spotInstanceRequestId");
    out.rootDevice = item.textAt("rootDeviceType");
    out.privateName = item.textAt("privateDnsName");
    out.capacityReservation = item.textAt("capacityReservationId");
    out.capacityBlock = item.textAt("capacityBlockId");
    out.isOperatorManaged = item.textAt("operator/managed") == "true";
    out.tags = tagsIn(item);
    const auto launched = base::parseTime(out.launched);
    if (out.id.empty() || out.account.empty() || item.textAt("instanceState/code").empty() || !launched)
        return base::fail(base::ErrorCode::Parse,
                          "EC2 described an instance without an id, account, state or launch time");
    out.created = *launched;
    for (const format::XmlNode &disk : item.listAt("blockDeviceMapping")) {
        out.volumes += disk.at("ebs") ? 1 : 0;
        if (const auto attached = base::parseTime(disk.textAt("ebs/attachTime")))
            out.created = std::min(out.created, *attached);
    }
    return out;
}

std::optional<Obstacle> stateObstacle(const InstanceFacts &facts)
{
    if (facts.state == "running")
        return std::nullopt;
    if (facts.state == "stopped" || facts.state == "stopping")
        return Obstacle{Obstacle::Kind::AlreadyStopped, "it is " + facts.state};
    if (facts.state == "terminated" || facts.state == "shutting-down")
        return Obstacle{Obstacle::Kind::Finished, "it is being terminated"};
    return Obstacle{Obstacle::Kind::Other, facts.state.empty() ? "its state is unknown" : "it is starting"};
}

std::optional<Obstacle> obstacleOf(const InstanceFacts &facts, const InstanceExtras &extras)
{
    if (auto obstacle = stateObstacle(facts))
        return obstacle;
    if (facts.isOperatorManaged)
        return Obstacle{Obstacle::Kind::ManagedElsewhere, "AWS itself operates this machine"};
    if (const auto group = groupOf(facts.tags)) // a stopped instance would be terminated and could not be restored
        return Obstacle{Obstacle::Kind::ManagedElsewhere,
                        *group + " replaces a stopped machine: scale it down instead"};
    if (facts.rootDevice == "instance-store")
        return Obstacle{Obstacle::Kind::LosesVolumes,
                        "its root disk is the machine's own (instance store): it can only be terminated"};
    if (extras.isProtected.value_or(false))
        return Obstacle{Obstacle::Kind::StopProtection, "stop protection (DisableApiStop) is set at EC2"};
    if (facts.lifecycle != "spot" || extras.spotKind == "persistent")
        return std::nullopt;
    if (extras.spotKind == "one-time")
        return Obstacle{Obstacle::Kind::NeverStopped, "a one-time spot machine can't be stopped, only terminated"};
    return Obstacle{Obstacle::Kind::Other,
                    "it is a spot machine, and whether its request is persistent could not be read"};
}

std::vector<Loss> lossesOf(const InstanceExtras &extras)
{
    std::vector<Loss> losses{Loss::ProcessMemory, Loss::ProgressSinceCheckpoint};
    if (extras.hasLocalDisks.value_or(true))
        losses.push_back(Loss::LocalDisk);
    losses.push_back(Loss::Capacity);
    return losses;
}

std::string billedText(const InstanceFacts &facts)
{
    std::string text = std::to_string(facts.volumes) + (facts.volumes == 1 ? " EBS volume" : " EBS volumes")
        + " and any Elastic IP address stay billed";
    if (!facts.capacityReservation.empty())
        text += "; so does capacity reservation " + printableName(facts.capacityReservation);
    if (!facts.capacityBlock.empty())
        text += "; capacity block " + printableName(facts.capacityBlock) + " is paid already";
    return text;
}

std::vector<Caution> cautionsOf(const InstanceFacts &facts, const InstanceExtras &extras)
{
    std::vector<Caution> all;
    all.push_back({Caution::Kind::Unguarded,
                   "EC2 has no precondition: the machine is compared right before it is stopped, and read back"});
    all.push_back({Caution::Kind::StaysBilled, billedText(facts)});
    if (facts.lifecycle == "spot")
        all.push_back({Caution::Kind::Other, "a spot machine: AWS may not start it again for its price"});
    if (!extras.hasLocalDisks)
        all.push_back({Caution::Kind::Other,
                       "whether it has disks of its own (instance store) could not be read; a stop empties them"});
    if (!extras.isProtected)
        all.push_back({Caution::Kind::Other, "whether stop protection is set could not be read"});
    return all;
}

} // namespace

std::string stateName(std::string_view code)
{
    const auto number = base::parseInt(code);
    if (!number)
        return {};
    for (const auto &[value, name] : kStates) {
        if ((*number & 255) == value)
            return std::string(name);
    }
    return {};
}

base::Result<std::vector<InstanceFacts>> instancesIn(const format::XmlNode &answer)
{
    std::vector<InstanceFacts> all;
    for (const format::XmlNode &reservation : answer.listAt("reservationSet")) {
        for (const format::XmlNode &item : reservation.listAt("instancesSet")) {
            auto facts = factsIn(item, reservation.textAt("ownerId"));
            if (!facts)
                return base::fail(std::move(facts).error());
            all.push_back(std::move(*facts));
        }
    }
    return all;
}

std::string versionOf(const InstanceFacts &facts)
{
    VersionHash hash;
    for (const std::string *part :
         {&facts.id, &facts.account, &facts.type, &facts.state, &facts.launched, &facts.reason})
        hash.add(*part);
    hash.add(facts.tags);
    return hash.hex();
}

std::string arnOf(const InstanceFacts &facts, const std::string &region)
{
    return "arn:" + partitionOf(region) + ":ec2:" + region + ':' + facts.account + ":instance/" + facts.id;
}

std::optional<std::string> groupOf(const model::Labels &tags)
{
    for (const auto &[key, what] : kGroupTags) {
        for (const auto &[name, value] : tags) {
            const bool isBelow = key.back() == '/' && name.starts_with(key);
            if (isBelow || name == key)
                return std::string(what) + ' ' + printableName(isBelow ? name.substr(key.size()) : value);
        }
    }
    return std::nullopt;
}

model::TargetState stateOf(const InstanceFacts &facts, const InstanceExtras &extras, const std::string &region,
                           base::UtcTime readAt)
{
    model::TargetState out;
    out.ref.cluster = facts.account + '/' + region;
    out.ref.kind = "Instance";
    out.ref.name = facts.id;
    out.ref.uid = arnOf(facts, region);
    out.version = versionOf(facts);
    out.created = facts.created;
    out.readAt = readAt;
    out.verb = model::StopVerb::StopInstance;
    out.field = "state";
    out.value = jsonOf(facts.state);
    out.stoppedValue = jsonOf("stopped");
    out.isStopped = facts.state == "stopped";
    out.isChanging = facts.state == "pending" || facts.state == "stopping";
    out.labels = facts.tags;
    out.annotations = {{"instance-type", facts.type}, {"availability-zone", facts.zone}};
    // Data on local disks is lost after a stop; a spot instance may never get its capacity back.
    out.isReversible = facts.lifecycle != "spot" && !extras.hasLocalDisks.value_or(true);
    if (model::isProtectedBy(facts.tags))
        out.protectedBy = model::ProtectMark{model::ProtectMark::Place::Tag, "Instance " + facts.id};
    out.losses = lossesOf(extras);
    out.cautions = cautionsOf(facts, extras);
    out.obstacle = obstacleOf(facts, extras);
    out.mark = markIn(facts.tags);
    return out;
}

} // namespace gpuledger::aws
