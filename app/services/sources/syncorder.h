// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <vector>

namespace gpuledger::services {

// Calls `each` with each of the numbers, in their order, on at most `threads` threads; returns after the last call.
void inParallel(const std::vector<std::size_t> &numbers, std::size_t threads,
                const std::function<void(std::size_t)> &each);

// Lets the bills of a first sync be stored before its telemetry. A day that has telemetry is computed again when a bill
// charges it, which took a third of the time of a first sync. Telemetry waits for a limited time only: a server of
// bills that doesn't answer must not hold it up. Thread-safe.
class BillsFirst {
public:
    static constexpr std::chrono::seconds kLongestWait{15}; // since it was created

    // `bills`: how many sources of bills are synced; with 0, nothing waits.
    explicit BillsFirst(std::size_t bills);

    // One of them was stored, or has failed.
    void oneIsDone();
    // Blocks until all are done, the time is over, or a stop is requested.
    void wait(const std::stop_token &stop);

private:
    std::mutex m_mutex;
    std::condition_variable_any m_done;
    std::size_t m_left;
    std::chrono::steady_clock::time_point m_until = std::chrono::steady_clock::now() + kLongestWait;
};

} // namespace gpuledger::services
