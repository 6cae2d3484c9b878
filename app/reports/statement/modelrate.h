// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/reports/statement/statement.h"

#include <optional>
#include <string>

namespace gpuledger::reports {

// The hourly cost of a GPU model in a month, over all teams.
struct ModelRate {
    std::string model;
    base::Money perHour;
    double hours = 0; // of GPU time that has a price
};

// The GPU model with the most hours, among those whose hours and cost are known in the currency `report`; std::nullopt:
// there is none. `rows` are a month's, by statementDimensions(). Pure; any thread. Fails with Overflow.
[[nodiscard]] base::Result<std::optional<ModelRate>> commonestModel(const insight::LedgerAnswer &rows,
                                                                    base::Currency report, CostView view);

} // namespace gpuledger::reports
