// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/weeklymodel.h"

#include <optional>

// The simple forecasts that ours has to beat. Values as in weeklymodel.h. Pure; any thread.
namespace gpuledger::alerts {

// Straight run rate: each day ahead costs the mean of the known days of `past`, which are those of the period so far.
// std::nullopt: none is known.
std::optional<double> runRate(std::span<const double> past, std::size_t daysAhead);
// Seasonal naive: each day ahead costs what the latest known day of its weekday cost; for a weekday of which none is
// known, the mean of the known days. std::nullopt: no day is known.
std::optional<double> seasonalNaive(std::span<const double> past, std::size_t daysAhead);

} // namespace gpuledger::alerts
