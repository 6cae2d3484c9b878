// SPDX-License-Identifier: GPL-3.0-or-later
// What readers without a quicker way do.
#include "app/store/facts/factreader.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpuledger::store {

using base::Result;

Result<std::vector<model::Node>> FactReader::nodesWithoutLabels()
{
    auto all = nodes();
    GPULEDGER_TRY(all);
    for (model::Node &node : *all)
        node.labels.clear();
    return all;
}

Result<std::vector<ClusterSize>> FactReader::clusterSizes()
{
    std::map<std::string, ClusterSize> sizes;
    const auto known = devices();
    GPULEDGER_TRY(known);
    for (const model::Device &device : *known)
        ++sizes[device.cluster].devices;
    const auto machines = nodes();
    GPULEDGER_TRY(machines);
    for (const model::Node &node : *machines)
        ++sizes[node.cluster].nodes;
    std::vector<ClusterSize> out;
    for (auto &[cluster, size] : sizes) {
        size.cluster = cluster;
        out.push_back(std::move(size));
    }
    return out;
}

Result<void> FactReader::eachPlacementOf(std::span<const base::DeviceId> devices, base::TimeRange range,
                                         const PlacementVisitor &visit)
{
    const std::set<base::DeviceId> wanted(devices.begin(), devices.end());
    return eachPlacement(range, [&](const Placement &one) -> Result<void> {
        return wanted.contains(one.device) ? visit(one) : Result<void>();
    });
}

Result<std::vector<DeviceNode>> FactReader::deviceNodes()
{
    std::set<DeviceNode> all;
    GPULEDGER_TRY(eachPlacement({}, [&](const Placement &one) -> Result<void> {
        all.insert({one.device, one.node});
        return {};
    }));
    return std::vector<DeviceNode>(all.begin(), all.end());
}

} // namespace gpuledger::store
