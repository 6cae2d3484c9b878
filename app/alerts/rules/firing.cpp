// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/firing.h"

namespace gpuledger::alerts {

ScopeRun runOf(const Rule &rule, std::span<const Reading> readings)
{
    ScopeRun run;
    for (const Reading &reading : readings) {
        const auto change = step(rule, run.state, reading);
        if (run.state.state == AlertState::Firing) {
            if (change)
                run.firings.push_back({reading.at, std::nullopt, 0});
            run.firings.back().peak = run.state.peak.value_or(0);
        } else if (change && change->from == AlertState::Firing) {
            run.firings.back().to = reading.at;
        }
    }
    return run;
}

std::span<const Reading> decidedOf(const Rule &rule, std::span<const Reading> readings, base::UtcTime now)
{
    if (!isDaily(rule.metric))
        return readings;
    const auto mayBecomeKnown = [now](const Reading &reading) {
        return !reading.nanos && !reading.nothing && now - reading.at < kKnownLater;
    };
    while (!readings.empty() && mayBecomeKnown(readings.back()))
        readings = readings.first(readings.size() - 1);
    return readings;
}

bool isUnactionable(const Firing &firing)
{
    return firing.to && *firing.to - firing.from < kLeastToAct;
}

std::optional<double> noticesPerWeek(std::size_t notices, base::TimeRange range)
{
    if (range.empty())
        return std::nullopt;
    const base::Seconds week = 7 * base::kDay;
    return static_cast<double>(notices) * static_cast<double>(week.count())
        / static_cast<double>(range.length().count());
}

} // namespace gpuledger::alerts
