// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "app/store/values/billfindings.h"
#include "app/store/writetransaction.h"

#include <memory>
#include <set>

namespace gpuledger::store {

// One delivery of bills being written to the cache: all of it is stored, or nothing. Holds the writer lock while it
// exists; created by LedgerStore::beginBills(); the store must outlive it. One thread.
class BillTransaction {
public:
    struct State;
    explicit BillTransaction(std::unique_ptr<State> state);
    // Without commit(), nothing of the delivery is kept.
    ~BillTransaction();
    BillTransaction(const BillTransaction &) = delete;
    BillTransaction &operator=(const BillTransaction &) = delete;

    // The first batch for a key removes what the cache had for it. Fails with Overflow or Storage… codes.
    [[nodiscard]] base::Result<void> accept(const ports::BillBatch &batch);
    // To be called after the last batch. Fails with Overflow or Storage… codes; then nothing of the delivery is stored.
    [[nodiscard]] base::Result<void> finish();
    // After finish(): the days whose ledger no longer matches the bills, and the transaction in which it is rebuilt.
    const std::set<base::Day> &touched() const;
    WriteTransaction &transaction();
    // Ends the delivery, of which the ledger has been rebuilt: stores all of it with how the days grew (billgrowth.h),
    // or nothing after an error, which it returns.
    [[nodiscard]] base::Result<BillFindings> commit();
    tl::unexpected<base::Error> rollBack(const base::Error &error);

private:
    std::unique_ptr<State> m_state;
};

} // namespace gpuledger::store
