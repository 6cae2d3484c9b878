// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query/query.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::insight {

namespace {

constexpr std::array<std::pair<Dimension::Kind, std::string_view>, 14> kDimensions{{
    {Dimension::Team, "team"},
    {Dimension::Cluster, "cluster"},
    {Dimension::Cloud, "cloud"},
    {Dimension::Region, "region"},
    {Dimension::GpuModel, "gpu-model"},
    {Dimension::WorkloadKind, "workload-type"},
    {Dimension::Environment, "environment"},
    {Dimension::NodePool, "node-pool"},
    {Dimension::Workload, "workload"},
    {Dimension::Node, "node"},
    {Dimension::Device, "device"},
    {Dimension::WorkloadLabel, "label:"},
    {Dimension::NamespaceLabel, "namespace-label:"},
    {Dimension::NodeLabel, "node-label:"},
}};

} // namespace

std::string toString(const Dimension &dimension)
{
    return std::string(kDimensions[static_cast<std::size_t>(dimension.kind)].second) + dimension.label;
}

std::optional<Dimension> dimensionFromString(std::string_view text)
{
    for (const auto &[kind, name] : kDimensions) {
        const bool takesKey = name.back() == ':';
        if (!takesKey && name == text)
            return Dimension(kind);
        if (takesKey && text.size() > name.size() && text.starts_with(name))
            return Dimension(kind, std::string(text.substr(name.size())));
    }
    return std::nullopt;
}

bool Filter::matches(const Dimension &dimension, std::string_view value) const
{
    const auto names = [&](const auto &part) {
        const auto it = part.find(dimension);
        return it != part.end() && std::find(it->second.begin(), it->second.end(), value) != it->second.end();
    };
    return (include.count(dimension) == 0 || names(include)) && !names(exclude);
}

} // namespace gpuledger::insight
