// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stop_token>
#include <thread>
#include <vector>

namespace gpuledger::actions {

// Calls `work` with 0..count-1 on up to kAtOnce threads and waits for all of them. Calls not yet begun when a stop is
// requested are skipped.
inline constexpr std::size_t kAtOnce = 8;
template <typename Work> void sideBySide(std::size_t count, const std::stop_token &stop, const Work &work)
{
    std::atomic<std::size_t> next{0};
    const auto take = [&] {
        for (std::size_t i = next++; i < count && !stop.stop_requested(); i = next++)
            work(i);
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min(count, kAtOnce); ++i)
        threads.emplace_back(take);
    take();
}

} // namespace gpuledger::actions
