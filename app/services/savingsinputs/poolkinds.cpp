// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/poolkinds.h"

#include <algorithm>
#include <array>

namespace gpuledger::services {

namespace {

constexpr std::string_view kSharedEnd = "_shared";
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kResourceVendors{
    {{"nvidia_com_", "nvidia"}, {"amd_com_", "amd"}, {"gpu_intel_com_", "intel"}}};

// "1g.10gb+me" as a part of a resource's name.
std::string mangledProfile(std::string profile)
{
    std::replace_if(
        profile.begin(), profile.end(), [](char c) { return c == '.' || c == '+' || c == '-'; }, '_');
    return profile;
}

void addDevice(PoolKind &kind, const model::Device &device, bool isFirst)
{
    if (isFirst)
        kind.vendor = device.vendor;
    else if (kind.vendor != device.vendor)
        kind.vendor.clear();
    kind.isWhole = kind.isWhole || device.slices.empty();
    for (const model::MigSlice &slice : device.slices)
        kind.profiles.insert(mangledProfile(slice.profile));
}

PoolFit sameModel(const PoolKind &a, const PoolKind &b)
{
    if (a.gpuModel.empty() || b.gpuModel.empty())
        return PoolFit::Unknown;
    return a.gpuModel == b.gpuModel ? PoolFit::Yes : PoolFit::No;
}

} // namespace

PoolFit offersResource(const PoolKind &kind, std::string_view resource)
{
    const auto vendor = std::find_if(kResourceVendors.begin(), kResourceVendors.end(),
                                     [&](const auto &one) { return resource.starts_with(one.first); });
    if (vendor == kResourceVendors.end() || kind.vendor.empty())
        return PoolFit::Unknown;
    if (kind.vendor != vendor->second)
        return PoolFit::No;
    resource.remove_prefix(vendor->first.size());
    const bool isShare = resource.ends_with(kSharedEnd);
    if (isShare)
        resource.remove_suffix(kSharedEnd.size());
    PoolFit fit = PoolFit::Unknown;
    constexpr std::string_view kSlicePrefix = "mig_";
    if (resource.starts_with(kSlicePrefix))
        fit = kind.profiles.contains(std::string(resource.substr(kSlicePrefix.size()))) ? PoolFit::Yes : PoolFit::No;
    else if (resource == "gpu" && kind.isWhole)
        fit = PoolFit::Yes;
    return isShare && !kind.isShared ? std::min(fit, PoolFit::Unknown) : fit;
}

PoolKinds::PoolKinds(std::span<const savings::CapacityPool> pools, const std::vector<model::Device> &devices,
                     const std::vector<model::Node> &nodes)
    : m_pools(pools)
    , m_kinds(pools.size())
{
    std::map<std::string, const model::Device *> byId;
    for (const model::Device &device : devices)
        byId.emplace(std::to_string(device.id.value), &device);
    std::set<std::pair<std::string_view, std::string_view>> sharing;
    for (const model::Node &node : nodes) {
        if (node.sharedGpus)
            sharing.emplace(node.cluster, node.name);
    }
    const model::Device unknown;
    for (std::size_t i = 0; i < pools.size(); ++i) {
        PoolKind &kind = m_kinds[i];
        kind.gpuModel = pools[i].gpuModel;
        bool isFirst = true;
        for (const savings::CapacityNode &node : pools[i].nodes) {
            m_poolOf.emplace(std::pair(pools[i].cluster, node.name), i);
            kind.isShared = kind.isShared || sharing.contains({pools[i].cluster, node.name});
            for (const std::string &id : node.devices) {
                const auto found = byId.find(id);
                addDevice(kind, found == byId.end() ? unknown : *found->second, std::exchange(isFirst, false));
            }
        }
    }
}

const std::map<std::size_t, PoolFit> &PoolKinds::fits(const std::string &cluster, const std::string &resource,
                                                      const std::string &node)
{
    const auto [at, isNew] = m_known.try_emplace({cluster, resource, node});
    if (isNew)
        at->second = judged(cluster, resource, node);
    return at->second;
}

std::map<std::size_t, PoolFit> PoolKinds::judged(const std::string &cluster, const std::string &resource,
                                                 const std::string &node) const
{
    std::map<std::size_t, PoolFit> out;
    const PoolKind *only = nullptr; // the kind of the pools that may have the resource
    bool isOnly = true;
    for (std::size_t i = 0; i < m_pools.size(); ++i) {
        if (m_pools[i].cluster != cluster)
            continue;
        out[i] = offersResource(m_kinds[i], resource);
        if (out[i] == PoolFit::No)
            continue;
        isOnly = isOnly && (!only || sameModel(*only, m_kinds[i]) == PoolFit::Yes);
        only = &m_kinds[i];
    }
    const auto placed = node.empty() ? m_poolOf.end() : m_poolOf.find({cluster, node});
    const bool isPlaced = placed != m_poolOf.end();
    for (auto &[pool, fit] : out) {
        if (isPlaced && placed->second == pool)
            fit = PoolFit::Yes;
        else if (isPlaced)
            fit = std::min(fit, sameModel(m_kinds[placed->second], m_kinds[pool]));
        else if (!isOnly)
            fit = std::min(fit, PoolFit::Unknown);
    }
    return out;
}

} // namespace gpuledger::services
