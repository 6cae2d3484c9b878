// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "app/store/rollup/rollupbuilder.h"
#include "app/store/values/billed.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::store {

// A key that an earlier delivery with other files had already supplied. The earlier delivery's data for it are gone.
struct ReplacedBill {
    model::BillKey key;
    std::vector<std::string> before, now; // file paths
    std::int64_t lines = 0; // number of lines that the earlier files had for the key
    BillTotals amounts; // amounts of these lines; a currency whose sum does not fit is left out
    // Files in `before` that are not in `now` and still exist: both supply the key, and only one counts. Filled in by
    // app/ingest.
    std::vector<std::string> stillThere;
};

// What commit() found out about the keys of a delivery.
struct BillFindings {
    std::vector<ReplacedBill> replaced; // by a delivery with other file names
    std::vector<std::pair<model::BillKey, std::string>> twice; // the other source also has lines for the key
};

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
    // Updates the ledger of every touched day, and commits. Fails with Overflow or Storage… codes; then nothing of the
    // delivery is stored.
    [[nodiscard]] base::Result<BillFindings> commit(RollupBuilder &rollup);

private:
    std::unique_ptr<State> m_state;
};

} // namespace gpuledger::store
