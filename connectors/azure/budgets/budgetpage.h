// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/budgetsource.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

// What Microsoft.Consumption's list says of budgets (api-version 2021-10-01). No calls; values.
namespace gpuledger::azure {

// The id of a scope without its long prefix, in lower case: of a subscription its number.
std::string scopeId(std::string_view scope);

// Adds the budgets of a page, in which every number is a text (format::parseWithNumbersAsText). `scope` is the path
// that was asked. What can't be read is counted in `out`. Fails with Parse (not such a list) or TooMuch.
[[nodiscard]] base::Result<void> addBudgets(const nlohmann::json &page, const std::string &scope, base::Day today,
                                            ports::BudgetList &out);

inline constexpr std::size_t kMostBudgets = 10'000;

} // namespace gpuledger::azure
