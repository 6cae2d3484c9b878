// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/statement/history.h"
#include "app/reports/statement/modelrate.h"
#include "app/reports/statement/statement.h"

#include <optional>

namespace gpuledger::reports {

struct MonthRecord;

// A statement of all teams with everything else that its page and its PDF show.
struct StatementDetail {
    Statement statement;
    History history;
    std::optional<ModelRate> commonest; // the GPU model with the most hours; std::nullopt: none has a known cost
};

// From the record alone. Pure; any thread. Fails with Overflow.
[[nodiscard]] base::Result<StatementDetail> makeDetail(const MonthRecord &record, const MonthStatus &status,
                                                       CostView view);

} // namespace gpuledger::reports
