// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/seededrandom.h"
#include "app/savings/spot/capacity/spotmodel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gpuledger::savings {

inline constexpr std::int64_t kLongestSpotState = 10LL * 365 * 86400; // seconds

// A future of which only a rate is known: exponential times between interruptions (inverse of the distribution
// function), and capacity that is back at once, so that no state without it is in the path. `perHour` is interruptions
// per hour of running; zero or less: none. Plain value; one thread.
class SpotRatePath {
public:
    SpotRatePath(double perHour, SeededRandom random)
        : m_perHour(perHour)
        , m_random(random)
    {
    }
    SpotState next()
    {
        if (m_perHour <= 0)
            return {kLongestSpotState, true};
        const double hours = -std::log1p(-m_random.uniform()) / m_perHour;
        return {std::clamp(static_cast<std::int64_t>(std::min(hours * 3600 + 0.5, 1e15)), std::int64_t{1},
                           kLongestSpotState),
                true};
    }

private:
    double m_perHour;
    SeededRandom m_random;
};

} // namespace gpuledger::savings
