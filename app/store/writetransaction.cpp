// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/writetransaction.h"

#include "app/store/bills/allocationrows.h"
#include "app/store/damage/verifier.h"
#include "app/store/facts/factwriter.h"
#include "app/store/idle/gapstore.h"
#include "app/store/ledgerstoreprivate.h"
#include "app/store/writetransactionprivate.h"

namespace gpuledger::store {

using base::Result;

Result<std::unique_ptr<WriteTransaction::State>> WriteTransaction::State::begin(Connections &connections,
                                                                                UsageCodec &codec)
{
    auto state = std::make_unique<State>(connections, codec);
    GPULEDGER_TRY(connections.prepareWriter());
    state->transaction = std::make_unique<Transaction>(*connections.writer);
    const auto begun = state->transaction->beginWrite();
    if (!begun)
        return state->ended(begun.error());
    state->changesBefore = connections.writer->totalChanges();
    return state;
}

Result<void> WriteTransaction::State::commit(Counts counts)
{
    if (counts == Counts::Yes && changed())
        GPULEDGER_TRY(store.nextGeneration());
    return transaction->commit();
}

void WriteTransaction::State::finished()
{
    idle.reset();
    cube.reset();
    facts.reset();
    transaction.reset();
}

tl::unexpected<base::Error> WriteTransaction::State::ended(const base::Error &error)
{
    finished();
    store.closeAfter(error);
    return base::fail(error);
}

WriteTransaction::WriteTransaction(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}

WriteTransaction::~WriteTransaction() = default;

Result<void> WriteTransaction::putFacts(const std::string &source, const ports::FactBatch &batch)
{
    FactWriter writer(m_state->database(), m_state->codec);
    GPULEDGER_TRY(writer.write(source, batch));
    m_state->touched.insert(writer.touched().begin(), writer.touched().end());
    return {};
}

Result<void> WriteTransaction::mendFetched(const std::string &source, base::UtcTime now)
{
    FactWriter writer(m_state->database(), m_state->codec);
    GPULEDGER_TRY(writer.mend(source, now));
    m_state->touched.insert(writer.touched().begin(), writer.touched().end());
    return {};
}

Result<bool> WriteTransaction::putAllocations(const std::string &source, const model::AllocationDay &day,
                                              base::UtcTime now, bool final)
{
    return putAllocationDay(m_state->database(), source, day, now, final);
}

const std::set<base::Day> &WriteTransaction::touched() const
{
    return m_state->touched;
}

bool WriteTransaction::changed() const
{
    return m_state->changed();
}

FactReader &WriteTransaction::facts()
{
    if (!m_state->facts)
        m_state->facts = std::make_unique<FactReaderSql>(m_state->database());
    return *m_state->facts;
}

CubeWriter &WriteTransaction::cube()
{
    if (!m_state->cube)
        m_state->cube = std::make_unique<CubeWriterSql>(m_state->database());
    return *m_state->cube;
}

Result<std::vector<base::Day>> WriteTransaction::allDays()
{
    return store::allDays(m_state->database());
}

Result<std::optional<std::string>> WriteTransaction::fingerprint()
{
    Statement s = m_state->database().statement("SELECT value FROM meta WHERE key = 'rollup_fingerprint'");
    std::optional<std::string> stored;
    GPULEDGER_TRY(s.each([&] { stored = s.text(0); }));
    return stored;
}

Result<void> WriteTransaction::saveFingerprint(const std::string &fingerprint)
{
    Statement s = m_state->database().statement("INSERT INTO meta (key, value) VALUES ('rollup_fingerprint', ?1)"
                                                " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
    return s.bind(1, fingerprint).run();
}

IdleReader &WriteTransaction::keptIdle()
{
    if (!m_state->idle)
        m_state->idle = std::make_unique<IdleReaderSql>(m_state->database());
    return *m_state->idle;
}

Result<bool> WriteTransaction::hasCandidates(base::UtcTime at, const model::IdleSettings &settings)
{
    return store::hasCandidates(m_state->database(), at, settings);
}

Result<void> WriteTransaction::putCandidates(base::UtcTime at, const model::IdleSettings &settings,
                                             const std::vector<IdleCandidate> &candidates)
{
    return store::putCandidates(m_state->database(), at, settings, candidates);
}

Result<void> WriteTransaction::dropCandidates()
{
    return store::dropCandidates(m_state->database());
}

Result<void> WriteTransaction::keepGapPast(base::Day day)
{
    return store::keepGapPast(m_state->database(), day);
}

Result<void> WriteTransaction::commit(Counts counts)
{
    const auto done = m_state->commit(counts);
    if (!done)
        return m_state->ended(done.error());
    m_state->finished();
    return {};
}

tl::unexpected<base::Error> WriteTransaction::rollBack(const base::Error &error)
{
    return m_state->ended(error);
}

Result<std::unique_ptr<WriteTransaction>> LedgerStore::beginWrite()
{
    auto state = WriteTransaction::State::begin(*d, d->codec);
    GPULEDGER_TRY(state);
    return std::make_unique<WriteTransaction>(std::move(*state));
}

} // namespace gpuledger::store
