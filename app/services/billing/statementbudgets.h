// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/statement/statementbudget.h"

#include <vector>

namespace gpuledger::reports {
struct Statement;
}

namespace gpuledger::services {

class BillingService;
class Engine;

// For BillingService::budgets(). The monthly budgets of the statement's teams, in the order of the configuration: none
// of a closed month. What carries over is computed from the statements of the earlier months of the year, which takes
// as long as they do; a month is unknown without a bill if it was not fetched to both ends. Blocking; call from a
// worker thread. Fails like BillingService::statement().
[[nodiscard]] base::Result<std::vector<reports::StatementBudget>>
statementBudgets(BillingService &billing, const Engine &engine, const reports::Statement &statement);

} // namespace gpuledger::services
