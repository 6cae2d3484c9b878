// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/months/statementdetail.h"

#include "app/reports/months/monthrecord.h"

namespace gpuledger::reports {

using base::Result;

namespace {

Result<History> historyOf(const MonthRecord &record, CostView view)
{
    MonthsFigures latest;
    auto last = figuresOf(record.before.rows);
    GPULEDGER_TRY(last);
    latest[before(record.month)] = std::move(*last);
    auto own = figuresOf(record.after.rows);
    GPULEDGER_TRY(own);
    latest[record.month] = std::move(*own);
    return History::of(latest, record.past ? &*record.past : nullptr, view, record.month);
}

} // namespace

Result<StatementDetail> makeDetail(const MonthRecord &record, const MonthStatus &status, CostView view)
{
    auto statement = makeStatement(record, status, view, {});
    GPULEDGER_TRY(statement);
    auto history = historyOf(record, view);
    GPULEDGER_TRY(history);
    auto commonest = commonestModel(record.after, record.report, view);
    GPULEDGER_TRY(commonest);
    return StatementDetail{std::move(*statement), std::move(*history), std::move(*commonest)};
}

} // namespace gpuledger::reports
