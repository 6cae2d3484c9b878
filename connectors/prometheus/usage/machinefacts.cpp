// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/machinefacts.h"

#include "connectors/prometheus/kube/kubelabels.h"

#include <string_view>

namespace gpuledger::prometheus {

namespace {

// An EC2 instance id ("i-" and 8 or 17 hexadecimal digits) or an ARN, which is also what AWS bills call the machine.
bool isOfAws(std::string_view name)
{
    if (name.starts_with("arn:aws"))
        return true;
    const bool hasLength = name.size() == 2 + 8 || name.size() == 2 + 17;
    return hasLength && name.starts_with("i-")
        && name.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
}

} // namespace

void MachineFacts::hear(std::uint32_t node, const std::string &name, const model::Labels &labels, std::size_t last)
{
    Machine &machine = m_machines[node];
    machine.name = name;
    for (const auto &[key, value] : labels) {
        Told &told = machine.labels.try_emplace(key, Told{value, last, false}).first->second;
        if (last > told.last)
            told = {value, last, false};
        else if (last == told.last && value != told.value)
            told.disputed = true;
    }
}

void MachineFacts::describe(ports::FactBatch &batch) const
{
    for (const auto &[index, machine] : m_machines) {
        model::Node &node = batch.nodes[index];
        for (const auto &[key, told] : machine.labels) {
            if (!told.disputed)
                node.labels.emplace(key, told.value);
        }
        node.instanceType = labelOr(node.labels, {"instance_type", "node_kubernetes_io_instance_type"});
        node.region = labelOr(node.labels, {"region", "topology_kubernetes_io_region"});
        node.zone = labelOr(node.labels, {"availability_zone", "zone", "topology_kubernetes_io_zone"});
        if (isOfAws(machine.name)) {
            node.providerId = machine.name;
            node.cloud = "aws";
        }
    }
}

} // namespace gpuledger::prometheus
