// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/sagemaker/sagemakerlisting.h"

#include "connectors/format/json.h"

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

SageMakerListing::SageMakerListing(SageMakerApi &api, const std::string &region, GpuSizes &sizes,
                                   const SageMakerTold &out, const std::stop_token &stop)
    : m_api(api)
    , m_region(region)
    , m_sizes(sizes)
    , m_out(out)
    , m_stop(stop)
{
}

bool SageMakerListing::isNew(const std::string &arn)
{
    if (m_account.empty())
        m_account = accountIn(arn);
    return m_arns.insert(arn).second;
}

Result<void> SageMakerListing::learn(const std::set<std::string> &types)
{
    std::set<std::string> machineTypes;
    for (const std::string &type : types) {
        if (std::string machineType = machineTypeIn(type); !machineType.empty())
            machineTypes.insert(std::move(machineType));
    }
    return m_sizes.learn(machineTypes, m_stop);
}

bool SageMakerListing::hasGpus(const std::string &type) const
{
    return !m_sizes.of(machineTypeIn(type)).name.empty();
}

Result<void> SageMakerListing::add(const SageMakerMachine &machine)
{
    const GpuSize &size = m_sizes.of(machineTypeIn(machine.type));
    if (size.name.empty() || machine.instances == 0 || !m_ids.insert(machine.id).second)
        return {};
    if (size.gpus == 0) {
        leaveOut("machine with a part of a GPU");
        return {};
    }
    if (machine.instances > kMostGpus / size.gpus) {
        leaveOut(std::string(machine.thing) + " with more than " + std::to_string(kMostGpus) + " GPUs");
        return {};
    }
    ports::ListedMachine listed;
    if (machine.hasKnownArn) {
        auto tags = tagsOf(machine.arn);
        GPULEDGER_TRY(tags);
        listed.tags = std::move(*tags);
    }
    listed.id = machine.id;
    listed.providerId = machine.id; // the same one would be the same machine
    listed.type = machine.type;
    listed.region = m_region;
    listed.gpuName = size.name;
    listed.gpus = machine.instances * size.gpus;
    listed.memoryMib = size.memoryMib;
    listed.since = machine.since;
    listed.until = machine.until;
    listed.isSpot = machine.isSpot;
    if (machine.meter) {
        SageMakerMeter &meter = m_out.meters[machine.id] = *machine.meter;
        meter.instances = machine.instances;
        meter.gpusOfInstance = size.gpus;
    }
    m_out.inventory.machines.push_back(std::move(listed));
    return {};
}

// Asked for each of them, because a policy may allow it for some.
Result<model::Labels> SageMakerListing::tagsOf(const std::string &arn)
{
    auto tags = m_api.tagsOf(arn, m_stop);
    if (tags || tags.error().code != ErrorCode::Forbidden)
        return tags;
    warn("some machines of SageMaker are listed without their tags", tags.error());
    return model::Labels{};
}

void SageMakerListing::warn(const std::string &remark, const base::Error &why)
{
    if (m_remarks.insert(remark).second)
        m_out.inventory.warnings.push_back(remark + ": " + why.text);
}

Result<Json> SageMakerListing::describe(std::string_view thing, const std::string &action, const Json &which)
{
    auto told = m_api.describe(action, which, m_stop);
    if (told || told.error().code != ErrorCode::Forbidden)
        return told;
    leaveOut(std::string(thing) + " that may not be described");
    warn("some " + std::string(thing) + "s of SageMaker are left out", told.error());
    return Json();
}

std::string machineTypeIn(std::string_view type)
{
    constexpr std::string_view kBegin = "ml.", kTypeLetters = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    constexpr std::size_t kLongestType = 64;
    if (!type.starts_with(kBegin) || type.size() > kLongestType
        || type.find_first_not_of(kTypeLetters) != std::string_view::npos)
        return {};
    return std::string(type.substr(kBegin.size()));
}

} // namespace gpuledger::aws
