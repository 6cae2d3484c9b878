// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/query.h"

#include <algorithm>
#include <utility>

namespace gpuledger::insight {

namespace {

constexpr std::array<std::pair<Dimension, std::string_view>, 10> kDimensions{{
    {Dimension::Team, "team"},
    {Dimension::Cluster, "cluster"},
    {Dimension::Cloud, "cloud"},
    {Dimension::Region, "region"},
    {Dimension::GpuModel, "gpu-model"},
    {Dimension::WorkloadKind, "workload-type"},
    {Dimension::Environment, "environment"},
    {Dimension::Workload, "workload"},
    {Dimension::Node, "node"},
    {Dimension::Device, "device"},
}};

} // namespace

std::string_view toString(Dimension dimension)
{
    return kDimensions[static_cast<std::size_t>(dimension)].second;
}

std::optional<Dimension> dimensionFromString(std::string_view text)
{
    for (const auto &[dimension, name] : kDimensions) {
        if (name == text)
            return dimension;
    }
    return std::nullopt;
}

bool Filter::matches(Dimension dimension, std::string_view value) const
{
    const auto names = [&](const auto &part) {
        const auto it = part.find(dimension);
        return it != part.end() && std::find(it->second.begin(), it->second.end(), value) != it->second.end();
    };
    return (include.count(dimension) == 0 || names(include)) && !names(exclude);
}

} // namespace gpuledger::insight
