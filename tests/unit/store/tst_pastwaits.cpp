// SPDX-License-Identifier: GPL-3.0-or-later
// What waited in the past, in the cache: round trip, pieces that join, replacement, what is refused, and a cache from
// before it was recorded.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_pastwaits {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

model::PastWait waitOf(const std::string &name, const std::string &uid, std::int64_t gpus, std::int64_t first,
                       std::int64_t end, const std::string &node = {})
{
    return {"c1", "ml", name, uid, "nvidia_com_gpu", gpus, node, bucketRange(kFirstBucket + first, kFirstBucket + end)};
}

ports::FactBatch waitingBatch(std::int64_t first, std::int64_t end, const std::vector<model::PastWait> &waits)
{
    ports::FactBatch batch = fleetBatch(kFirstBucket + first, kFirstBucket + end);
    batch.waits = waits;
    batch.waitingKnown = {{"c1", batch.covered}};
    return batch;
}

std::string shown(const store::PastWaiting &past)
{
    const auto times = [](const base::TimeRange &r) {
        return std::to_string(base::toUnix(r.start) / 300 - kFirstBucket) + '-'
            + std::to_string(base::toUnix(r.end) / 300 - kFirstBucket);
    };
    std::string text;
    for (const model::PastWait &w : past.waits)
        text += w.cluster + '/' + w.nameSpace + '/' + w.name + '/' + w.uid + ' ' + w.resource + ':'
            + std::to_string(w.gpus) + ' ' + times(w.range) + (w.node.empty() ? "" : " on " + w.node) + '\n';
    for (const auto &[cluster, range] : past.known)
        text += "known " + cluster + ' ' + times(range) + '\n';
    return text;
}

class WaitCache {
public:
    WaitCache() { open(); }
    void open()
    {
        m_store.reset();
        auto opened = store::LedgerStore::open(m_folder.path().toStdString());
        if (!opened)
            qFatal("%s", opened.error().text.c_str());
        m_store = std::move(*opened);
    }
    void close() { m_store.reset(); }
    base::Result<void> put(const ports::FactBatch &batch, const std::string &source = "prom")
    {
        const auto done = ledger::LedgerWriter(*m_store, m_builder).commit(source, batch);
        return done ? base::Result<void>() : base::fail(done.error());
    }
    std::string read(base::TimeRange range = {}) { return shown(*(*m_store->facts())->pastWaiting(range)); }
    bool verifies() { return ledger::verify(*m_store, m_builder)->empty(); }
    std::string file() const { return m_folder.filePath(QStringLiteral("ledger.db")).toStdString(); }

private:
    QTemporaryDir m_folder;
    CountingBuilder m_builder;
    std::unique_ptr<store::LedgerStore> m_store;
};

constexpr const char *kUid = "11111111-2222-3333-4444-555555555555";

} // namespace

class TestPastWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void piecesOfAWaitJoin()
    {
        WaitCache cache;
        QCOMPARE(cache.read(), std::string());
        const auto first =
            waitingBatch(0, 12, {waitOf("train", kUid, 4, 3, 12), waitOf("train", "old", 1, 0, 2, "n1")});
        const auto second = waitingBatch(12, 24, {waitOf("train", kUid, 4, 12, 15, "n2")});
        const std::string want = "c1/ml/train/old nvidia_com_gpu:1 0-2 on n1\nc1/ml/train/" + std::string(kUid)
            + " nvidia_com_gpu:4 3-15 on n2\nknown c1 0-24\n";
        QVERIFY(cache.put(first).has_value());
        QVERIFY(cache.put(second).has_value());
        QCOMPARE(cache.read(), want);
        QVERIFY(cache.put(first).has_value()); // a sync may be repeated
        QCOMPARE(cache.read(), want);
        QVERIFY(cache.verifies());
        QCOMPARE(cache.read(bucketRange(kFirstBucket + 2, kFirstBucket + 3)), std::string("known c1 0-24\n"));
        const auto late = bucketRange(kFirstBucket + 14, kFirstBucket + 20);
        QCOMPARE(cache.read(late),
                 "c1/ml/train/" + std::string(kUid) + " nvidia_com_gpu:4 3-15 on n2\nknown c1 0-24\n");
    }

    void theSourceReplacesWhatItReported()
    {
        WaitCache cache;
        QVERIFY(cache.put(waitingBatch(0, 24, {waitOf("a", "u", 2, 2, 20), waitOf("b", "u", 1, 4, 6)})).has_value());
        QVERIFY(cache.put(waitingBatch(0, 24, {waitOf("c", "u", 8, 1, 3)}), "other").has_value());
        auto part = waitingBatch(6, 12, {});
        part.waitingKnown.clear();
        part.complete = false; // nothing stored is removed because of it
        QVERIFY(cache.put(part).has_value());
        const std::string c = "c1/ml/c/u nvidia_com_gpu:8 1-3\n", b = "c1/ml/b/u nvidia_com_gpu:1 4-6\n";
        QCOMPARE(cache.read(), c + "c1/ml/a/u nvidia_com_gpu:2 2-20\n" + b + "known c1 0-24\n");
        part.complete = true;
        QVERIFY(cache.put(part).has_value());
        QCOMPARE(cache.read(),
                 c + "c1/ml/a/u nvidia_com_gpu:2 2-6\n" + b + "c1/ml/a/u nvidia_com_gpu:2 12-20\nknown c1 0-24\n");
        QVERIFY(cache.put(part, "other").has_value()); // now no source knows these hours
        QVERIFY(cache.read().ends_with("known c1 0-6\nknown c1 12-24\n"));
    }

    void aWaitChangesNoDay()
    {
        WaitCache with, without;
        auto batch = waitingBatch(0, 24, {waitOf("never-ran", "u", 2, 2, 20), waitOf("train-0", "u", 1, 0, 3)});
        QVERIFY(with.put(batch).has_value());
        batch.waits.clear();
        batch.waitingKnown.clear();
        QVERIFY(without.put(batch).has_value());
        with.close();
        without.close();
        QCOMPARE(dumpOf(with.file()), dumpOf(without.file()));
    }

    void unsoundWaitsAreRefused()
    {
        WaitCache cache;
        auto noRequest = waitOf("a", "u", 0, 2, 4), noTime = waitOf("a", "u", 1, 4, 4),
             noName = waitOf("", "u", 1, 2, 4);
        auto noResource = waitOf("a", "u", 1, 2, 4);
        noResource.resource.clear();
        for (const auto &wait : {noRequest, noTime, noName, noResource}) {
            const auto done = cache.put(waitingBatch(0, 12, {wait}));
            QVERIFY(!done && done.error().code == base::ErrorCode::InvalidArgument);
        }
        QCOMPARE(cache.read(), std::string());
    }

    // A cache of version 12 keeps its facts; what waited then stays unknown.
    void anOlderCacheGetsTheTables()
    {
        WaitCache cache;
        auto old = waitingBatch(0, 12, {});
        old.waitingKnown.clear();
        QVERIFY(cache.put(old).has_value());
        cache.close();
        const std::string before = dumpOf(cache.file());
        executeOn(cache.file(),
                  std::string(kBackToSchema13)
                      + "DROP TABLE waiting_span; DROP TABLE waiting_known; PRAGMA user_version = 12");
        cache.open();
        QCOMPARE(cache.read(), std::string());
        cache.close();
        QCOMPARE(dumpOf(cache.file()), before);
        cache.open();
        QVERIFY(cache.put(waitingBatch(12, 24, {waitOf("a", "u", 2, 12, 14)})).has_value());
        QCOMPARE(cache.read(), std::string("c1/ml/a/u nvidia_com_gpu:2 12-14\nknown c1 12-24\n"));
        QVERIFY(cache.verifies());
    }
};

GPULEDGER_SUITE(TestPastWaits)

} // namespace tst_pastwaits

#include "tst_pastwaits.moc"
