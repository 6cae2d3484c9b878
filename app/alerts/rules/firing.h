// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rulestate.h"

#include <span>
#include <vector>

// What a rule did over a series of readings. Pure; any thread; no errors.
namespace gpuledger::alerts {

struct Firing {
    base::UtcTime from{};
    std::optional<base::UtcTime> to; // std::nullopt: it still fires at the end of the series
    std::int64_t peak = 0; // the worst value, in nanos of the unit of the rule
    bool operator==(const Firing &) const = default;
};

struct ScopeRun {
    ScopeState state; // after the last reading
    std::vector<Firing> firings; // ascending
};

// `readings` ascend by time.
ScopeRun runOf(const Rule &rule, std::span<const Reading> readings);

// The value of a day may become known only days later, for example when a bill covers it.
inline constexpr base::Seconds kKnownLater = 14 * base::kDay;
// The readings that can be decided at `now`: of a daily metric without the newest ones that are unknown and may become
// known. `readings` ascend by time.
std::span<const Reading> decidedOf(const Rule &rule, std::span<const Reading> readings, base::UtcTime now);

// A notice about something that is over within this time comes too late to act on.
inline constexpr base::Seconds kLeastToAct{3600};
bool isUnactionable(const Firing &firing);

// Notices (of firing) per week of the range; std::nullopt: it is empty.
std::optional<double> noticesPerWeek(std::size_t notices, base::TimeRange range);

} // namespace gpuledger::alerts
