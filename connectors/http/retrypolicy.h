// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <stop_token>

namespace gpuledger::http {

using Milliseconds = std::chrono::milliseconds;

// How often and for how long a RetryPolicy retries.
struct RetryLimits {
    int maxTries = 4; // in total, including the first
    Milliseconds firstDelay{1'000};
    Milliseconds maxDelay{300'000};
    Milliseconds budget{30'000}; // from the first failure to the last try
};
inline constexpr base::Seconds kMaxRetryAfter{3600};

// Decides how long to wait before a failed request is retried: doubling from firstDelay with jitter (half of it
// random); the server's Retry-After is respected. One object per source; one thread at a time.
class RetryPolicy {
public:
    explicit RetryPolicy(RetryLimits limits = {}, std::uint64_t seed = std::random_device{}());

    // `failures` counts the attempts so far, `elapsed` is the time since the first failure. std::nullopt means give up.
    std::optional<Milliseconds> delay(int failures, const base::Error &error, std::optional<base::Seconds> retryAfter,
                                      Milliseconds elapsed);

private:
    RetryLimits m_limits;
    std::mt19937_64 m_random;
};

// The passing of time as a retry sees it; tests replace it with simulated time.
class Pause {
public:
    virtual ~Pause() = default;
    virtual Milliseconds steadyNow() const = 0;
    // Returns false if stopped before the time was over.
    virtual bool wait(Milliseconds time, std::stop_token stop) = 0;
};

// Real time.
class SystemPause final : public Pause {
public:
    Milliseconds steadyNow() const override;
    bool wait(Milliseconds time, std::stop_token stop) override;
};

} // namespace gpuledger::http
