// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <chrono>
#include <mutex>
#include <optional>

namespace gpuledger::actions {

// Detects that the computer's clock jumped or that the computer slept: wall time and steady time have diverged by more
// than a minute. Idle times can't be trusted after that until telemetry has delivered two fresh scrapes. Any thread.
class ClockWatch {
public:
    using Steady = std::chrono::steady_clock::time_point;
    static constexpr base::Seconds kJump{60};
    static constexpr int kFreshScrapes = 2;

    // Seconds of the latest jump while it still matters; std::nullopt if the clock can be trusted. `newestSample` is
    // the time of the newest sample of telemetry.
    std::optional<base::Seconds> jumped(base::UtcTime wall, Steady steady, base::UtcTime newestSample,
                                        base::Seconds scrape);

private:
    struct Reading {
        base::UtcTime wall;
        Steady steady;
    };
    std::mutex m_mutex;
    std::optional<Reading> m_last;
    std::optional<base::UtcTime> m_since; // time of the jump
    base::Seconds m_by{};
};

} // namespace gpuledger::actions
