// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/commit/rollupbuilder.h"
#include "app/store/ledgerstore.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::ledger {

// Writes into the cache. Each function is one transaction: it puts facts, bills or allocations, derives what follows
// from them for the days that they touch (roll-up, cost ledger, idle list), and commits both or neither. All fail with
// StorageFull, StorageReadOnly, StorageBusy, StorageCorrupt or Storage, or as the builder does; then nothing is stored.
// Thread-safe; the builder is called while the cache is locked for writing.
class LedgerWriter {
public:
    // Both must outlive this object.
    LedgerWriter(store::LedgerStore &cache, RollupBuilder &rollup)
        : m_cache(cache)
        , m_rollup(rollup)
    {
    }
    store::LedgerStore &cache() const { return m_cache; }

    // Upserts the batch, updates the roll-up of every touched day, and moves the source's covered range. A day is
    // touched if the batch has facts in it, or if a new placement of a holder changes who held what in an earlier gap.
    // Also fails with InvalidArgument.
    [[nodiscard]] base::Result<void> commit(const std::string &source, const ports::FactBatch &batch);
    // The same for batches of several sources: a day that several of them touch is derived once.
    [[nodiscard]] base::Result<void> commit(const std::vector<std::pair<std::string, const ports::FactBatch *>> &facts);
    // Removes fetched marks that lie beyond the newest existing sample, left by a clock that was ahead or by an empty
    // answer, so that this time is fetched again.
    [[nodiscard]] base::Result<void> mendFetched(const std::string &source, base::UtcTime now);
    // Finishes the last delivery, updates every day that the deliveries touch, and the later days whose expected rates
    // follow from them, and commits them. Also fails with Overflow.
    [[nodiscard]] base::Result<void> commit(store::BillTransaction &bills);
    // Replaces what the source reported for that day, and updates the day. False: the report is unchanged.
    // `final`: it was fetched so late that it will not change any more.
    [[nodiscard]] base::Result<bool> putAllocations(const std::string &source, const model::AllocationDay &day,
                                                    base::UtcTime now, bool final);
    // Rebuilds the whole roll-up if its fingerprint differs from the builder's; true: it did.
    [[nodiscard]] base::Result<bool> refreshRollup();

private:
    template <typename Put> base::Result<void> change(Put put);
    base::Result<bool> refreshAll(store::WriteTransaction &transaction);
    [[nodiscard]] base::Result<std::vector<base::Day>> affected(store::WriteTransaction &transaction,
                                                                const std::set<base::Day> &billed) const;
    base::Result<void> keepCandidates(store::WriteTransaction &transaction, bool changed);

    store::LedgerStore &m_cache;
    RollupBuilder &m_rollup;
};

} // namespace gpuledger::ledger
