// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace gpuledger::services {

// Appends an element. A full vector grows by an eighth instead of being doubled: those of a day in memory are filled
// again for every day, so that they seldom grow, and what they have too much of stays.
template <typename T> T &oneMore(std::vector<T> &all)
{
    constexpr std::size_t kPart = 8, kLeast = 64;
    if (all.size() == all.capacity())
        all.reserve(all.size() + all.size() / kPart + kLeast);
    return all.emplace_back();
}

} // namespace gpuledger::services
