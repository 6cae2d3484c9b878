// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/proof/closedproof.h"

#include "app/reports/months/keptlines.h"
#include "app/services/proof/moneyproof.h"

#include <algorithm>

namespace gpuledger::services {

using base::Result;
using insight::Figure;
using insight::LedgerTotal;
using insight::ProofOfClose;
using store::MonthStore;

namespace {

// For bills only their sums were stored, not their lines: the bill amounts are taken from there.
void takeBills(insight::LedgerAnswer &to, const std::vector<LedgerTotal> &kept)
{
    for (const LedgerTotal &bill : kept) {
        const auto it = std::find_if(to.totals.begin(), to.totals.end(),
                                     [&](const LedgerTotal &one) { return one.currency == bill.currency; });
        if (it == to.totals.end()) {
            const base::Money zero(0, bill.currency);
            to.totals.push_back({bill.currency, bill.billBilled, bill.billEffective, zero, zero, zero, zero});
            continue;
        }
        it->billBilled = bill.billBilled;
        it->billEffective = bill.billEffective;
    }
    std::sort(to.totals.begin(), to.totals.end(),
              [](const LedgerTotal &a, const LedgerTotal &b) { return a.currency < b.currency; });
}

// The statement's rows, from the stored lines.
Result<insight::LedgerAnswer> summed(const reports::MonthRecord &record, const std::vector<std::string> &rows,
                                     std::size_t figureCount, MoneyRows &source)
{
    insight::LedgerQuery query;
    query.range = record.month.range();
    query.by = reports::statementDimensions();
    insight::LedgerSums sums(query, record.report, {});
    GPULEDGER_TRY(reports::visitKeptLines(
        rows, figureCount,
        [&](base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) -> Result<void> {
            GPULEDGER_TRY(sums.add(day, key, amounts));
            return source.add({day, &key, amounts});
        }));
    auto answer = sums.take();
    GPULEDGER_TRY(answer);
    takeBills(*answer, record.after.totals);
    return answer;
}

// Finds the newest log entry for the close.
void addEntry(ProofOfClose &to, const std::vector<store::AuditEntry> &log)
{
    const auto entry = std::find_if(log.rbegin(), log.rend(), [&](const store::AuditEntry &one) {
        return one.event.action == store::kCloseMonth && one.event.object == insight::toString(to.month);
    });
    if (entry == log.rend())
        return;
    to.entry = entry->sequence;
    to.entryHash = entry->hash;
    to.isInLog = entry->event.details.find('"' + to.hash + '"') != std::string::npos;
}

} // namespace

Result<KeptFigure> keptFigure(store::LedgerStore &cache, const BillingPeriods &book, const Figure &figure,
                              MoneyRows &rows)
{
    const auto kept = cache.months().closedRows(insight::toString(figure.month), MonthStore::Rows::All);
    GPULEDGER_TRY(kept);
    const auto count = reports::figureCountOf(kept->front());
    GPULEDGER_TRY(count);
    const std::size_t figures = std::min(*count, kept->size());
    auto month = reports::decode({kept->begin(), kept->begin() + static_cast<std::ptrdiff_t>(figures)});
    GPULEDGER_TRY(month);
    const reports::MonthStatus status = reports::statusOf(*month, book.hashOf(figure.month));
    const auto view =
        figure.view == insight::MoneyView::Billed ? reports::CostView::Billed : reports::CostView::Effective;
    const auto shown = reports::makeStatement(month->record, status, view, {});
    GPULEDGER_TRY(shown);
    auto after = summed(month->record, *kept, figures, rows);
    GPULEDGER_TRY(after);
    month->record.after = std::move(*after);
    const auto recomputed = reports::makeStatement(month->record, status, view, {});
    GPULEDGER_TRY(recomputed);
    KeptFigure out{valueIn(*shown, figure), valueIn(*recomputed, figure), closeOf(status)};
    const auto log = cache.months().audit();
    GPULEDGER_TRY(log);
    addEntry(out.closed, *log);
    return out;
}

ProofOfClose closeOf(const reports::MonthStatus &status)
{
    ProofOfClose out;
    out.month = status.month;
    out.at = status.at.value_or(base::UtcTime{});
    out.by = status.by;
    out.reason = status.reason;
    out.hash = status.hash;
    return out;
}

} // namespace gpuledger::services
