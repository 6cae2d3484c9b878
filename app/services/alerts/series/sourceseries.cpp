// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/sourceseries.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

namespace {

constexpr std::int64_t kNanosPerHour = 1'000'000'000, kSecondsPerHour = 3600;

std::int64_t nanoHoursOf(base::Seconds time)
{
    const std::int64_t hours = time.count() / kSecondsPerHour, rest = time.count() % kSecondsPerHour;
    return hours * kNanosPerHour + rest * kNanosPerHour / kSecondsPerHour;
}

} // namespace

RuleSeries sourceSeriesOf(const std::vector<model::SourceSettings> &sources,
                          const std::vector<store::SyncState> &states, base::TimeRange range)
{
    RuleSeries out;
    for (const model::SourceSettings &source : sources) {
        if (!source.mayRead)
            continue;
        const auto state = std::find_if(states.begin(), states.end(),
                                        [&](const store::SyncState &one) { return one.source == source.name; });
        const bool isSynced = state != states.end() && state->lastSuccess;
        const base::UtcTime from = isSynced ? std::min(*state->lastSuccess, range.end) : range.start;
        std::vector<alerts::Reading> readings;
        // The grid begins at the sync, so that what fires has the same start whenever it is asked for.
        base::UtcTime at = from;
        if (at < range.start)
            at = from + base::kCell * ((range.start - from + base::kCell - base::Seconds{1}) / base::kCell);
        for (; at <= range.end; at += base::kCell)
            readings.push_back({at, nanoHoursOf(at - from)});
        out.emplace(source.name, std::move(readings));
    }
    return out;
}

} // namespace gpuledger::services
