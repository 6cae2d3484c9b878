// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/poolshares.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gpuledger::services {

std::vector<std::uint16_t> poolShares(std::span<const PoolRun> held, std::size_t devices)
{
    std::vector<std::uint16_t> group(devices);
    std::iota(group.begin(), group.end(), std::uint16_t{0});
    const auto rootOf = [&](std::uint16_t device) {
        while (group[device] != device)
            device = group[device];
        return device;
    };
    std::vector<std::pair<std::int64_t, std::uint16_t>> byHolder;
    byHolder.reserve(held.size());
    for (const PoolRun &run : held)
        byHolder.emplace_back(run.holder, run.device);
    std::sort(byHolder.begin(), byHolder.end());
    for (std::size_t i = 1; i < byHolder.size(); ++i) {
        if (byHolder[i].first == byHolder[i - 1].first)
            group[rootOf(byHolder[i].second)] = rootOf(byHolder[i - 1].second);
    }
    std::vector<char> seen(devices, 0);
    std::vector<std::uint16_t> size(devices, 0);
    for (const PoolRun &run : held) {
        if (!std::exchange(seen[run.device], 1))
            ++size[rootOf(run.device)];
    }
    std::erase(size, 0);
    std::sort(size.begin(), size.end());
    return size;
}

std::uint32_t ShareLists::indexOf(const std::vector<std::uint16_t> &shares)
{
    const auto [at, isNew] = m_indexes.try_emplace(shares, static_cast<std::uint32_t>(m_lists.size()));
    if (isNew)
        m_lists.push_back(&at->first);
    return at->second;
}

} // namespace gpuledger::services
