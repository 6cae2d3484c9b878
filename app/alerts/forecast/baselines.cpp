// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/baselines.h"

#include <cmath>

namespace gpuledger::alerts {

std::optional<double> runRate(std::span<const double> past, std::size_t daysAhead)
{
    double sum = 0;
    std::size_t known = 0;
    for (const double value : past) {
        if (std::isnan(value))
            continue;
        sum += value;
        ++known;
    }
    if (known == 0)
        return std::nullopt;
    return sum / static_cast<double>(known) * static_cast<double>(daysAhead);
}

std::optional<double> seasonalNaive(std::span<const double> past, std::size_t daysAhead)
{
    const auto mean = runRate(past, 1);
    if (!mean)
        return std::nullopt;
    std::array<double, kWeek> latest{};
    latest.fill(*mean);
    for (std::size_t i = 0; i < past.size(); ++i) {
        if (!std::isnan(past[i]))
            latest[i % kWeek] = past[i];
    }
    double sum = 0;
    for (std::size_t k = 0; k < daysAhead; ++k)
        sum += latest[(past.size() + k) % kWeek];
    return sum;
}

} // namespace gpuledger::alerts
