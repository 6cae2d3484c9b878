// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/commit/ledgerwriter.h"

#include "app/store/idle/gracechoice.h"
#include "app/store/idle/idlescan.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace gpuledger::ledger {

using base::Day;
using base::Result;
using store::WriteTransaction;
using Counts = WriteTransaction::Counts;

// Rebuilds every day if the settings changed; returns whether that was necessary.
Result<bool> LedgerWriter::refreshAll(WriteTransaction &transaction)
{
    const std::string fingerprint = m_rollup.fingerprint();
    const auto stored = transaction.fingerprint();
    GPULEDGER_TRY(stored);
    if (*stored == fingerprint)
        return false;
    const auto days = transaction.allDays();
    GPULEDGER_TRY(days);
    GPULEDGER_TRY(m_rollup.rebuild(*days, transaction.facts(), transaction.cube()));
    GPULEDGER_TRY(transaction.saveFingerprint(fingerprint));
    return true;
}

// Updates the stored candidates at the end of the fetched data from the facts and the stored days. `changed`: either of
// them changed since; if false, the candidates are only updated if they were stored for other grace windows.
Result<void> LedgerWriter::keepCandidates(WriteTransaction &transaction, bool changed)
{
    store::FactReader &facts = transaction.facts();
    const auto attribution = m_rollup.attribution(facts);
    const auto covered = facts.coveredRange();
    GPULEDGER_TRY(covered);
    if (!attribution || covered->empty())
        return transaction.dropCandidates();
    const base::UtcTime at = base::floorTo(covered->end, base::kBucket);
    GPULEDGER_TRY(transaction.keepGapPast(base::dayOf(at)));
    const auto past = transaction.keptIdle().gapPast(base::dayOf(at));
    GPULEDGER_TRY(past);
    const model::IdleSettings stated = m_rollup.idleSettings();
    const model::IdleSettings settings = store::withGrace(stated, store::chooseGrace(stated, *past));
    const auto isKept = transaction.hasCandidates(at, settings);
    GPULEDGER_TRY(isKept);
    if (!changed && *isKept)
        return {};
    const auto candidates = store::IdleScan(at, settings).fromKept(*attribution, transaction.keptIdle());
    GPULEDGER_TRY(candidates);
    return transaction.putCandidates(at, settings, *candidates);
}

// The days whose figures follow from bills of these days: themselves, and later ones that expect the same rates.
Result<std::vector<Day>> LedgerWriter::affected(WriteTransaction &transaction, const std::set<Day> &billed) const
{
    std::vector<Day> days(billed.begin(), billed.end());
    if (days.empty())
        return days;
    const auto all = transaction.allDays();
    GPULEDGER_TRY(all);
    for (const Day day : *all) {
        if (billed.contains(day))
            continue;
        const auto before = billed.lower_bound(day);
        if (before != billed.begin() && day.number - std::prev(before)->number <= m_rollup.reachOfBills())
            days.push_back(day);
    }
    std::sort(days.begin(), days.end());
    return days;
}

// One change of the facts, and the roll-up of the days that it affects.
template <typename Put> Result<void> LedgerWriter::change(Put put)
{
    const auto begun = m_cache.beginWrite();
    GPULEDGER_TRY(begun);
    WriteTransaction &transaction = **begun;
    const auto done = [&]() -> Result<void> {
        GPULEDGER_TRY(put(transaction));
        const auto refreshed = refreshAll(transaction);
        GPULEDGER_TRY(refreshed);
        if (!*refreshed) {
            const std::vector<Day> days(transaction.touched().begin(), transaction.touched().end());
            GPULEDGER_TRY(m_rollup.rebuild(days, transaction.facts(), transaction.cube()));
        }
        return keepCandidates(transaction, transaction.changed());
    }();
    if (!done)
        return transaction.rollBack(done.error());
    return transaction.commit(Counts::Yes);
}

Result<void> LedgerWriter::commit(const std::string &source, const ports::FactBatch &batch)
{
    return commit({{source, &batch}});
}

Result<void> LedgerWriter::commit(const std::vector<std::pair<std::string, const ports::FactBatch *>> &facts)
{
    return change([&](WriteTransaction &transaction) -> Result<void> {
        for (const auto &[source, batch] : facts)
            GPULEDGER_TRY(transaction.putFacts(source, *batch));
        return {};
    });
}

Result<void> LedgerWriter::mendFetched(const std::string &source, base::UtcTime now)
{
    return change([&](WriteTransaction &transaction) { return transaction.mendFetched(source, now); });
}

Result<void> LedgerWriter::commit(store::BillTransaction &bills)
{
    GPULEDGER_TRY(bills.finish());
    WriteTransaction &transaction = bills.transaction();
    const auto done = [&]() -> Result<void> {
        const auto refreshed = refreshAll(transaction);
        GPULEDGER_TRY(refreshed);
        if (*refreshed)
            return keepCandidates(transaction, true);
        const auto days = affected(transaction, bills.touched());
        GPULEDGER_TRY(days);
        GPULEDGER_TRY(m_rollup.rebuild(*days, transaction.facts(), transaction.cube()));
        return keepCandidates(transaction, true);
    }();
    if (!done)
        return bills.rollBack(done.error());
    return bills.commit();
}

Result<bool> LedgerWriter::putAllocations(const std::string &source, const model::AllocationDay &day, base::UtcTime now,
                                          bool final)
{
    const auto begun = m_cache.beginWrite();
    GPULEDGER_TRY(begun);
    WriteTransaction &transaction = **begun;
    const auto changed = [&]() -> Result<bool> {
        const auto put = transaction.putAllocations(source, day, now, final);
        if (!put || !*put)
            return put;
        const auto refreshed = refreshAll(transaction);
        GPULEDGER_TRY(refreshed);
        if (!*refreshed)
            GPULEDGER_TRY(m_rollup.rebuild(std::span(&day.day, 1), transaction.facts(), transaction.cube()));
        GPULEDGER_TRY(keepCandidates(transaction, true));
        return true;
    }();
    if (!changed)
        return transaction.rollBack(changed.error());
    GPULEDGER_TRY(transaction.commit(*changed ? Counts::Yes : Counts::No));
    return changed;
}

Result<bool> LedgerWriter::refreshRollup()
{
    const auto begun = m_cache.beginWrite();
    GPULEDGER_TRY(begun);
    WriteTransaction &transaction = **begun;
    const auto rebuilt = [&]() -> Result<bool> {
        const auto refreshed = refreshAll(transaction);
        GPULEDGER_TRY(refreshed);
        GPULEDGER_TRY(keepCandidates(transaction, *refreshed));
        return refreshed;
    }();
    if (!rebuilt)
        return transaction.rollBack(rebuilt.error());
    GPULEDGER_TRY(transaction.commit(Counts::Yes));
    return rebuilt;
}

} // namespace gpuledger::ledger
