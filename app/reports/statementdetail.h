// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/history.h"
#include "app/reports/modelrate.h"
#include "app/reports/statement.h"

#include <optional>

namespace gpuledger::reports {

struct MonthRecord;

// A statement of all teams with what its page and its PDF show beside it.
struct StatementDetail {
    Statement statement;
    History history;
    std::optional<ModelRate> commonest; // the GPU model that most hours were of; nothing: none has a known cost
};

// Of the record and nothing else. Pure; any thread. Fails with Overflow.
[[nodiscard]] base::Result<StatementDetail> makeDetail(const MonthRecord &record, const MonthStatus &status,
                                                       CostView view);

} // namespace gpuledger::reports
