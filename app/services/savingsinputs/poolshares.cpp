// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/poolshares.h"

#include <map>
#include <numeric>
#include <utility>

namespace gpuledger::services {

std::vector<std::uint16_t> poolShares(const PoolHeld *first, const PoolHeld *end, std::size_t devices)
{
    std::vector<std::uint16_t> group(devices);
    std::iota(group.begin(), group.end(), std::uint16_t{0});
    std::map<std::int64_t, std::uint16_t> firstOf; // device of each holder
    const auto rootOf = [&](std::uint16_t device) {
        while (group[device] != device)
            device = group[device];
        return device;
    };
    for (const PoolHeld *part = first; part != end; ++part) {
        const std::uint16_t other = firstOf.try_emplace(part->holder, part->device).first->second;
        group[rootOf(part->device)] = rootOf(other);
    }
    std::vector<char> seen(devices, 0);
    std::vector<std::uint16_t> size(devices, 0);
    for (const PoolHeld *part = first; part != end; ++part) {
        if (!std::exchange(seen[part->device], 1))
            ++size[rootOf(part->device)];
    }
    std::erase(size, 0);
    return size;
}

} // namespace gpuledger::services
