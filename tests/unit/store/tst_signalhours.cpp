// SPDX-License-Identifier: GPL-3.0-or-later
// Hourly signals in the cache: round trip, replacement, what is refused, and a cache from before they existed.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

namespace tst_signalhours {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::HourSignal;
using model::SignalHour;

namespace {

constexpr std::int64_t kFirstHour = kFirstBucket / 12;

ports::FactBatch withSignals(const std::vector<ports::FactBatch::Signal> &signals)
{
    ports::FactBatch batch = fleetBatch(kFirstBucket, kFirstBucket + 24);
    batch.signals = signals;
    return batch;
}

class Cache {
public:
    Cache()
        : m_store(*store::LedgerStore::open(m_folder.path().toStdString()))
    {
    }
    base::Result<void> put(const std::vector<ports::FactBatch::Signal> &signals)
    {
        const auto done = ledger::LedgerWriter(*m_store, m_builder).commit("prom", withSignals(signals));
        return done ? base::Result<void>() : base::fail(done.error());
    }
    std::vector<SignalHour> read(HourSignal signal, std::int64_t of)
    {
        return *(*m_store->facts())->signalHours(signal, of, kFirstHour, kFirstHour + 23);
    }
    std::int64_t firstSubject()
    {
        const model::Subject wanted = withSignals({}).subjects[0];
        const auto subjects = (*m_store->facts())->subjects().value();
        for (const model::Subject &subject : subjects) {
            if (subject.name == wanted.name && subject.uid == wanted.uid && subject.nameSpace == wanted.nameSpace)
                return subject.id.value;
        }
        return -1;
    }
    bool has() { return *(*m_store->facts())->hasSignals(); }
    bool verifies() { return ledger::verify(*m_store, m_builder)->empty(); }
    std::string file() const { return m_folder.filePath(QStringLiteral("ledger.db")).toStdString(); }

private:
    QTemporaryDir m_folder;
    CountingBuilder m_builder;
    std::unique_ptr<store::LedgerStore> m_store;
};

} // namespace

class TestSignalHours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comesBackAsWritten()
    {
        Cache cache;
        QVERIFY(cache.put({}).has_value());
        QVERIFY(!cache.has());
        const SignalHour first{kFirstHour, 3600, 25'000'000}, second{kFirstHour + 1, 900, 0};
        const SignalHour other{kFirstHour, 3600, model::kSignalShareScale}, served{kFirstHour, 3600, 7};
        const std::vector<ports::FactBatch::Signal> signals{{HourSignal::PcieBytes, 1, first},
                                                            {HourSignal::PcieBytes, 1, second},
                                                            {HourSignal::HostCpu, 0, other},
                                                            {HourSignal::Requests, 0, served}};
        for (int times = 0; times < 2; ++times) { // a sync may be repeated
            QVERIFY(cache.put(signals).has_value());
            QVERIFY(cache.has());
            QVERIFY(cache.read(HourSignal::PcieBytes, 2) == (std::vector{first, second}));
            QVERIFY(cache.read(HourSignal::PcieBytes, 1).empty());
            QVERIFY(cache.read(HourSignal::NvlinkBytes, 2).empty());
            QVERIFY(cache.read(HourSignal::HostCpu, 1) == std::vector{other});
            QVERIFY(cache.read(HourSignal::Requests, cache.firstSubject()) == std::vector{served});
            QVERIFY(cache.verifies());
        }
    }

    void aFullerHourReplacesAPart()
    {
        Cache cache;
        const auto put = [&](std::int32_t seconds, std::int64_t value) {
            QVERIFY(cache.put({{HourSignal::MemoryCopies, 0, {kFirstHour, seconds, value}}}).has_value());
        };
        put(900, 10);
        put(1800, 20);
        put(600, 30); // older than what is stored
        QVERIFY(cache.read(HourSignal::MemoryCopies, 1) == (std::vector<SignalHour>{{kFirstHour, 1800, 20}}));
        put(3600, 40);
        put(3600, 50); // the source corrected it
        QVERIFY(cache.read(HourSignal::MemoryCopies, 1) == (std::vector<SignalHour>{{kFirstHour, 3600, 50}}));
    }

