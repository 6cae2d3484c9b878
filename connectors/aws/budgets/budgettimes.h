// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/cloudbudget.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

// The times in what AWS Budgets says. Plain functions and values.
namespace gpuledger::aws {

// A time as AWS writes it in JSON whose numbers are texts: seconds since 1970, maybe with a fraction or an exponent, or
// RFC 3339. std::nullopt: it is none, or is not in the years from 1970 to 9999.
std::optional<base::UtcTime> budgetTimeOf(const std::string &text);

// How long a budget counts, and the days of its current period.
struct BudgetTimes {
    model::CloudBudgetPeriod period = model::CloudBudgetPeriod::Other;
    std::optional<base::Day> first, last; // UTC, both included; std::nullopt: unknown, or the budget isn't in force

    // Of a budget's TimeUnit and TimePeriod. The latter is the life of the budget: the current period is the day,
    // month, quarter or year of `now` within it, and of a CUSTOM budget all of it. Its End is the first instant after
    // it.
    static BudgetTimes of(const std::string &unit, const nlohmann::json &life, base::UtcTime now);
};

} // namespace gpuledger::aws
