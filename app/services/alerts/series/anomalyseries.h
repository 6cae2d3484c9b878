// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/anomaly/anomaly.h"
#include "app/alerts/forecast/forecast.h"
#include "app/services/alerts/ruleseries.h"

namespace gpuledger::services {

// For the metrics AnomalyCost and AnomalyUtilization: a reading at the end of each whole UTC day of `question.range`,
// how many spreads its cost is above, or its utilization below, what is usual on its weekday (app/alerts/anomaly). A
// day's cost is known as for the forecast; its utilization, if nine tenths of it were fetched and at least `observed`
// of the held time was observed. The day that is not over has no reading. Fails with Storage… codes, Overflow.
[[nodiscard]] base::Result<RuleSeries> anomalySeriesOf(View &view, const alerts::Rule &rule,
                                                       const SeriesQuestion &question, base::Currency currency);

// The least spreads: smaller deviations are noise.
inline constexpr double kCostFloor = 1, kUtilizationFloor = 0.02; // units of money per day; a share

// One reading a day from `from` on; `values` begin at `first` and have NaN for unknown days. Days within an event of
// `team` (std::nullopt: of everybody) are no part of what is usual, and have Reading::nothing. Pure.
std::vector<alerts::Reading> anomalyReadings(std::vector<double> values, base::Day first, base::Day from,
                                             alerts::RuleMetric metric, const alerts::EventCalendar &events = {},
                                             const std::optional<std::string> &team = {});
// The team whose events count for a scope of the rule.
std::optional<std::string> eventTeamOf(const alerts::Rule &rule, const std::string &scope);

// What moved a scope on the day before `end`, as one sentence each: against the same weekday of the eight weeks before
// that had the median cost (of AnomalyUtilization: the median utilization), how much is due to price, hours, mix and
// efficiency (insight::explainChange), and the three workloads that changed most. Days within events of `question` are
// left out. Empty: there is no such day. Fails with Storage… codes, Overflow.
[[nodiscard]] base::Result<std::vector<std::string>> anomalyDriversOf(View &view, const alerts::Rule &rule,
                                                                      const std::string &scope, base::UtcTime end,
                                                                      const SeriesQuestion &question,
                                                                      base::Currency currency);

} // namespace gpuledger::services
