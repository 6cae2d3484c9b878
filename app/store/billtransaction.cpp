// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/billtransaction.h"

#include "app/store/bills/billgrowth.h"
#include "app/store/bills/billwriter.h"
#include "app/store/ledgerstoreprivate.h"
#include "app/store/writetransactionprivate.h"

namespace gpuledger::store {

using base::Result;

struct BillTransaction::State {
    State(std::unique_ptr<WriteTransaction::State> state, base::UtcTime at)
        : write(*state)
        , transaction(std::move(state))
        , now(at)
    {
    }

    WriteTransaction::State &write; // of the transaction
    WriteTransaction transaction;
    base::UtcTime now;
    std::unique_ptr<BillWriter> bills; // of the delivery that is being written
    std::set<base::Day> touched;
    std::vector<BillFindings> findings;
    std::optional<base::Error> error; // that ended the transaction

    bool isFirst() const { return findings.empty(); }

    // False: the delivery is known.
    Result<bool> begin(const std::string &source, const std::vector<ports::BillFile> &files)
    {
        std::vector<std::string> hashes;
        for (const ports::BillFile &file : files)
            hashes.push_back(file.sha256);
        const auto known = BillWriter::knows(write.database(), hashes);
        GPULEDGER_TRY(known);
        if (*known)
            return false;
        if (!isFirst())
            GPULEDGER_TRY(write.database().execute("SAVEPOINT delivery"));
        bills = std::make_unique<BillWriter>(write.database(), source);
        GPULEDGER_TRY(bills->begin(files, now));
        return true;
    }

    // Rolls back everything, and closes the connection after a disk failure.
    tl::unexpected<base::Error> ended(const base::Error &why)
    {
        bills.reset();
        error = why;
        return write.ended(why);
    }

    // The delivery that is being written failed.
    tl::unexpected<base::Error> failed(const base::Error &why)
    {
        const bool isOfDelivery = why.code == base::ErrorCode::Overflow || why.code == base::ErrorCode::InvalidArgument;
        if (isFirst() || !isOfDelivery || !write.database().inTransaction())
            return ended(why);
        bills.reset();
        const auto undone = write.database().execute("ROLLBACK TO delivery; RELEASE delivery");
        return undone ? base::fail(why) : ended(undone.error());
    }

    Result<void> finish()
    {
        GPULEDGER_TRY(bills->finish());
        if (!isFirst())
            GPULEDGER_TRY(write.database().execute("RELEASE delivery"));
        touched.insert(bills->touched().begin(), bills->touched().end());
        findings.push_back({bills->replaced(), bills->twice()});
        bills.reset();
        return {};
    }

    Result<void> commit()
    {
        GPULEDGER_TRY(keepGrowth(write.database(), touched, now));
        return write.commit(WriteTransaction::Counts::Yes);
    }
};

BillTransaction::BillTransaction(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}

BillTransaction::~BillTransaction() = default;

Result<void> BillTransaction::accept(const ports::BillBatch &batch)
{
    if (m_state->error)
        return base::fail(*m_state->error);
    if (!m_state->bills)
        return base::fail(base::ErrorCode::Internal, "a delivery that has failed or ended accepts no more lines");
    const auto done = m_state->bills->accept(batch);
    return done ? done : m_state->failed(done.error());
}

Result<void> BillTransaction::finish()
{
    if (m_state->error)
        return base::fail(*m_state->error);
    if (!m_state->bills)
        return {};
    const auto done = m_state->finish();
    return done ? done : m_state->failed(done.error());
}

Result<bool> BillTransaction::next(const std::string &source, const std::vector<ports::BillFile> &files)
{
    if (m_state->error)
        return base::fail(*m_state->error);
    const auto begun = m_state->begin(source, files);
    return begun ? begun : m_state->ended(begun.error());
}

void BillTransaction::discard()
{
    if (m_state->bills)
        (void)m_state->failed(base::Error::make(base::ErrorCode::InvalidArgument, "discarded"));
}

const std::set<base::Day> &BillTransaction::touched() const
{
    return m_state->touched;
}

const std::vector<BillFindings> &BillTransaction::findings() const
{
    return m_state->findings;
}

WriteTransaction &BillTransaction::transaction()
{
    return m_state->transaction;
}

Result<void> BillTransaction::commit()
{
    if (m_state->error)
        return base::fail(*m_state->error);
    const auto done = m_state->commit();
    if (!done)
        return m_state->ended(done.error());
    m_state->write.finished();
    return {};
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
    auto state = std::make_unique<BillTransaction::State>(std::move(*write), now);
    const auto begun = state->begin(source, files);
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
