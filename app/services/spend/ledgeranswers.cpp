// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/spend/ledgeranswers.h"

#include "app/insight/spend/reconciler.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using model::LedgerAmounts;
using model::LedgerKey;

namespace {

// Puts the bills' totals beside the sums of the lines; a currency that only one of them has is zero in the other.
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

// One pass over the lines for queries about the same days and in the same detail.
class Pass {
public:
    Pass(const Setup &setup, const std::vector<insight::LedgerQuery> &queries)
        : m_setup(setup)
        , m_notes(queries.size())
    {
        m_sums.reserve(queries.size());
        for (std::size_t i = 0; i < queries.size(); ++i)
            m_sums.emplace_back(queries[i], setup.settings.currency, converter(queries[i], m_notes[i]),
                                [&setup](model::SplitPolicy policy, std::string_view instanceType) {
                                    return setup.ledger->splitOf(policy, instanceType);
                                });
    }

    Result<void> read(const LedgerLines &lines)
    {
        return lines(m_sums.front().first(), m_sums.front().last(),
                     [&](base::Day day, const LedgerKey &key, const LedgerAmounts &amounts) -> Result<void> {
                         for (insight::LedgerSums &sums : m_sums)
                             GPULEDGER_TRY(sums.add(day, key, amounts));
                         return {};
                     });
    }

    Result<std::vector<insight::LedgerAnswer>> take(store::LedgerStore &cache, store::LedgerStore::BillCheck check)
    {
        const auto bills = cache.billTotals(m_sums.front().first(), m_sums.front().last(), check);
        GPULEDGER_TRY(bills);
        std::vector<insight::LedgerAnswer> answers;
        for (std::size_t i = 0; i < m_sums.size(); ++i) {
            auto answer = m_sums[i].take();
            GPULEDGER_TRY(answer);
            putBills(*answer, *bills);
            answer->conversions.assign(m_notes[i].begin(), m_notes[i].end());
            answers.push_back(std::move(*answer));
        }
        return answers;
    }

private:
    insight::LedgerSums::Convert converter(const insight::LedgerQuery &query, std::set<std::string> &notes) const
    {
        if (!query.showIn)
            return {};
        return [this, to = *query.showIn, &notes](const base::Money &amount,
                                                  base::UtcTime at) -> std::optional<base::Money> {
            auto converted = m_setup.ledger->converted(amount, to, at);
            if (!converted)
                return std::nullopt;
            notes.insert(std::move(converted->note));
            return converted->amount;
        };
    }

    const Setup &m_setup;
    std::vector<std::set<std::string>> m_notes; // parallel to the sums
    std::vector<insight::LedgerSums> m_sums;
};

} // namespace

Result<insight::LedgerAnswer> ledgerFrom(const Setup &setup, const insight::LedgerQuery &query,
                                         const LedgerLines &lines, store::LedgerStore &cache,
                                         store::LedgerStore::BillCheck check)
{
    Pass pass(setup, {query});
    GPULEDGER_TRY(pass.read(lines));
    auto answers = pass.take(cache, check);
    GPULEDGER_TRY(answers);
    return std::move(answers->front());
}

Result<std::vector<insight::LedgerAnswer>> ledgersOf(store::LedgerStore &cache, const Setup &setup,
                                                     const std::vector<insight::LedgerQuery> &queries)
{
    model::LineDetail detail;
    for (const insight::LedgerQuery &query : queries)
        detail = detail.with(insight::detailOf(query));
    Pass pass(setup, queries);
    GPULEDGER_TRY(pass.read([&](base::Day first, base::Day last, const store::LedgerVisitor &visit) -> Result<void> {
        if (detail.any()) {
            auto facts = cache.facts();
            GPULEDGER_TRY(facts);
            return setup.ledger->linesInDetail(first, last, detail, **facts, visit);
        }
        auto cube = cache.cube();
        GPULEDGER_TRY(cube);
        return (*cube)->ledger(first, last, visit);
    }));
    return pass.take(cache, store::LedgerStore::BillCheck::Kept);
}

Result<insight::LedgerAnswer> ledgerOf(store::LedgerStore &cache, const Setup &setup, const insight::LedgerQuery &query)
{
    auto answers = ledgersOf(cache, setup, {query});
    GPULEDGER_TRY(answers);
    return std::move(answers->front());
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
    auto held = cache.heldAllocations(first, last);
    GPULEDGER_TRY(held);
    answer->held = std::move(*held);
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

Result<std::vector<insight::UnknownGpuType>> unknownTypesOf(store::LedgerStore &cache, const Setup &setup,
                                                            const insight::Month &month)
{
    const base::TimeRange range = month.range();
    auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    model::LineDetail detail;
    detail.instanceTypes = true;
    insight::UnknownTypes types;
    GPULEDGER_TRY(setup.ledger->linesInDetail(
        base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), detail, **facts,
        [&](base::Day, const LedgerKey &key, const LedgerAmounts &amounts) { return types.add(key, amounts); }));
    return types.take();
}

} // namespace gpuledger::services
