// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/bills/nodeday.h"

#include "app/model/fleet/kindname.h"

namespace gpuledger::ledger {

const model::AttributedHolder *NodeDays::holderOf(const model::DeviceAttribution &device, const Who &who)
{
    return who.holder == model::kNobody ? nullptr : &(*device.holders)[static_cast<std::size_t>(who.holder)];
}

TimeKey NodeDays::keyOf(const model::DeviceAttribution &device, const Who &who) const
{
    TimeKey key;
    key.state = std::string(model::toString(who.state));
    key.gpuModel = device.gpuModel;
    key.team = device.nodeOwner;
    if (m_detail.instanceTypes && device.node)
        key.instanceType = device.node->instanceType;
    if (m_detail.doubts) {
        key.sharedEqually = who.sharedEqually;
        if (device.priceAsOf)
            key.priceDate = base::toRfc3339(*device.priceAsOf).substr(0, 10);
    }
    const model::AttributedHolder *holder = holderOf(device, who);
    if (!holder)
        return key;
    key.team = holder->team;
    key.workloadKind = std::string(model::toString(holder->kind));
    key.environment = holder->environment;
    if (m_detail.workloads) {
        key.nameSpace = holder->nameSpace;
        key.workload = model::workloadOf(holder->what, holder->ownerName, holder->name);
    }
    return key;
}

void NodeDays::add(const model::DeviceAttribution &device)
{
    m_scratch.clear();
    const bool isExpected = device.basis == model::RateBasis::Expected;
    TimeShare *share = nullptr;
    Who current{};
    for (const model::UsagePart &part : device.parts) {
        const Who who{part.holder, part.state, m_detail.doubts && part.sharedEqually};
        if (!share || who != current) {
            share = &m_scratch[who];
            current = who;
        }
        share->ticks += part.ticks;
        share->priced += part.listNanos;
        share->unpricedTicks += part.listed ? 0 : part.ticks;
        share->expected += isExpected ? part.costNanos : 0;
    }
    const std::string &cluster = device.device->cluster;
    NodeDay &node = m_nodes[{cluster, device.node ? device.node->name : std::string()}];
    node.node = device.node;
    node.cluster = cluster;
    std::int64_t &ofDevice = node.devices[device.device->id.value];
    node.positions.insert(device.device->index);
    node.expected = node.expected || isExpected;
    if (const std::string &source = isExpected ? device.priceSource : device.listSource; !source.empty())
        node.priceSources.insert(source);
    node.hasMig = node.hasMig || !device.device->slices.empty();
    node.hasAmd = node.hasAmd || device.device->vendor == "amd";
    for (const auto &[who, sum] : m_scratch) {
        if (const model::AttributedHolder *holder = holderOf(device, who);
            holder && holder->what == model::SubjectKind::Machine)
            node.machineTeams.insert(holder->team);
        TimeShare &to = node.shares[keyOf(device, who)];
        to.ticks += sum.ticks;
        to.priced += sum.priced;
        to.unpricedTicks += sum.unpricedTicks;
        to.expected += sum.expected;
        node.ticks += sum.ticks;
        ofDevice += sum.ticks;
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
