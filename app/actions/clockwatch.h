// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"

#include <chrono>
#include <mutex>
#include <optional>

namespace gpuledger::actions {

// Notices that the computer's clock jumped or that it slept: wall and steady time went apart by more than a minute.
// "Idle for two hours" means nothing then, until telemetry told twice what it sees since. Any thread.
class ClockWatch {
public:
    using Steady = std::chrono::steady_clock::time_point;
    static constexpr base::Seconds kJump{60};
    static constexpr int kFreshScrapes = 2;

    // Seconds of the jump that still counts; nothing: the clock can be trusted. `newestSample`: of telemetry.
    std::optional<base::Seconds> jumped(base::UtcTime wall, Steady steady, base::UtcTime newestSample,
                                        base::Seconds scrape);

private:
    struct Reading {
        base::UtcTime wall;
        Steady steady;
    };
    std::mutex m_mutex;
    std::optional<Reading> m_last;
    std::optional<base::UtcTime> m_since; // of the jump
    base::Seconds m_by{};
};

} // namespace gpuledger::actions
