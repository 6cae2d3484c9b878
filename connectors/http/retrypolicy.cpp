// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/retrypolicy.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace gpuledger::http {

RetryPolicy::RetryPolicy(RetryLimits limits, std::uint64_t seed)
    : m_limits(limits)
    , m_random(seed)
{
}

std::optional<Milliseconds> RetryPolicy::delay(int failures, const base::Error &error,
                                               std::optional<base::Seconds> retryAfter, Milliseconds elapsed)
{
    if (!error.retryable || failures >= m_limits.maxTries)
        return std::nullopt;
    Milliseconds wait{};
    if (retryAfter) {
        wait = std::min(*retryAfter, kMaxRetryAfter);
    } else {
        const int doublings = std::clamp(failures - 1, 0, 20);
        const Milliseconds full = std::min(m_limits.maxDelay, m_limits.firstDelay * (std::int64_t{1} << doublings));
        std::uniform_int_distribution<std::int64_t> jitter(full.count() / 2, full.count());
        wait = Milliseconds(jitter(m_random));
    }
    if (elapsed + wait > m_limits.budget)
        return std::nullopt;
    return wait;
}

Milliseconds SystemPause::steadyNow() const
{
    return std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

bool SystemPause::wait(Milliseconds time, std::stop_token stop)
{
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

} // namespace gpuledger::http
