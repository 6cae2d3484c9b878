// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workspace that answers about money.
#include "app/insight/reconciler.h"
#include "app/services/workspaceprivate.h"

#include <algorithm>
#include <set>

namespace gpuledger::services {

using base::Result;
using model::LedgerAmounts;
using model::LedgerKey;

namespace {

// What the bills say goes beside what the lines add up to; a currency that only one of them has is zero in the other.
void putBills(insight::LedgerAnswer &answer, const store::BillTotals &bills)
{
    for (const auto &[currency, amounts] : bills) {
        auto it = std::find_if(answer.totals.begin(), answer.totals.end(),
                               [code = currency](const insight::LedgerTotal &total) { return total.currency == code; });
        if (it == answer.totals.end()) {
            const base::Money zero(0, currency);
            it = answer.totals.insert(answer.totals.end(), {currency, zero, zero, zero, zero, zero, zero});
        }
        it->billBilled = base::Money(amounts.billed, currency);
        it->billEffective = base::Money(amounts.effective, currency);
    }
    std::sort(answer.totals.begin(), answer.totals.end(),
              [](const insight::LedgerTotal &a, const insight::LedgerTotal &b) { return a.currency < b.currency; });
}

} // namespace

bool asksForWorkloads(const insight::LedgerQuery &query)
{
    const auto told = [](insight::LedgerDimension dimension) {
        return dimension == insight::LedgerDimension::Workload || dimension == insight::LedgerDimension::NameSpace;
    };
    return std::any_of(query.by.begin(), query.by.end(), told)
        || std::any_of(query.include.begin(), query.include.end(), [&](const auto &one) { return told(one.first); });
}

Result<insight::LedgerAnswer> ledgerFrom(const Setup &setup, const insight::LedgerQuery &query,
                                         const LedgerLines &lines, store::LedgerStore &cache,
                                         store::LedgerStore::BillCheck check)
{
    std::set<std::string> notes;
    insight::LedgerSums sums(query, setup.settings.currency,
                             [&](const base::Money &amount, base::UtcTime at) -> std::optional<base::Money> {
                                 auto converted = setup.ledger->converted(amount, *query.showIn, at);
                                 if (!converted)
                                     return std::nullopt;
                                 notes.insert(std::move(converted->note));
                                 return converted->amount;
                             });
    GPULEDGER_TRY(
        lines(sums.first(), sums.last(), [&](base::Day day, const LedgerKey &key, const LedgerAmounts &amounts) {
            return sums.add(day, key, amounts);
        }));
    auto answer = sums.take();
    GPULEDGER_TRY(answer);
    const auto bills = cache.billTotals(sums.first(), sums.last(), check);
    GPULEDGER_TRY(bills);
    putBills(*answer, *bills);
    answer->conversions.assign(notes.begin(), notes.end());
    return answer;
}

Result<insight::LedgerAnswer> ledgerOf(store::LedgerStore &cache, const Setup &setup, const insight::LedgerQuery &query)
{
    const auto lines = [&](base::Day first, base::Day last, const store::LedgerVisitor &visit) -> Result<void> {
        if (asksForWorkloads(query)) {
            auto facts = cache.facts();
            GPULEDGER_TRY(facts);
            return setup.ledger->linesWithWorkloads(first, last, **facts, visit);
        }
        auto cube = cache.cube();
        GPULEDGER_TRY(cube);
        return (*cube)->ledger(first, last, visit);
    };
    return ledgerFrom(setup, query, lines, cache, store::LedgerStore::BillCheck::Kept);
}

Result<insight::Reconciliation> reconciliationFrom(store::LedgerStore &cache, base::Currency report,
                                                   const insight::Month &month, const LedgerLines &lines)
{
    const base::TimeRange range = month.range();
    const base::Day first = base::dayOf(range.start), last = base::dayOf(range.end - base::Seconds{1});
    insight::Reconciler sums(report);
    GPULEDGER_TRY(lines(first, last, [&](base::Day, const LedgerKey &key, const LedgerAmounts &amounts) {
        return sums.add(key, amounts);
    }));
    const auto bills = cache.billTotals(first, last, store::LedgerStore::BillCheck::Recomputed);
    GPULEDGER_TRY(bills);
    const auto zeros = cache.effectiveZero(first, last);
    GPULEDGER_TRY(zeros);
    const auto findings =
        cache.allocationFindings(first, last, [&](base::Day, const model::AllocationFinding &finding) -> Result<void> {
            sums.add(finding);
            return {};
        });
    GPULEDGER_TRY(findings);
    auto answer = sums.take(*bills, *zeros);
    GPULEDGER_TRY(answer);
    answer->month = month;
    return answer;
}

Result<insight::Reconciliation> reconciliationOf(store::LedgerStore &cache, base::Currency report,
                                                 const insight::Month &month)
{
    return reconciliationFrom(cache, report, month,
                              [&](base::Day first, base::Day last, const store::LedgerVisitor &visit) -> Result<void> {
                                  auto cube = cache.cube();
                                  GPULEDGER_TRY(cube);
                                  return (*cube)->ledger(first, last, visit);
                              });
}

Result<insight::LedgerAnswer> Workspace::ledger(const insight::LedgerQuery &query)
{
    if (query.range.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "the range of days is empty");
    return ofOneState(*d->cache, [&] { return ledgerOf(*d->cache, d->setup(), query); });
}

Result<insight::Reconciliation> Workspace::reconcile(const insight::Month &month)
{
    return ofOneState(*d->cache, [&] { return reconciliationOf(*d->cache, d->setup().settings.currency, month); });
}

} // namespace gpuledger::services
