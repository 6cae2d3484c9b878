// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/adjustments.h"

#include "app/reports/statement/statementinput.h"
#include "app/store/values/billed.h"

namespace gpuledger::reports {

using base::Result;

namespace {

Result<void> addAmounts(AdjustmentAmounts &to, const AdjustmentAmounts &amounts)
{
    GPULEDGER_TRY(store::addAmount(to.billed, amounts.billed));
    GPULEDGER_TRY(store::addAmount(to.effective, amounts.effective));
    return store::addAmount(to.estimated, amounts.estimated);
}

Result<std::int64_t> difference(std::int64_t a, std::int64_t b)
{
    const auto less = base::Money(a, {}).minus(base::Money(b, {}));
    GPULEDGER_TRY(less);
    return less->nanos();
}

Result<void> subtractAmounts(AdjustmentAmounts &from, const AdjustmentAmounts &amounts)
{
    for (const auto part : {&AdjustmentAmounts::billed, &AdjustmentAmounts::effective, &AdjustmentAmounts::estimated}) {
        const auto less = difference(from.*part, amounts.*part);
        GPULEDGER_TRY(less);
        from.*part = *less;
    }
    return {};
}

} // namespace

std::string referenceOf(const insight::Month &month, base::UtcTime closedAt)
{
    return insight::toString(month) + ", closed " + base::toRfc3339(closedAt).substr(0, 10);
}

Result<void> addTo(MonthFigures &figures, const model::LedgerKey &key, const model::LedgerAmounts &amounts,
                   base::Currency report)
{
    const bool priced = key.origin == model::LedgerOrigin::Priced;
    AdjustmentAmounts &to =
        figures[{priced ? report : key.currency, key.team, std::string(model::toString(key.category)), key.state}];
    return addAmounts(to,
                      priced ? AdjustmentAmounts{0, 0, amounts.priced}
                             : AdjustmentAmounts{amounts.billed, amounts.effective, amounts.allocated});
}

Result<MonthFigures> figuresOf(const std::vector<insight::LedgerRow> &rows)
{
    MonthFigures figures;
    for (const insight::LedgerRow &row : rows) {
        const bool estimate = isEstimate(row);
        AdjustmentAmounts &to =
            figures[{estimate ? estimateOf(row).currency() : row.currency, row.keys[StatementKey::Team],
                     row.keys[StatementKey::Category], row.keys[StatementKey::State]}];
        GPULEDGER_TRY(addAmounts(to,
                                 estimate ? AdjustmentAmounts{0, 0, estimateOf(row).nanos()}
                                          : AdjustmentAmounts{row.billed.nanos(), row.effective.nanos(), 0}));
    }
    return figures;
}

Result<std::vector<MonthAdjustment>> adjustmentsOf(const insight::Month &month, base::UtcTime closedAt,
                                                   const MonthFigures &closed, const MonthFigures &now,
                                                   const std::vector<MonthAdjustment> &told)
{
    MonthFigures left = now;
    for (const auto &[key, amounts] : closed)
        GPULEDGER_TRY(subtractAmounts(left[key], amounts));
    for (const MonthAdjustment &one : told)
        GPULEDGER_TRY(subtractAmounts(left[one.key], one.amounts));
    std::vector<MonthAdjustment> out;
    for (const auto &[key, amounts] : left) {
        if (amounts != AdjustmentAmounts{})
            out.push_back({month, closedAt, key, amounts});
    }
    return out;
}

} // namespace gpuledger::reports
