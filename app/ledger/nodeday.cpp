// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/nodeday.h"

namespace gpuledger::ledger {

TimeKey NodeDays::keyOf(const model::DeviceAttribution &device, std::int32_t holder, model::GpuState state) const
{
    TimeKey key;
    key.state = std::string(model::toString(state));
    key.gpuModel = device.gpuModel;
    key.team = device.nodeOwner;
    if (m_detail.instanceTypes && device.node)
        key.instanceType = device.node->instanceType;
    if (holder == model::kNobody)
        return key;
    const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(holder)];
    key.team = who.team;
    key.workloadKind = std::string(model::toString(who.kind));
    key.environment = who.environment;
    if (m_detail.workloads) {
        key.nameSpace = who.nameSpace;
        key.workload = who.ownerName.empty() ? who.name : who.ownerName;
    }
    return key;
}

void NodeDays::add(const model::DeviceAttribution &device)
{
    m_scratch.clear();
    TimeShare *share = nullptr;
    std::pair<std::int32_t, model::GpuState> current{};
    for (const model::UsagePart &part : device.parts) {
        const std::pair who{part.holder, part.state};
        if (!share || who != current) {
            share = &m_scratch[who];
            current = who;
        }
        share->ticks += part.ticks;
        share->priced += part.priced ? part.costNanos : 0;
        share->unpricedTicks += part.priced ? 0 : part.ticks;
    }
    const std::string &cluster = device.device->cluster;
    NodeDay &node = m_nodes[{cluster, device.node ? device.node->name : std::string()}];
    node.node = device.node;
    node.cluster = cluster;
    node.devices.insert(device.device->id.value);
    if (device.priced)
        node.priceSources.insert(device.priceSource);
    node.hasMig = node.hasMig || !device.device->slices.empty();
    node.hasAmd = node.hasAmd || device.device->vendor == "amd";
    for (const auto &[who, sum] : m_scratch) {
        TimeShare &to = node.shares[keyOf(device, who.first, who.second)];
        to.ticks += sum.ticks;
        to.priced += sum.priced;
        to.unpricedTicks += sum.unpricedTicks;
        node.ticks += sum.ticks;
    }
}

std::vector<NodeDay> NodeDays::take()
{
    std::vector<NodeDay> nodes;
    for (auto &[key, node] : m_nodes) {
        if (node.ticks > 0)
            nodes.push_back(std::move(node));
    }
    m_nodes.clear();
    return nodes;
}

} // namespace gpuledger::ledger
