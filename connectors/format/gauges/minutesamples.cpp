// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/gauges/minutesamples.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::format {

base::TimeRange activityMinutes(const ports::ActivityQuestion &question, base::UtcTime now)
{
    // The current minute of a past time would tell what was measured after it.
    const base::UtcTime end = question.at ? base::floorTo(now, kMinute) : base::ceilTo(now, kMinute);
    return {base::floorTo(activityFrom(question, now), kMinute), end};
}

std::vector<GaugeSample> minuteSamples(const std::map<std::int64_t, double> &minutes, base::UtcTime now)
{
    // Two minutes may have one time: the current one and the one before. The higher value counts, because either may
    // be the newest.
    std::map<base::UtcTime, double> highest;
    for (const auto &[minute, value] : minutes) {
        const base::UtcTime start = base::fromUnix(minute * kMinute.count());
        // The value of a minute holds until the minute ends. One that has not ended is not yet whole: its value says
        // nothing about what remains of it.
        const base::UtcTime at = start + kMinute <= now ? start + kMinute : start;
        const auto [known, isNew] = highest.try_emplace(at, value);
        if (!isNew && (std::isnan(known->second) || value > known->second))
            known->second = value;
    }
    std::vector<GaugeSample> samples;
    samples.reserve(highest.size());
    for (const auto &[at, value] : highest)
        samples.push_back({at, value});
    return samples;
}

} // namespace gpuledger::format
