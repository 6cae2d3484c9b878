// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "app/store/values/billfindings.h"
#include "app/store/writetransaction.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::store {

// Deliveries of bills being written to the cache, one after the other: all of them are stored, or none. One that fails,
// or is discarded, leaves those before it as they were, unless the cache itself fails. Holds the writer lock while it
// exists, and must be destroyed on the thread that created it; created by LedgerStore::beginBills(); the store must
// outlive it. One thread at a time.
class BillTransaction {
public:
    struct State;
    explicit BillTransaction(std::unique_ptr<State> state);
    // Without commit(), nothing is kept.
    ~BillTransaction();
    BillTransaction(const BillTransaction &) = delete;
    BillTransaction &operator=(const BillTransaction &) = delete;

    // The first batch for a key removes what the cache had for it. Fails with Overflow, InvalidArgument or Storage…
    // codes.
    [[nodiscard]] base::Result<void> accept(const ports::BillBatch &batch);
    // After the last batch of a delivery; again without effect. Fails with Overflow or Storage… codes.
    [[nodiscard]] base::Result<void> finish();
    // Begins another delivery after finish() or discard(). False: it is already known. Fails with Storage… codes.
    [[nodiscard]] base::Result<bool> next(const std::string &source, const std::vector<ports::BillFile> &files);
    // Nothing is kept of the delivery that was begun last, unless it is finished.
    void discard();

    // Of the finished deliveries: the days whose ledger no longer matches them, what was found out about each in their
    // order, and the transaction in which the ledger is rebuilt.
    const std::set<base::Day> &touched() const;
    const std::vector<BillFindings> &findings() const;
    WriteTransaction &transaction();
    // Ends the transaction, after the ledger was rebuilt: stores all finished deliveries with how the days grew
    // (billgrowth.h), or nothing after an error, which it returns.
    [[nodiscard]] base::Result<void> commit();
    tl::unexpected<base::Error> rollBack(const base::Error &error);

private:
    std::unique_ptr<State> m_state;
};

} // namespace gpuledger::store
