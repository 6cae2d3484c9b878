// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rule.h"
#include "app/alerts/rules/rulestate.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::alerts {

// So many days of the past are looked at.
inline constexpr base::Seconds kBoundFrom = 28 * base::kDay;

// A bound for a new rule, from what it would have watched: the 90th percentile of the daily means of all scopes,
// rounded up to 1, 2 or 5 times a power of ten; for rules that say "below" the 10th percentile, rounded down. Shares
// are rounded to 5 %. As the configuration writes it ("500 USD/day"). std::nullopt: fewer than seven days are known,
// there was nothing, or the metric does not depend on the size of the fleet. Pure; any thread.
std::optional<std::string> suggestedBound(const Rule &rule, const std::map<std::string, std::vector<Reading>> &past,
                                          base::Currency currency);

} // namespace gpuledger::alerts
