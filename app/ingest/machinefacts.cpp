// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/machinefacts.h"

#include "app/base/text/text.h"
#include "app/model/fleet/listedmachine.h"
#include "app/model/money/mangledlabel.h"

namespace gpuledger::ingest {

using ports::FactBatch;
using ports::ListedMachine;

namespace {

model::Node nodeOf(const ListedMachine &machine, const std::string &source, const std::string &cloud)
{
    model::Node node;
    node.cluster = source;
    node.name = machine.id;
    for (const auto &[key, value] : machine.tags)
        node.labels.emplace(model::mangledLabel(base::repairedUtf8(key)), base::repairedUtf8(value));
    node.labels[model::kHostNameLabel] = machine.hostName;
    node.labels.erase(model::kPurchaseLabel); // a tag of this name is none of ours
    node.labels.erase(model::kGpuHourPriceLabel);
    if (machine.isSpot)
        node.labels[model::kPurchaseLabel] = model::kSpotPurchase;
    if (machine.perHour) {
        const base::Money price((machine.perHour->nanos() + machine.gpus / 2) / machine.gpus,
                                machine.perHour->currency());
        node.labels[model::kGpuHourPriceLabel] = price.toDecimal() + ' ' + std::string(price.currency().code());
    }
    node.providerId = machine.providerId;
    node.instanceType = machine.type;
    node.cloud = cloud;
    node.region = machine.region;
    node.zone = machine.zone;
    node.gpuCapacity = machine.gpus;
    return node;
}

} // namespace

MachineNumbers addMachine(FactBatch &batch, const ListedMachine &machine, const std::string &source,
                          const std::string &cloud)
{
    MachineNumbers numbers{static_cast<std::uint32_t>(batch.nodes.size()), FactBatch::kNone};
    batch.nodes.push_back(nodeOf(machine, source, cloud));
    if (machine.isMember)
        return numbers;
    numbers.subject = static_cast<std::uint32_t>(batch.subjects.size());
    model::Subject &holder = batch.subjects.emplace_back();
    holder.cluster = source;
    holder.kind = model::SubjectKind::Machine;
    holder.name = machine.id;
    return numbers;
}

std::uint32_t addGpu(FactBatch &batch, const ListedMachine &machine, std::int64_t gpu, const std::string &source)
{
    const auto number = static_cast<std::uint32_t>(batch.devices.size());
    model::Device &device = batch.devices.emplace_back();
    device.cluster = source;
    device.uuid = uuidOf(machine, gpu);
    device.model = machine.gpuName;
    device.index = static_cast<int>(gpu);
    device.memoryMib = machine.memoryMib;
    return number;
}

std::string uuidOf(const ListedMachine &machine, std::int64_t gpu)
{
    return machine.id + '/' + std::to_string(gpu);
}

} // namespace gpuledger::ingest
