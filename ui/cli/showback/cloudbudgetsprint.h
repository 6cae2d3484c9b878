// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/spend/cloudbudgets.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints budgets of clouds beside the bill, for `budgets`. Pure; any thread.
namespace gpuledger::cli {

std::string budgetGapText(services::BudgetGap gap); // why a budget is not compared

Json cloudBudgetsJson(const services::BudgetsAnswer &answer);
std::string cloudBudgetsCsv(const services::BudgetsAnswer &answer);
std::string cloudBudgetsText(const services::BudgetsAnswer &answer, bool bold);

} // namespace gpuledger::cli
