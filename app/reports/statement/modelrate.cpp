// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/modelrate.h"

#include "app/model/money/ledgerline.h"
#include "app/reports/statement/statementinput.h"

#include <map>

namespace gpuledger::reports {

using base::Currency;
using base::GpuTime;
using base::Money;
using base::Result;

namespace {

struct Sum {
    Money cost;
    GpuTime time;
    bool hasTime = false, isComplete = true;
};

Result<void> addRow(Sum &to, const insight::LedgerRow &row, CostView view)
{
    for (const Money &part : {view == CostView::Billed ? row.billed : row.effective, row.priced,
                              row.allocated.value_or(Money(0, to.cost.currency()))}) {
        if (part.isZero())
            continue;
        const auto sum = to.cost.plus(part);
        GPULEDGER_TRY(sum);
        to.cost = *sum;
    }
    to.time += row.gpuTime - row.unpriced;
    to.hasTime = to.hasTime || row.hasGpuTime;
    to.isComplete = to.isComplete && row.gpuTimeComplete;
    return {};
}

Money perHour(const Money &cost, GpuTime time)
{
    __extension__ using Product = __int128;
    constexpr std::int64_t kTicksPerHour = GpuTime::kTicksPerSecond * 3600;
    return {static_cast<std::int64_t>(Product{cost.nanos()} * kTicksPerHour / time.ticks), cost.currency()};
}

} // namespace

Result<std::optional<ModelRate>> commonestModel(const insight::LedgerAnswer &rows, Currency report, CostView view)
{
    std::map<std::string, Sum> models;
    for (const insight::LedgerRow &row : rows.rows) {
        const std::string &model = row.keys[StatementKey::GpuModel];
        if (row.keys[StatementKey::Category] != model::toString(model::LedgerCategory::Gpu) || row.currency != report
            || model.empty())
            continue;
        Sum &sum = models.try_emplace(model, Sum{Money(0, report), {}, false, true}).first->second;
        GPULEDGER_TRY(addRow(sum, row, view));
    }
    std::optional<ModelRate> best;
    for (const auto &[model, sum] : models) {
        const double hours = sum.time.hours();
        const bool isKnown = sum.hasTime && sum.isComplete && hours > 0 && sum.cost.nanos() > 0;
        if (isKnown && (!best || best->hours < hours))
            best = ModelRate{model, perHour(sum.cost, sum.time), hours};
    }
    return best;
}

} // namespace gpuledger::reports
