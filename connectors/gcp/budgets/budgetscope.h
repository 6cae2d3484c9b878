// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/money/cloudbudget.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

// What a budget of Google Cloud is limited to, and its current period: the filter of v1 billingAccounts.budgets. No
// calls.
namespace gpuledger::gcp {

// Value type.
struct BudgetScope {
    std::string words; // "Projects: p1, p2; Labels: team=vision"; empty: all costs; printable
    model::CloudBudgetPeriod period = model::CloudBudgetPeriod::Month;
    std::optional<base::Day> first, last; // of the current period, both included; std::nullopt: not told, or no end
};

// `filter`: the member budgetFilter, null if absent. Of a calendar period, the one that has `today`. std::nullopt: it
// can't be read.
std::optional<BudgetScope> budgetScopeOf(const nlohmann::json &filter, base::Day today);

} // namespace gpuledger::gcp
