// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/batchcheck.h"
#include "app/ingest/synclock.h"
#include "app/ledger/commit/verifyledger.h"
#include "tests/support/suite.h"
#include "tests/unit/ingest/syncbench.h"

#include <QTest>

#include <unistd.h>

#include <chrono>
#include <thread>

namespace tst_sourcesync {

using namespace gpuledger;
using base::ErrorCode;
using tests::FakePlan;
using tests::kHour;
using tests::kNow;
using Bench = tests::SyncBench;

class TestSourceSync : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksForWhatIsMissing_data()
    {
        QTest::addColumn<int>("coveredFrom"); // hours before now; 0, 0: nothing
        QTest::addColumn<int>("coveredTo");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::newRow("first") << 0 << 0 << 48 << 0;
        QTest::newRow("an hour later") << 48 << 1 << 3 << 0;
        QTest::newRow("after a long pause") << 2000 << 1000 << 1002 << 0;
        QTest::newRow("just done") << 48 << 0 << 2 << 0;
        QTest::newRow("little stored") << 11 << 10 << 11 << 0;
    }
    void asksForWhatIsMissing()
    {
        QFETCH(int, coveredFrom);
        QFETCH(int, coveredTo);
        QFETCH(int, from);
        QFETCH(int, to);
        ingest::SyncPolicy policy;
        policy.firstSync = 48 * kHour;
        policy.settle = base::Seconds{0};
        std::optional<store::SyncState> state;
        if (coveredFrom != coveredTo) {
            state.emplace();
            state->covered = {kNow - coveredFrom * kHour, kNow - coveredTo * kHour};
        }
        const base::TimeRange range = ingest::rangeToFetch(state, kNow, policy);
        QCOMPARE(base::toUnix(range.start), base::toUnix(kNow - from * kHour));
        QCOMPARE(base::toUnix(range.end), base::toUnix(kNow - to * kHour));
    }

    void asksForNothingWhenTheClockWentBack()
    {
        store::SyncState state;
        state.covered = {kNow, kNow + 100 * kHour};
        QVERIFY(ingest::rangeToFetch(state, kNow, {}).empty());
        // Unsettled and partial buckets are left for the next sync.
        ingest::SyncPolicy policy;
        policy.settle = base::Seconds{30};
        QCOMPARE(base::toUnix(ingest::rangeToFetch({}, kNow + base::Seconds{10}, policy).end),
                 base::toUnix(kNow - base::kBucket));
    }

    void asksForNothingWhenTheClockIsDecadesAhead()
    {
        Bench bench;
        QVERIFY(!bench.sync({}).error);
        const base::TimeRange covered = bench.state().covered;
        bench.now = kNow + 80 * 365 * base::kDay;
        const ingest::Outcome refused = bench.sync({});
        QVERIFY(refused.error && refused.error->code == ErrorCode::Refused && refused.range.empty());
        QVERIFY(refused.error->text.find("80 years") != std::string::npos);
        QCOMPARE(bench.state().covered, covered);
        bench.now = kNow + kHour; // it continues as if nothing had happened
        QVERIFY(!bench.sync({}).error);
    }

