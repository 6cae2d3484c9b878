// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/budgetsource.h"

#include <string>

// What DescribeBudgets answers. No calls; plain functions.
namespace gpuledger::aws {

inline constexpr std::size_t kMostBudgets = 50'000; // of one account; AWS allows 20,000

// Adds the budgets of a page to `out`, and returns the token of the next one, empty after the last. What limits no
// money, and what can't be read, is counted there. Fails with Parse (not such an answer) or TooMuch.
[[nodiscard]] base::Result<std::string> addBudgetPage(const std::string &body, const std::string &account,
                                                      base::UtcTime now, ports::BudgetList &out);

} // namespace gpuledger::aws
