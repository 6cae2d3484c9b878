// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/syncorder.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace gpuledger::services {

void inParallel(const std::vector<std::size_t> &numbers, std::size_t threads,
                const std::function<void(std::size_t)> &each)
{
    std::atomic<std::size_t> next{0};
    const auto worker = [&] {
        for (std::size_t at = next++; at < numbers.size(); at = next++)
            each(numbers[at]);
    };
    std::vector<std::jthread> pool;
    for (std::size_t t = 1; t < std::min(threads, numbers.size()); ++t)
        pool.emplace_back(worker);
    worker();
}

BillsFirst::BillsFirst(std::size_t bills)
    : m_left(bills)
{
}

void BillsFirst::oneIsDone()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_left > 0)
            --m_left;
    }
    m_done.notify_all();
}

void BillsFirst::wait(const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    m_done.wait_until(lock, stop, m_until, [&] { return m_left == 0; });
}

} // namespace gpuledger::services
