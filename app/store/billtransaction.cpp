// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/billtransaction.h"

#include "app/store/bills/billgrowth.h"
#include "app/store/bills/billwriter.h"
#include "app/store/ledgerstoreprivate.h"
#include "app/store/writetransactionprivate.h"

namespace gpuledger::store {

using base::Result;

struct BillTransaction::State {
    explicit State(std::unique_ptr<WriteTransaction::State> state)
        : write(*state)
        , transaction(std::move(state))
    {
    }

    WriteTransaction::State &write; // of the transaction
    WriteTransaction transaction;
    base::UtcTime now{};
    std::unique_ptr<BillWriter> bills; // null after an error, and after the end

    // False: another process imported the delivery after it was checked.
    Result<bool> begin(const std::string &source, const std::vector<ports::BillFile> &files, base::UtcTime at)
    {
        now = at;
        std::vector<std::string> hashes;
        for (const ports::BillFile &file : files)
            hashes.push_back(file.sha256);
        const auto known = BillWriter::knows(write.database(), hashes);
        GPULEDGER_TRY(known);
        if (*known)
            return false;
        bills = std::make_unique<BillWriter>(write.database(), source);
        GPULEDGER_TRY(bills->begin(files, now));
        return true;
    }

    // Rolls back, and closes the connection after a disk failure.
    tl::unexpected<base::Error> ended(const base::Error &error)
    {
        bills.reset();
        return write.ended(error);
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

Result<void> BillTransaction::finish()
{
    if (!m_state->bills)
        return base::fail(base::ErrorCode::Internal, "a failed delivery can't be committed");
    const auto done = m_state->bills->finish();
    return done ? done : m_state->ended(done.error());
}

const std::set<base::Day> &BillTransaction::touched() const
{
    return m_state->bills->touched();
}

WriteTransaction &BillTransaction::transaction()
{
    return m_state->transaction;
}

Result<BillFindings> BillTransaction::commit()
{
    if (!m_state->bills)
        return base::fail(base::ErrorCode::Internal, "a failed delivery can't be committed");
    const auto kept = keepGrowth(m_state->write.database(), m_state->bills->touched(), m_state->now);
    if (!kept)
        return m_state->ended(kept.error());
    const auto done = m_state->write.commit(WriteTransaction::Counts::Yes);
    if (!done)
        return m_state->ended(done.error());
    BillFindings findings{m_state->bills->replaced(), m_state->bills->twice()};
    m_state->bills.reset();
    m_state->write.finished();
    return findings;
}

tl::unexpected<base::Error> BillTransaction::rollBack(const base::Error &error)
{
    return m_state->ended(error);
}

Result<std::unique_ptr<BillTransaction>>
LedgerStore::beginBills(const std::string &source, const std::vector<ports::BillFile> &files, base::UtcTime now)
{
    auto write = WriteTransaction::State::begin(*d, d->codec);
    GPULEDGER_TRY(write);
    auto state = std::make_unique<BillTransaction::State>(std::move(*write));
    const auto begun = state->begin(source, files, now);
    if (!begun)
        return state->ended(begun.error());
    return *begun ? std::make_unique<BillTransaction>(std::move(state)) : nullptr;
}

Result<BillGrowth> LedgerStore::billGrowth()
{
    auto session = ReadSession::begin(d->readers);
    if (!session)
        return base::fail(std::move(session).error());
    return readGrowth((*session)->database());
}

} // namespace gpuledger::store
