// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/commit/verifyledger.h"

#include "app/store/idle/gracechoice.h"
#include "app/store/idle/idlescan.h"

#include <span>

namespace gpuledger::ledger {

using base::Day;
using base::Result;
using store::DerivedDay;

namespace {

// Keeps what is derived for one day, in place of storing it.
class CollectedDay final : public store::CubeWriter {
public:
    Result<void> replaceDay(Day, const std::map<store::GroupKey, store::GroupDay> &groups) override
    {
        derived.groups = groups;
        return {};
    }
    Result<void> replaceIdleDay(Day, const store::IdleDay &units) override
    {
        derived.idle = units;
        return {};
    }
    Result<void> replaceGapDay(Day, const store::GapDay &gaps) override
    {
        derived.gaps = gaps;
        return {};
    }
    Result<void> replaceLedgerDay(Day, const store::LedgerDay &lines) override
    {
        derived.ledger = lines;
        return {};
    }
    Result<void> replaceFindings(Day, const store::AllocationFindings &all) override
    {
        derived.findings = all;
        return {};
    }
    DerivedDay derived;
};

Result<void> compareCandidates(store::Verification &check, const RollupBuilder &rollup)
{
    const auto facts = check.facts();
    const auto attribution = rollup.attribution(*facts);
    const auto covered = facts->coveredRange();
    GPULEDGER_TRY(covered);
    const base::UtcTime at = base::floorTo(covered->end, base::kBucket);
    const auto past = check.gapPast(base::dayOf(at));
    GPULEDGER_TRY(past);
    const model::IdleSettings stated = rollup.idleSettings();
    const model::IdleSettings settings = store::withGrace(stated, store::chooseGrace(stated, *past));
    const auto stored = check.candidates(at, settings);
    GPULEDGER_TRY(stored);
    if (!attribution || covered->empty() || !*stored)
        return {};
    const auto found = store::IdleScan(at, settings).scan(*attribution, nullptr);
    GPULEDGER_TRY(found);
    check.compareCandidates(**stored, *found);
    return {};
}

Result<void> compareDerived(store::Verification &check, RollupBuilder &rollup)
{
    const auto days = check.daysToCompare();
    GPULEDGER_TRY(days);
    const auto facts = check.facts();
    for (const Day day : *days) {
        CollectedDay expected;
        GPULEDGER_TRY(rollup.rebuild(std::span(&day, 1), *facts, expected));
        GPULEDGER_TRY(check.compareDay(day, expected.derived));
    }
    GPULEDGER_TRY(check.compareGapPast());
    return compareCandidates(check, rollup);
}

} // namespace

Result<std::vector<store::IntegrityProblem>> verify(store::LedgerStore &cache, RollupBuilder &rollup)
{
    const auto begun = cache.beginVerification();
    GPULEDGER_TRY(begun);
    store::Verification &check = **begun;
    GPULEDGER_TRY(check.checkStored());
    // On damaged facts or rows the comparison would only repeat the findings.
    if (check.problems().empty())
        GPULEDGER_TRY(check.orProblem(compareDerived(check, rollup)));
    return check.problems();
}

} // namespace gpuledger::ledger
