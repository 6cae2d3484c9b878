// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/timezone.h"
#include "app/model/settings.h"

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a rule watches, and when its condition holds. Values are whole billionths ("nanos") of the unit of the rule, so
// that money is exact. Pure; any thread.
namespace gpuledger::alerts {

enum class RuleMetric {
    IdleCost, // of the last hour, per day
    IdleHours, // GPU-hours of the last hour, per day
    Utilization, // of the observed held time of the last hour
    AllocationWithoutUse, // the idle share of that time
    Unallocated, // cost of the last hour per day, or the mean number of GPUs in it
    Budget, // spent / available in the period of each budget
    Forecast, // expected at the end of the period / available
    AttributionCoverage, // owned cost / all cost of the last hour
    AnomalyCost, // how far the cost of a day is above what is usual, as a score (app/alerts/anomaly)
    AnomalyUtilization, // how far the utilization of a day is below it
    SourceLate, // since the last successful sync of a source
    QueueWaiting, // GPUs that were waited for in the last hour while as many were free
    Reconciliation, // unexplained / billed, of the newest month whose bill is final
    CommitmentUnused, // what was paid for a commitment on a day and not used
    PriceChange, // of the lowest listed price of a GPU-hour, against 7 days before
    SpotInterruptions, // nodes that lost their pods to an interruption, on a day
    CommitmentExpiring, // days until a commitment ends
};
enum class RuleScope { Team, Cluster, Pool, All, Source, Model, Commitment, Label, Project }; // what each value is of
enum class RuleUnit { MoneyPerDay, HoursPerDay, Share, Gpus, Score, Hours, TimesPerDay, Days };
enum class RuleSeverity { Info, Warning, Critical };

std::string_view toString(RuleMetric metric); // as in the configuration: "idle-cost", "attribution-coverage" …
std::string_view
toString(RuleScope scope); // "team", "cluster", "pool", "all", "source", "model", "commitment", "label", "project"
std::string_view toString(RuleSeverity severity); // "info", "warning", "critical"
std::string unitText(RuleUnit unit,
                     base::Currency currency); // "USD/day", "h/day", "share", "GPU", "score", "h", "/day", "d"
std::optional<RuleMetric> ruleMetricFromString(std::string_view text);
std::vector<std::string> ruleMetricNames();
std::vector<std::string> ruleSeverityNames();

bool isAboutIdle(RuleMetric metric); // settled by stopping what is idle
bool fallsBelow(RuleMetric metric); // too little is bad: the rule says "below"; of all others "above"
std::string_view boundExample(RuleMetric metric); // "200 USD/day"
std::vector<std::string> scopesOf(RuleMetric metric); // what `per` can be
bool isDaily(RuleMetric metric); // one value a day; of all others, at least one an hour

struct Bound {
    RuleUnit unit = RuleUnit::Share;
    std::int64_t nanos = 0; // of the unit; a share of 1 is 1e9
};
// "200 USD/day", "100 h/day", "30 %", "0.3", "8 GPU", "4" (a score), "2 h", "3 /day", "30 d". Fails with
// InvalidArgument: not a number above 0, or not a unit of the metric (amounts are in `currency`).
[[nodiscard]] base::Result<Bound> boundOf(RuleMetric metric, std::string_view text, base::Currency currency);

using WeekHours = std::bitset<168>; // from Monday 00:00
// "mon-fri 8-18, sat 9-12", "sun". Fails with InvalidArgument.
[[nodiscard]] base::Result<WeekHours> workingHoursOf(std::string_view text);

struct Rule {
    std::string name; // unique; part of the key of its alerts
    RuleMetric metric = RuleMetric::IdleCost;
    RuleScope scope = RuleScope::Team;
    Bound bound;
    std::int64_t clearNanos = 0; // what fires resolves here: the bound, moved by the hysteresis
    base::Seconds length{0}; // how long the condition must hold before it fires
    std::optional<WeekHours> hours; // outside of them every value counts as unknown
    base::TimeZone zone; // of these hours
    RuleSeverity severity = RuleSeverity::Warning;
    std::string hoursText;

    bool isBelow() const { return fallsBelow(metric); }
    // Two readings further apart than this say nothing about the time between them.
    base::Seconds longestStep() const;
    bool worksAt(base::UtcTime t) const;
    bool holds(std::int64_t nanos) const; // beyond the bound
    bool keepsFiring(std::int64_t nanos) const; // beyond clearNanos
    std::int64_t worse(std::int64_t a, std::int64_t b) const;
};

// A rule of the configuration. Fails as boundOf() and workingHoursOf() do, and with InvalidArgument for an unknown
// word.
[[nodiscard]] base::Result<Rule> ruleOf(const model::AlertRule &configured, base::Currency currency,
                                        const base::TimeZone &zone);

} // namespace gpuledger::alerts
