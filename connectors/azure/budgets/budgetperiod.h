// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/cloudbudget.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace gpuledger::azure {

// How long a budget counts, and the days of its current period. Value type.
struct BudgetPeriod {
    model::CloudBudgetPeriod period = model::CloudBudgetPeriod::Other;
    std::optional<base::Day> first, last; // UTC, both included; std::nullopt: unknown, or the budget isn't in force

    // Of `timeGrain` ("Monthly") and `timePeriod` ({"startDate","endDate"}). Calendar months, quarters and years are
    // those of UTC, within the days of `timePeriod`. Azure does not say when an invoice's period begins, so
    // "BillingMonth" and the like have no days.
    static BudgetPeriod of(const std::string &timeGrain, const nlohmann::json &timePeriod, base::Day today);
};

} // namespace gpuledger::azure
