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

// A key that a delivery with other files had given before. What that one said of it is gone.
struct ReplacedBill {
    model::BillKey key;
    std::vector<std::string> before, now; // paths of the files
    std::int64_t lines = 0; // that the files of before had of the key
    BillTotals amounts; // of these lines; a currency whose sum doesn't fit is left out
    // Of before, what is not among now and still lies there: both say something of the key, and only one counts. Filled
    // in by app/ingest.
    std::vector<std::string> stillThere;
};

// What commit() found out about the keys of a delivery.
struct BillFindings {
    std::vector<ReplacedBill> replaced; // by a delivery with other file names
    std::vector<std::pair<model::BillKey, std::string>> twice; // that other source has lines of the key too
};

// One delivery of bills on its way into the cache: all of it, or nothing. Holds the writer from begin to end; made by
// LedgerStore::beginBills(), which must outlive it. One thread.
class BillTransaction {
public:
    struct State;
    explicit BillTransaction(std::unique_ptr<State> state);
    // Without commit(): nothing of the delivery stays.
    ~BillTransaction();
    BillTransaction(const BillTransaction &) = delete;
    BillTransaction &operator=(const BillTransaction &) = delete;

    // The first batch of a key takes away what the cache had of it. Fails with Overflow or Storage… codes.
    [[nodiscard]] base::Result<void> accept(const ports::BillBatch &batch);
    // Brings the ledger of every touched day up to date, and commits. Fails with Overflow or Storage… codes; then
    // nothing of the delivery is stored.
    [[nodiscard]] base::Result<BillFindings> commit(RollupBuilder &rollup);

private:
    std::unique_ptr<State> m_state;
};

} // namespace gpuledger::store
