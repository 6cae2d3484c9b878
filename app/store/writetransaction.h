// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/ports/factbatch.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/cube.h"
#include "app/store/values/idlekept.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::store {

// One write transaction: facts, and what the tier above derives from them (app/ledger/commit), are stored together or
// not at all. First everything is put, then facts() are read and what follows from them is written. Holds the writer
// lock while it exists; created by LedgerStore::beginWrite() or within a BillTransaction; the store must outlive it.
// One thread. Every function that can fail does so with Storage… codes, and also with those named; the caller then ends
// the transaction with rollBack().
class WriteTransaction {
public:
    struct State;
    enum class Counts { Yes, No }; // whether changed rows make a new generation of the data that pages show

    explicit WriteTransaction(std::unique_ptr<State> state);
    // Without commit(), nothing is kept.
    ~WriteTransaction();
    WriteTransaction(const WriteTransaction &) = delete;
    WriteTransaction &operator=(const WriteTransaction &) = delete;

    // Upserts the batch and moves the source's covered range. Also fails with InvalidArgument.
    [[nodiscard]] base::Result<void> putFacts(const std::string &source, const ports::FactBatch &batch);
    // Removes fetched marks that lie beyond the newest existing sample.
    [[nodiscard]] base::Result<void> mendFetched(const std::string &source, base::UtcTime now);
    // Replaces what the source reported for that day. False: the report is unchanged. `final`: it was fetched so late
    // that it will not change any more.
    [[nodiscard]] base::Result<bool> putAllocations(const std::string &source, const model::AllocationDay &day,
                                                    base::UtcTime now, bool final);
    // Days whose roll-up no longer matches the facts that were put. A day is touched if it has facts in the batch, or
    // if a new placement of a holder changes who held what in an earlier gap.
    const std::set<base::Day> &touched() const;
    // True if any row was changed.
    bool changed() const;

    // The facts as they are now, uncommitted ones included.
    FactReader &facts();
    CubeWriter &cube();
    // Every day that has, or may have, a roll-up.
    [[nodiscard]] base::Result<std::vector<base::Day>> allDays();
    // Identifies the settings under which the roll-up was derived; std::nullopt: there is none yet.
    [[nodiscard]] base::Result<std::optional<std::string>> fingerprint();
    [[nodiscard]] base::Result<void> saveFingerprint(const std::string &fingerprint);

    // The stored idle data, and the idle list's candidates at an instant: whether they were stored for it and for these
    // grace windows.
    IdleReader &keptIdle();
    [[nodiscard]] base::Result<bool> hasCandidates(base::UtcTime at, const model::IdleSettings &settings);
    [[nodiscard]] base::Result<void> putCandidates(base::UtcTime at, const model::IdleSettings &settings,
                                                   const std::vector<IdleCandidate> &candidates);
    [[nodiscard]] base::Result<void> dropCandidates();
    // Stores how idle gaps ended before that day, unless that is stored.
    [[nodiscard]] base::Result<void> keepGapPast(base::Day day);

    // Ends the transaction: stores everything, or nothing after an error, which it returns.
    [[nodiscard]] base::Result<void> commit(Counts counts);
    tl::unexpected<base::Error> rollBack(const base::Error &error);

private:
    std::unique_ptr<State> m_state;
};

} // namespace gpuledger::store
