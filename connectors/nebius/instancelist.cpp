// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/instancelist.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <nebius.pb.h>

#include <algorithm>
#include <array>

namespace gpuledger::nebius {

using base::Result;

namespace {

constexpr std::size_t kLongestId = 100, kLongestText = 256; // bytes
constexpr std::array<std::string_view, 9> kWords{
    "in an unknown state", "creating", "updating", "starting", "running", "stopping", "stopped", "deleting",
    "in the state error"};
constexpr std::int64_t kLatestSecond = 253'402'300'799; // the end of the year 9999

bool isId(std::string_view text)
{
    return !text.empty() && text.size() <= kLongestId && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

std::string shownText(const std::string &text)
{
    return base::printable(text, kLongestText);
}

} // namespace

std::string_view wordOf(InstanceState state)
{
    return kWords.at(static_cast<std::size_t>(state));
}

Result<InstanceFacts> factsOf(const wire::Instance &instance)
{
    const wire::Metadata &metadata = instance.metadata();
    const wire::InstanceSpec &spec = instance.spec();
    const wire::InstanceStatus &status = instance.status();
    if (!isId(metadata.id()))
        return base::fail(base::ErrorCode::Parse, "Nebius described an instance without a usable id",
                          base::Remedy::NextSyncTriesAgain);
    InstanceFacts facts;
    facts.id = metadata.id();
    facts.name = shownText(metadata.name());
    facts.hostName = shownText(spec.hostname());
    facts.platform = shownText(spec.resources().platform());
    facts.preset = shownText(spec.resources().preset());
    facts.revision = std::to_string(metadata.resource_version());
    if (const std::int64_t seconds = metadata.created_at().seconds(); seconds > 0 && seconds <= kLatestSecond)
        facts.created = base::fromUnix(seconds);
    if (status.state() > 0 && status.state() < static_cast<int>(kWords.size()))
        facts.state = static_cast<InstanceState>(status.state());
    facts.isBusy = status.reconciling();
    facts.isToBeStopped = spec.stopped();
    for (const wire::Label &label : metadata.labels()) {
        if (!label.key().empty())
            facts.labels[base::repairedUtf8(label.key())] = base::repairedUtf8(label.value());
    }
    facts.isPreemptible = spec.has_preemptible();
    facts.hasLocalDisk = spec.has_local_disks();
    facts.gpuCluster = shownText(spec.gpu_cluster().id());
    facts.nvlinkGroup = shownText(spec.nvl_instance_group_id());
    facts.reservation = shownText(status.reservation_id());
    return facts;
}

bool InstanceFacts::isInCluster() const
{
    return labels.contains("mk8s-cluster-id") || labels.contains("mk8s-node-group-id");
}

std::optional<bool> InstanceFacts::isOn() const
{
    switch (state) {
    case InstanceState::Running:
    case InstanceState::Stopping:
        return true;
    case InstanceState::Updating:
        return !isToBeStopped;
    case InstanceState::Creating:
    case InstanceState::Starting:
    case InstanceState::Stopped:
    case InstanceState::Deleting:
        return false;
    case InstanceState::Unspecified:
    case InstanceState::Error:
        break;
    }
    return std::nullopt;
}

bool addInstance(const InstanceFacts &facts, const InstanceTypes &types, const std::string &region,
                 ports::Inventory &out)
{
    const TypeGpus gpus = types.of(facts.platform, facts.preset);
    const std::optional<bool> isOn = facts.isOn();
    if ((gpus.isKnown && gpus.name.empty()) || isOn == false)
        return false;
    if (!isOn || !gpus.isKnown || gpus.count < 1) {
        out.leaveOut(!isOn               ? "machine in an unknown state"
                         : !gpus.isKnown ? "machine of an unknown size"
                                         : "machine with a part of a GPU");
        return false;
    }
    ports::ListedMachine machine;
    machine.id = facts.id;
    machine.hostName = facts.hostName;
    machine.providerId = "nebius://" + facts.id;
    machine.type = facts.type();
    machine.region = region;
    machine.tags = facts.labels;
    if (!facts.name.empty())
        machine.tags.emplace("instance_name", facts.name);
    machine.gpuName = gpus.name;
    machine.gpus = gpus.count;
    machine.isSpot = facts.isPreemptible;
    machine.isMember = facts.isInCluster();
    out.machines.push_back(std::move(machine));
    return true;
}

} // namespace gpuledger::nebius
