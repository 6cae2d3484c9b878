// SPDX-License-Identifier: GPL-3.0-or-later
// Why pods ended, in the cache: round trip, what replaces it, what it doesn't change, and a cache from before it was
// recorded.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_podends {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::EndReason;

namespace {

using Reason = std::optional<EndReason>;

ports::FactBatch endedBatch(std::int64_t first, std::int64_t end, Reason reason)
{
    ports::FactBatch batch = fleetBatch(kFirstBucket + first, kFirstBucket + end);
    batch.holders.at(0).endReason = reason;
    return batch;
}

class EndsCache {
public:
    EndsCache() { open(); }
    void open()
    {
        m_store.reset();
        auto opened = store::LedgerStore::open(m_folder.path().toStdString());
        if (!opened)
            qFatal("%s", opened.error().text.c_str());
        m_store = std::move(*opened);
    }
    void close() { m_store.reset(); }
    void put(const ports::FactBatch &batch)
    {
        if (const auto done = ledger::LedgerWriter(*m_store, m_builder).commit("prom", batch); !done)
            qFatal("%s", done.error().text.c_str());
    }
    Reason read(const std::string &uid = "uid-0")
    {
        const auto facts = m_store->facts();
        const auto holders = (*facts)->holders({});
        for (const model::Holder &holder : *holders) {
            if (holder.uid == uid)
                return holder.endReason;
        }
        qFatal("no such holder");
    }
    bool verifies() { return ledger::verify(*m_store, m_builder)->empty(); }
    std::string file() const { return m_folder.filePath(QStringLiteral("ledger.db")).toStdString(); }

private:
    QTemporaryDir m_folder;
    CountingBuilder m_builder;
    std::unique_ptr<store::LedgerStore> m_store;
};

} // namespace

class TestPodEnds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kubernetesNamesThem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("number"); // as stored; 0: none
        QTest::addColumn<bool>("interrupts");
        QTest::newRow("graceful shutdown") << "Shutdown" << 1 << true;
        QTest::newRow("shutdown") << "NodeShutdown" << 1 << true;
        QTest::newRow("preemption") << "PreemptionByScheduler" << 2 << false;
        QTest::newRow("eviction by someone") << "EvictionByEvictionAPI" << 3 << false;
        QTest::newRow("taint") << "DeletionByTaintManager" << 4 << false;
        QTest::newRow("node gone") << "DeletionByPodGC" << 5 << true;
        QTest::newRow("node lost") << "NodeLost" << 6 << true;
        QTest::newRow("shortage") << "Evicted" << 7 << false;
        QTest::newRow("kubelet") << "TerminationByKubelet" << 8 << false;
        QTest::newRow("not admitted") << "UnexpectedAdmissionError" << 9 << false;
        QTest::newRow("affinity") << "NodeAffinity" << 9 << false;
        QTest::newRow("other") << "Other" << 0 << false;
        QTest::newRow("none") << "" << 0 << false;
    }
    void kubernetesNamesThem()
    {
        QFETCH(QString, text);
        QFETCH(int, number);
        QFETCH(bool, interrupts);
        const Reason reason = model::endReasonFromString(text.toStdString());
        QCOMPARE(reason ? static_cast<int>(*reason) : 0, number);
        QVERIFY(model::endReasonOf(number) == reason);
        QCOMPARE(reason && model::isInterruption(*reason), interrupts);
        QVERIFY(!model::endReasonOf(10) && !model::endReasonOf(-1));
    }

    void theNewestCounts()
    {
        EndsCache cache;
        cache.put(endedBatch(0, 12, std::nullopt));
        QVERIFY(!cache.read());
        cache.put(endedBatch(0, 24, EndReason::NodeLost));
        QVERIFY(cache.read() == EndReason::NodeLost);
        cache.put(endedBatch(0, 12, EndReason::Preempted)); // older evidence
        QVERIFY(cache.read() == EndReason::NodeLost);
        cache.put(endedBatch(0, 36, std::nullopt)); // unknown replaces nothing
        QVERIFY(cache.read() == EndReason::NodeLost);
        cache.put(endedBatch(0, 48, EndReason::NodeShutdown));
        cache.close();
        cache.open();
        QVERIFY(cache.read() == EndReason::NodeShutdown);
        QVERIFY(cache.verifies());
        QCOMPARE(queryText(cache.file(), "SELECT end_reason FROM holder_view"), std::string("1"));
        executeOn(cache.file(), "UPDATE holder SET end_reason = 99"); // of a newer program
        QVERIFY(!cache.read());
    }

    void aReasonChangesNoDay()
    {
        EndsCache with, without;
        with.put(endedBatch(0, 24, std::nullopt));
        with.put(endedBatch(0, 24, EndReason::Preempted));
        without.put(endedBatch(0, 24, std::nullopt));
        QVERIFY(with.read() == EndReason::Preempted);
        with.close();
        without.close();
        QVERIFY(dumpOf(with.file()) != dumpOf(without.file()));
        executeOn(with.file(), "UPDATE holder SET end_reason = NULL");
        QCOMPARE(dumpOf(with.file()), dumpOf(without.file()));
    }

    // A cache of version 13 keeps its facts; why its pods ended stays unknown until it is fetched again.
    void anOlderCacheGetsTheColumn()
    {
        EndsCache cache;
        cache.put(endedBatch(0, 120, std::nullopt));
        cache.close();
        const std::string before = dumpOf(cache.file());
        executeOn(cache.file(), std::string(kBackToSchema13) + "PRAGMA user_version = 13");
        cache.open();
        QVERIFY(!cache.read());
        QVERIFY(!cache.read("uid-1"));
        cache.close();
        QCOMPARE(dumpOf(cache.file()), before);
        cache.open();
        QVERIFY(cache.verifies());
        cache.put(endedBatch(0, 120, EndReason::Preempted));
        QVERIFY(cache.read() == EndReason::Preempted);
        QVERIFY(!cache.read("uid-1"));
        QVERIFY(cache.verifies());
    }
};

GPULEDGER_SUITE(TestPodEnds)

} // namespace tst_podends

#include "tst_podends.moc"
