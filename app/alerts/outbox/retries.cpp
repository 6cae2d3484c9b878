// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/outbox/retries.h"

#include <algorithm>

namespace gpuledger::alerts {

namespace {

constexpr std::uint64_t kJitterSteps = 1024;
constexpr std::int64_t kJitterPart = 5;

// The finalizer of SplitMix64.
std::uint64_t mixed(std::uint64_t value)
{
    value += 0x9e3779b97f4a7c15ULL;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31U);
}

} // namespace

base::Seconds backOff(int attempts, std::int64_t message)
{
    base::Seconds pause = kFirstBackOff;
    for (int i = 1; i < attempts && pause < kLongestBackOff; ++i)
        pause *= 2;
    pause = std::min(pause, kLongestBackOff);
    const std::uint64_t seed = static_cast<std::uint64_t>(message) * 64 + static_cast<std::uint64_t>(attempts);
    const auto step = static_cast<std::int64_t>(mixed(seed) % kJitterSteps);
    return pause - pause * step / (kJitterPart * static_cast<std::int64_t>(kJitterSteps));
}

base::UtcTime nextAttempt(base::UtcTime now, int attempts, std::int64_t message,
                          std::optional<base::Seconds> retryAfter)
{
    if (!retryAfter)
        return now + backOff(attempts, message);
    return now + std::clamp(*retryAfter, base::Seconds{1}, kTriedFor);
}

bool isDue(base::UtcTime next, base::UtcTime now)
{
    return next <= now || next > now + kTriedFor;
}

bool isGivenUp(base::UtcTime createdAt, base::UtcTime now)
{
    return now - createdAt >= kTriedFor;
}

} // namespace gpuledger::alerts