    void oneAtATimeForASource()
    {
        using ingest::SyncLock;
        using std::chrono::milliseconds;
        const QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        std::stop_source stop;
        auto first = SyncLock::take(folder, "prod", milliseconds(0), stop.get_token());
        QVERIFY(first.has_value());
        QVERIFY(SyncLock::take(folder, "../other\n", milliseconds(0), stop.get_token()).has_value());
        const auto second = SyncLock::take(folder, "prod", milliseconds(0), stop.get_token());
        QVERIFY(!second && second.error().code == ErrorCode::StorageBusy);
        // The process that holds it, if the system lists it.
        const std::string &text = second.error().text;
        QVERIFY2(text.find(std::to_string(getpid())) != std::string::npos || text.find("another") == 0, text.c_str());
        stop.request_stop();
        const auto cancelled = SyncLock::take(folder, "prod", milliseconds(60'000), stop.get_token());
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
        first->reset();
        QVERIFY(SyncLock::take(folder, "prod", milliseconds(0), {}).has_value());
    }

    void storesAndRecords()
    {
        Bench bench;
        const ingest::Outcome outcome = bench.sync({});
        QVERIFY(!outcome.error);
        QCOMPARE(outcome.accepted, std::uint64_t{2 * 48 * 12});
        QCOMPARE(outcome.bytes, std::uint64_t{8000});
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(kNow));
        QVERIFY(bench.state().lastSuccess == kNow);
        QVERIFY(bench.state().lastError.empty());
        QCOMPARE(bench.ticks(store::Measure::ActiveTicks), base::GpuTime::wholeDevice(24 * kHour).ticks);
        const auto problems = ledger::verify(*bench.cache, bench.ledger->rollup());
        QVERIFY(problems && problems->empty());
    }

    void whatWasStoredBeforeAFailureStaysAndTheNextSyncHealsIt()
    {
        Bench undisturbed;
        QVERIFY(!undisturbed.sync({}).error);
        for (int failing = 0; failing < 8; ++failing) {
            Bench bench;
            FakePlan plan;
            int chunk = 0;
            plan.failure = [&](base::UtcTime) -> std::optional<base::Error> {
                if (chunk++ == failing)
                    return base::Error::make(ErrorCode::Network, "connection reset");
                return std::nullopt;
            };
            const ingest::Outcome cut = bench.sync(plan);
            QVERIFY(cut.error && cut.error->code == ErrorCode::Network);
            QCOMPARE(cut.error->source, std::string("fake"));
            QCOMPARE(cut.accepted, static_cast<std::uint64_t>(failing) * 2 * 72);
            QVERIFY(!bench.state().lastSuccess);
            QVERIFY(bench.state().lastErrorCode == "network");
            plan.failure = {};
            QVERIFY(!bench.sync(plan).error);
            QCOMPARE(bench.state().lastErrorCode, std::string());
            QCOMPARE(bench.content(), undisturbed.content());
        }
    }

    void repeatingChangesNothing()
    {
        Bench bench;
        QVERIFY(!bench.sync({}).error);
        const std::string before = bench.content();
        std::vector<base::TimeRange> asked;
        FakePlan plan;
        plan.asked = &asked;
        plan.chunk = base::Seconds{1800};
        QVERIFY(!bench.sync(plan).error);
        QCOMPARE(asked.at(0).length().count(), 2 * kHour.count());
        QVERIFY(bench.content() == before);
    }

    void timeBeforeTheFirstDataIsNotPaid()
    {
        Bench bench;
        FakePlan plan;
        plan.dataStart = kNow - 10 * kHour;
        QVERIFY(!bench.sync(plan).error);
        std::int64_t paid = 0;
        for (const auto measure :
             {store::Measure::ActiveTicks, store::Measure::IdleTicks, store::Measure::UnallocatedTicks,
              store::Measure::UnobservedHeldTicks, store::Measure::UnobservedFreeTicks})
            paid += bench.ticks(measure);
        QCOMPARE(paid, base::GpuTime::wholeDevice(20 * kHour).ticks);
    }

    void stopsWhenAsked()
    {
        Bench bench;
        std::stop_source stop;
        FakePlan plan;
        int chunk = 0;
        plan.failure = [&](base::UtcTime) -> std::optional<base::Error> {
            if (++chunk == 3)
                stop.request_stop();
            return std::nullopt;
        };
        const ingest::Outcome outcome = bench.sync(plan, stop.get_token());
        QVERIFY(outcome.error && outcome.error->code == ErrorCode::Cancelled);
        QCOMPARE(outcome.accepted, std::uint64_t{2 * 2 * 72});
    }

    void progressIsRareAndEndsAtTheEnd()
    {
        Bench bench;
        std::vector<ingest::Progress> seen;
        FakePlan plan;
        plan.chunk = base::Seconds{900};
        const auto begin = std::chrono::steady_clock::now();
        QVERIFY(!bench.sync(plan, {}, [&](const ingest::Progress &p) { seen.push_back(p); }).error);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        QVERIFY(!seen.empty());
        QVERIFY(static_cast<double>(seen.size()) <= seconds * 10 + 2);
        QCOMPARE(base::toUnix(seen.back().doneTo), base::toUnix(kNow));
        for (std::size_t i = 1; i < seen.size(); ++i)
            QVERIFY(seen[i].doneTo >= seen[i - 1].doneTo && seen[i].buckets >= seen[i - 1].buckets);
    }

    // Half of the range fetched in t seconds leaves t seconds; the rate is the number of buckets over the elapsed time.
    void tellsRateAndTimeLeft()
    {
        Bench bench;
        std::vector<std::pair<ingest::Progress, double>> seen; // with the seconds since the start
        FakePlan plan;
        plan.chunk = base::Seconds{7200};
        plan.failure = [](base::UtcTime) -> std::optional<base::Error> {
            std::this_thread::sleep_for(std::chrono::milliseconds(110)); // longer than the pause between reports
            return std::nullopt;
        };
        const auto begin = std::chrono::steady_clock::now();
        const auto elapsed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        QVERIFY(!bench.sync(plan, {}, [&](const ingest::Progress &p) { seen.emplace_back(p, elapsed()); }).error);
        int told = 0;
        for (const auto &[p, seconds] : seen) {
            if (!p.secondsLeft)
                continue;
            const double share = double((p.doneTo - p.range.start).count()) / double(p.range.length().count());
            QVERIFY(*p.secondsLeft <= seconds * (1 - share) / share + 1e-6); // the test's clock began earlier
            QVERIFY(*p.secondsLeft >= 0);
            QVERIFY(p.bucketsPerSecond >= double(p.buckets) / seconds - 1e-6);
            ++told;
        }
        QVERIFY(told >= 3);
        QCOMPARE(seen.back().first.secondsLeft.value_or(-1), 0.0);
        QVERIFY(seen.back().first.bucketsPerSecond > 0);
    }

    // A record that can't be true is counted and dropped; it never becomes zero or idle.
    void leavesOutWhatCantBeTrue_data()
    {
        QTest::addColumn<int>("fault");
        QTest::addColumn<int>("rejected");
        QTest::newRow("share above one") << 0 << 1;
        QTest::newRow("observed longer than a bucket") << 1 << 1;
        QTest::newRow("observed without a reading") << 2 << 1;
        QTest::newRow("bucket outside") << 3 << 1;
        QTest::newRow("bucket twice") << 4 << 1;
        QTest::newRow("holder without a name") << 5 << 1;
        QTest::newRow("device without an identifier") << 6 << 1;
        QTest::newRow("name that is not UTF-8") << 7 << 1;
    }
    void leavesOutWhatCantBeTrue()
    {
        QFETCH(int, fault);
        QFETCH(int, rejected);
        Bench bench;
        bench.policy.firstSync = kHour;
        FakePlan plan;
        plan.change = [fault](ports::FactBatch &batch) {
            ports::FactBatch::Series &series = batch.series[0];
            if (fault == 0)
                series.buckets[3].activity = model::kShareScale + 1;
            else if (fault == 1)
                series.buckets[3].observed = 301;
            else if (fault == 2)
                series.buckets[3].activity = model::kNoShare;
            else if (fault == 3)
                series.bucketNumbers.back() += 1000;
            else if (fault == 4)
                series.bucketNumbers[4] = series.bucketNumbers[3];
            else if (fault == 5)
                batch.holders[0].name.clear();
            else if (fault == 6)
                batch.devices[0].uuid.clear();
            else
                batch.holders[0].nameSpace = "\xC3\x28";
        };
        const ingest::Outcome outcome = bench.sync(plan);
        QVERIFY(!outcome.error);
        QCOMPARE(outcome.rejected, static_cast<std::uint64_t>(rejected));
        QCOMPARE(outcome.reasons.size(), std::size_t{1});
        QVERIFY(!outcome.reasons[0].reason.empty());
        // The fault never shows up as idle time.
        Bench clean;
        clean.policy.firstSync = kHour;
        QVERIFY(!clean.sync({}).error);
        QVERIFY(bench.ticks(store::Measure::IdleTicks) <= clean.ticks(store::Measure::IdleTicks));
        QVERIFY(bench.ticks(store::Measure::ActiveTicks) <= clean.ticks(store::Measure::ActiveTicks));
    }

    void refusesABatchThatMakesNoSense()
    {
        for (int fault = 0; fault < 3; ++fault) {
            Bench bench;
            FakePlan plan;
            plan.change = [fault](ports::FactBatch &batch) {
                if (fault == 0)
                    batch.covered.start += base::Seconds{1};
                else if (fault == 1)
                    batch.series[0].device = 77;
                else
                    batch.series[0].bucketNumbers.pop_back();
            };
            const ingest::Outcome outcome = bench.sync(plan);
            QVERIFY(outcome.error.has_value());
            QCOMPARE(outcome.accepted, std::uint64_t{0});
            QVERIFY(bench.state().covered.empty());
        }
    }
};

GPULEDGER_SUITE(TestSourceSync)

} // namespace tst_sourcesync

#include "tst_sourcesync.moc"