    void hostileValuesAreRefused()
    {
        using Signal = ports::FactBatch::Signal;
        Cache cache;
        constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
        const std::vector<Signal> bad{{HourSignal::PcieBytes, 99, {kFirstHour, 3600, 1}},
                                      {HourSignal::HostCpu, 99, {kFirstHour, 3600, 1}},
                                      {HourSignal::Requests, 99, {kFirstHour, 3600, 1}},
                                      {HourSignal::PcieBytes, 0, {kFirstHour, 0, 1}},
                                      {HourSignal::PcieBytes, 0, {kFirstHour, 3601, 1}},
                                      {HourSignal::PcieBytes, 0, {-1, 3600, 1}},
                                      {HourSignal::PcieBytes, 0, {kMost, 3600, 1}},
                                      {HourSignal::PcieBytes, 0, {kFirstHour, 3600, -1}},
                                      {HourSignal::PcieBytes, 0, {kFirstHour, 3600, kMost}},
                                      {HourSignal::HostCpu, 0, {kFirstHour, 3600, model::kSignalShareScale + 1}},
                                      {static_cast<HourSignal>(0), 0, {kFirstHour, 3600, 1}},
                                      {static_cast<HourSignal>(model::kHourSignals + 1), 0, {kFirstHour, 3600, 1}}};
        for (const Signal &one : bad) {
            const auto done = cache.put({one});
            QVERIFY(!done && done.error().code == base::ErrorCode::InvalidArgument);
        }
        QVERIFY(!cache.has());
    }

    void damagedValuesAreNotKnown()
    {
        Cache cache;
        QVERIFY(cache.put({{HourSignal::HostIoWait, 0, {kFirstHour, 3600, 5}}}).has_value());
        executeOn(cache.file(), "UPDATE signal_hour SET value = -7");
        QVERIFY(cache.read(HourSignal::HostIoWait, 1).empty());
        executeOn(cache.file(), "UPDATE signal_hour SET value = 5, seconds = 99999");
        QVERIFY(cache.read(HourSignal::HostIoWait, 1).empty());
    }

    // A cache of version 9 has no such table; its facts stay, and its days are derived anew.
    void anOlderCacheGetsTheTable()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const std::string file = dir.filePath(QStringLiteral("ledger.db")).toStdString();
        {
            const auto store = store::LedgerStore::open(dir.path().toStdString());
            QVERIFY(store.has_value());
            QVERIFY(ledger::LedgerWriter(**store, builder).commit("prom", withSignals({})).has_value());
        }
        const char *const derived = "SELECT count(*) FROM meta WHERE key = 'rollup_fingerprint'";
        QCOMPARE(queryText(file, derived), std::string("1"));
        executeOn(file,
                  std::string(kBackToSchema13)
                      + "DROP TABLE signal_hour; DROP TABLE price_quote; DROP TABLE price_list;"
                        "DROP TABLE waiting_span; DROP TABLE waiting_known; PRAGMA user_version = 9");
        const auto store = store::LedgerStore::open(dir.path().toStdString());
        QVERIFY2(store.has_value(), store ? "" : store.error().text.c_str());
        QCOMPARE(queryText(file, derived), std::string("0"));
        QVERIFY(!*(*(*store)->facts())->hasSignals());
        QCOMPARE((*(*store)->facts())->devices()->size(), std::size_t{3});
        const auto put = ledger::LedgerWriter(**store, builder)
                             .commit("prom", withSignals({{HourSignal::PcieBytes, 0, {kFirstHour, 3600, 9}}}));
        QVERIFY(put.has_value());
        QVERIFY(*(*(*store)->facts())->hasSignals());
        QVERIFY(ledger::verify(**store, builder)->empty());
    }
};

GPULEDGER_SUITE(TestSignalHours)

} // namespace tst_signalhours

#include "tst_signalhours.moc"
