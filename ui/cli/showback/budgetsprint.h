// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/statementbudget.h"
#include "ui/cli/program/jsonrows.h"

#include <string>
#include <vector>

// The budgets of a statement. Pure; any thread.
namespace gpuledger::cli {

std::string budgetsText(const std::vector<reports::StatementBudget> &budgets, bool bold); // with a title
Json budgetsJson(const std::vector<reports::StatementBudget> &budgets);

} // namespace gpuledger::cli
