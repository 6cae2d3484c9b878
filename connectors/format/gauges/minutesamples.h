// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/gauges/gaugeseries.h"

#include <cstdint>
#include <map>
#include <vector>

// Samples of services that have one value for each minute. No calls; values.
namespace gpuledger::format {

inline constexpr base::Seconds kMinute{60};

// The whole minutes to ask for, to answer the question at `now`. The current minute, in which a machine may just have
// become busy, is one of them unless the question is about a past time.
base::TimeRange activityMinutes(const ports::ActivityQuestion &question, base::UtcTime now);
// Samples of values by the number of the minute since 1970.
std::vector<GaugeSample> minuteSamples(const std::map<std::int64_t, double> &minutes, base::UtcTime now);

} // namespace gpuledger::format
