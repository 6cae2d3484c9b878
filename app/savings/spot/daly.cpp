// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/daly.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::savings {

namespace {

constexpr double kHour = 3600;

} // namespace

double dalyHours(const SpotWork &work, double perHour)
{
    if (perHour <= 0)
        return static_cast<double>(work.needed(work.work)) / kHour;
    const auto stretch = [&](std::int64_t seconds) {
        return std::exp(perHour * static_cast<double>(work.restart) / kHour)
            * std::expm1(perHour * static_cast<double>(seconds) / kHour) / perHour;
    };
    if (work.checkpointEvery <= 0)
        return stretch(work.work);
    const std::int64_t written = (work.work - 1) / work.checkpointEvery;
    const double last = stretch(work.work - written * work.checkpointEvery);
    return written == 0 ? last
                        : static_cast<double>(written) * stretch(work.checkpointEvery + work.checkpointCost) + last;
}

std::int64_t dalyBestInterval(const SpotWork &work, double perHour)
{
    if (perHour <= 0)
        return work.work;
    const double between = kHour / perHour, cost = static_cast<double>(work.checkpointCost);
    double best = between;
    if (cost < 2 * between) {
        const double ratio = cost / (2 * between);
        best = std::sqrt(2 * cost * between) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - cost;
    }
    return std::clamp(static_cast<std::int64_t>(std::llround(std::min(best, 1e15))), std::int64_t{1}, work.work);
}

} // namespace gpuledger::savings
