// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/bills/billtransaction.h"

#include "app/store/bills/billwriter.h"
#include "app/store/facts/factreadersql.h"
#include "app/store/ledgerstoreprivate.h"
#include "app/store/rollup/cubestore.h"

namespace gpuledger::store {

using base::Result;

struct BillTransaction::State {
    explicit State(LedgerStore::Private &cache)
        : store(cache)
        , lock(cache.mutex)
    {
    }

    LedgerStore::Private &store;
    std::unique_lock<std::mutex> lock; // released last
    std::unique_ptr<Transaction> transaction;
    std::unique_ptr<BillWriter> bills;

    // False: another process imported the delivery after it was checked.
    Result<bool> begin(const std::string &source, const std::vector<ports::BillFile> &files, base::UtcTime now)
    {
        GPULEDGER_TRY(store.prepareWriter());
        transaction = std::make_unique<Transaction>(*store.writer);
        const auto begun = [&]() -> Result<bool> {
            GPULEDGER_TRY(transaction->beginWrite());
            std::vector<std::string> hashes;
            for (const ports::BillFile &file : files)
                hashes.push_back(file.sha256);
            const auto known = BillWriter::knows(*store.writer, hashes);
            GPULEDGER_TRY(known);
            if (*known)
                return false;
            bills = std::make_unique<BillWriter>(*store.writer, source);
            GPULEDGER_TRY(bills->begin(files, now));
            return true;
        }();
        return begun ? begun : Result<bool>(ended(begun.error()));
    }

    // Rolls back, and closes the connection after a disk failure.
    tl::unexpected<base::Error> ended(const base::Error &error)
    {
        bills.reset();
        transaction.reset();
        store.closeAfter(error);
        return base::fail(error);
    }

    Result<void> finish(RollupBuilder &rollup)
    {
        GPULEDGER_TRY(bills->finish());
        FactReaderSql facts(*store.writer);
        const auto refreshed = store.refreshAll(facts, rollup);
        GPULEDGER_TRY(refreshed);
        if (!*refreshed) {
            CubeWriterSql cube(*store.writer);
            const std::vector<base::Day> days(bills->touched().begin(), bills->touched().end());
            GPULEDGER_TRY(rollup.rebuildLedger(days, facts, cube));
        }
        GPULEDGER_TRY(store.nextGeneration());
        return transaction->commit();
    }
};

BillTransaction::BillTransaction(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}

BillTransaction::~BillTransaction() = default;

Result<void> BillTransaction::accept(const ports::BillBatch &batch)
{
    if (!m_state->bills)
        return base::fail(base::ErrorCode::Internal, "a failed delivery accepts no more lines");
    const auto done = m_state->bills->accept(batch);
    return done ? done : m_state->ended(done.error());
}

Result<BillFindings> BillTransaction::commit(RollupBuilder &rollup)
{
    if (!m_state->bills)
        return base::fail(base::ErrorCode::Internal, "a failed delivery can't be committed");
    const auto done = m_state->finish(rollup);
    if (!done)
        return m_state->ended(done.error());
    BillFindings findings{m_state->bills->replaced(), m_state->bills->twice()};
    m_state->bills.reset();
    m_state->transaction.reset();
    return findings;
}

Result<std::unique_ptr<BillTransaction>>
LedgerStore::beginBills(const std::string &source, const std::vector<ports::BillFile> &files, base::UtcTime now)
{
    auto state = std::make_unique<BillTransaction::State>(*d);
    const auto begun = state->begin(source, files, now);
    GPULEDGER_TRY(begun);
    return *begun ? std::make_unique<BillTransaction>(std::move(state)) : nullptr;
}

} // namespace gpuledger::store
