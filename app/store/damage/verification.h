// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/derivedday.h"
#include "app/store/values/integrityproblem.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::store {

class ReadSession;

// Checks one state of the cache: first what is stored against itself, then the derived data against those that the tier
// above recomputes from the facts. Created by LedgerStore::beginVerification(). One thread. Fails with Storage… codes;
// damage is a finding.
class Verification {
public:
    explicit Verification(std::unique_ptr<ReadSession> session);
    ~Verification();
    Verification(const Verification &) = delete;
    Verification &operator=(const Verification &) = delete;

    // SQLite's integrity and foreign keys, the schema, and everything that has a checksum.
    [[nodiscard]] base::Result<void> checkStored();

    // A reader of the facts in this state.
    std::unique_ptr<FactReader> facts();
    // Begins the comparison; every day that has, or may have, derived data.
    [[nodiscard]] base::Result<std::vector<base::Day>> daysToCompare();
    // Compares what is stored of a day with its recomputation.
    [[nodiscard]] base::Result<void> compareDay(base::Day day, DerivedDay &expected);
    // Compares the stored sum of idle gaps with the days that it was counted from.
    [[nodiscard]] base::Result<void> compareGapPast();
    // How gaps ended before that day, as stored, else counted from the stored days.
    [[nodiscard]] base::Result<GapPast> gapPast(base::Day day);
    // The stored candidates of the idle list; std::nullopt if they were stored for another instant or for other grace
    // windows.
    [[nodiscard]] base::Result<std::optional<std::vector<IdleCandidate>>>
    candidates(base::UtcTime at, const model::IdleSettings &settings);
    void compareCandidates(const std::vector<IdleCandidate> &stored, const std::vector<IdleCandidate> &expected);
    // A read that found the file damaged becomes a finding; any other result is returned.
    [[nodiscard]] base::Result<void> orProblem(base::Result<void> result);

    const std::vector<IntegrityProblem> &problems() const { return m_problems; }

private:
    std::unique_ptr<ReadSession> m_session;
    std::map<base::GroupId, GroupKey> m_groups;
    std::vector<IntegrityProblem> m_problems;
};

} // namespace gpuledger::store
