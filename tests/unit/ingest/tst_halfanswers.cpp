// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that lack some of the existing data, and clocks that are wrong: stored data stay, nothing without data is
// marked as fetched, and the next sync heals.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "tests/support/suite.h"
#include "tests/unit/ingest/syncbench.h"

#include <QTest>

namespace tst_halfanswers {

using namespace gpuledger;
using ports::FactBatch;
using tests::FakePlan;
using tests::kHour;
using tests::kNow;
using tests::SyncBench;

namespace {

// A server that has no samples after `end`.
void endAt(FactBatch &batch, base::UtcTime end)
{
    const std::int64_t bucket = base::toUnix(end) / base::kBucket.count();
    for (FactBatch::Series &series : batch.series) {
        while (!series.bucketNumbers.empty() && series.bucketNumbers.back() >= bucket) {
            series.bucketNumbers.pop_back();
            series.buckets.pop_back();
        }
    }
    const auto cut = [end](auto &spans) {
        for (auto &span : spans)
            span.range.end = std::min(span.range.end, end);
        std::erase_if(spans, [](const auto &span) { return span.range.empty(); });
    };
    cut(batch.nodeSpans);
    cut(batch.holderSpans);
}

void withoutDevice(FactBatch &batch, std::uint32_t device)
{
    std::erase_if(batch.series, [device](const FactBatch::Series &s) { return s.device == device; });
}

FakePlan worldUntil(base::UtcTime end)
{
    FakePlan plan;
    plan.change = [end](FactBatch &batch) { endAt(batch, end); };
    return plan;
}

} // namespace

class TestHalfAnswers : public QObject {
    Q_OBJECT

    // The result of a sync of an undisturbed source two hours later.
    static std::string undisturbed()
    {
        SyncBench bench;
        const bool first = !bench.sync({}).error;
        bench.now = kNow + 2 * kHour;
        return first && !bench.sync({}).error ? bench.content() : "failed";
    }

private Q_SLOTS:
    void aClockThatIsAheadMarksNothingThatWasNotThere_data()
    {
        QTest::addColumn<int>("hours");
        QTest::newRow("an hour") << 1;
        QTest::newRow("three hours") << 3;
        QTest::newRow("five days") << 120;
    }
    void aClockThatIsAheadMarksNothingThatWasNotThere()
    {
        QFETCH(int, hours);
        SyncBench bench;
        bench.policy.firstSync = (48 + hours) * kHour;
        bench.now = kNow + hours * kHour;
        QVERIFY(!bench.sync(worldUntil(kNow)).error);
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(kNow));
        bench.now = kNow + 2 * kHour; // after five days or three hours: the clock went back
        QVERIFY(!bench.sync(worldUntil(bench.now)).error);
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(bench.now));
        QCOMPARE(bench.content(), undisturbed());
        const auto problems = ledger::verify(*bench.cache, bench.ledger->rollup());
        QVERIFY(problems && problems->empty());
        const auto hull = (*bench.cache->facts())->coveredRange();
        QVERIFY(hull && hull->end == bench.now);
    }

    // What an earlier version left behind: everything up to next week is marked as fetched.
    void aMarkBeyondTheNewestSampleIsMended()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        FactBatch empty;
        empty.covered = {kNow, kNow + 7 * base::kDay};
        QVERIFY(ledger::LedgerWriter(*bench.cache, bench.ledger->rollup()).commit("fake", empty).has_value());
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(empty.covered.end));
        bench.now = kNow + 2 * kHour;
        std::vector<base::TimeRange> asked;
        FakePlan plan;
        plan.asked = &asked;
        QVERIFY(!bench.sync(plan).error);
        QVERIFY(!asked.empty() && asked[0].start == kNow - 2 * kHour);
        QCOMPARE(bench.content(), undisturbed());
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(bench.now));
        const auto problems = ledger::verify(*bench.cache, bench.ledger->rollup());
        QVERIFY(problems && problems->empty());
    }

    void aClockThatIsBehindIsSaid()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        const std::string before = bench.content();
        bench.now = kNow - 3 * base::kDay;
        const ingest::Outcome outcome = bench.sync({});
        QVERIFY(!outcome.error && outcome.range.empty());
        QVERIFY(!outcome.warnings.empty() && outcome.warnings[0].starts_with("the clock says 2026-07-07T12:00:00Z"));
        QCOMPARE(bench.content(), before);
    }

    void whatWasThereAndIsGoneIsAskedTwiceAndStays()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        bench.now = kNow + 2 * kHour;
        std::vector<base::TimeRange> asked;
        FakePlan half;
        half.asked = &asked;
        half.change = [](FactBatch &batch) { withoutDevice(batch, 1); };
        const ingest::Outcome outcome = bench.sync(half);
        QVERIFY(!outcome.error && !outcome.whole());
        QCOMPARE(asked.size(), std::size_t{2});
        QVERIFY(asked[0] == asked[1]);
        QCOMPARE(outcome.gone.series, std::uint64_t{1});
        QCOMPARE(outcome.gone.devices, std::uint64_t{1});
        QCOMPARE(outcome.gone.time.count(), (2 * kHour).count());
        QVERIFY(outcome.gone.range == (base::TimeRange{kNow - 2 * kHour, kNow}));
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(kNow)); // nothing is marked
        QVERIFY(bench.state().lastError.starts_with(
            "its answers are missing 1 series that were there before, on 1 devices"));
        QVERIFY(bench.state().lastSuccess == kNow);
        const ingest::Outcome healed = bench.sync({});
        QVERIFY(healed.whole());
        QCOMPARE(bench.content(), undisturbed());
        QVERIFY(bench.state().lastError.empty());
    }

    void anEmptyAnswerTakesNothingAway()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        const std::string before = bench.content();
        for (int round = 0; round < 3; ++round) {
            FakePlan empty;
            empty.change = [](FactBatch &batch) {
                FactBatch nothing;
                nothing.covered = batch.covered;
                batch = nothing;
            };
            const ingest::Outcome outcome = bench.sync(empty);
            QVERIFY(!outcome.whole());
            QCOMPARE(outcome.gone.devices, std::uint64_t{2});
            QCOMPARE(bench.content(), before);
        }
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(kNow));
    }

    // The scheduler's part: pods and nodes that ran in the very time that is queried again, or their labels.
    void recordsThatAreGoneStay_data()
    {
        QTest::addColumn<int>("what");
        QTest::newRow("pods") << 0;
        QTest::newRow("nodes") << 1;
        QTest::newRow("labels of pods") << 2;
    }
    void recordsThatAreGoneStay()
    {
        QFETCH(int, what);
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        bench.now = kNow + 2 * kHour;
        FakePlan half;
        half.change = [what](FactBatch &batch) {
            if (what == 0)
                batch.holderSpans.clear();
            else if (what == 1)
                batch.nodeSpans.clear();
            else
                batch.holders[0].labels.clear();
        };
        const ingest::Outcome outcome = bench.sync(half);
        QVERIFY(!outcome.whole() && outcome.gone.devices == 0);
        QCOMPARE(outcome.gone.series, std::uint64_t(what == 2 ? 1 : 2)); // labels disappear together with their pod
        QVERIFY(bench.sync({}).whole());
        QCOMPARE(bench.content(), undisturbed());
    }

    void oneHalfAnswerIsNotBelieved()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        bench.now = kNow + 2 * kHour;
        int answers = 0;
        FakePlan once;
        once.change = [&answers](FactBatch &batch) {
            if (answers++ == 0)
                withoutDevice(batch, 0);
        };
        const ingest::Outcome outcome = bench.sync(once);
        QVERIFY(outcome.whole());
        QCOMPARE(outcome.warnings.size(), std::size_t{1});
        QCOMPARE(bench.content(), undisturbed());
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(bench.now));
    }

    // A device without new samples is queried once more, and then believed to be gone.
    void anEndIsBelievedAfterASecondLook()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        bench.now = kNow + 2 * kHour;
        std::vector<base::TimeRange> asked;
        FakePlan ended;
        ended.asked = &asked;
        ended.change = [](FactBatch &batch) {
            for (FactBatch::Series &series : batch.series) {
                while (series.device == 1 && !series.bucketNumbers.empty()
                       && series.bucketNumbers.back() >= base::toUnix(kNow) / base::kBucket.count()) {
                    series.bucketNumbers.pop_back();
                    series.buckets.pop_back();
                }
            }
        };
        QVERIFY(bench.sync(ended).whole());
        QCOMPARE(asked.size(), std::size_t{2});
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(bench.now));
        bench.now = kNow + 4 * kHour;
        QVERIFY(bench.sync(ended).whole());
        QCOMPARE(asked.size(), std::size_t{3}); // but not forever
    }

    void whatIsGoneForGoodCanBeAccepted()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        const auto hours = [&] {
            return bench.ticks(store::Measure::ActiveTicks) + bench.ticks(store::Measure::IdleTicks);
        };
        const std::int64_t before = hours();
        FakePlan deleted;
        deleted.change = [](FactBatch &batch) { withoutDevice(batch, 0); };
        bench.now = kNow + 2 * kHour;
        QVERIFY(!bench.sync(deleted).whole());
        QVERIFY(!bench.sync(deleted).whole()); // repetition does not make it true
        bench.policy.acceptGone = true;
        const ingest::Outcome accepted = bench.sync(deleted);
        QVERIFY(accepted.whole() && accepted.gone.devices == 1);
        bench.policy.acceptGone = false;
        QVERIFY(bench.sync(deleted).whole());
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(bench.now));
        QVERIFY(hours() >= before);
    }

    // After a pause longer than the retention of a source, it has no data of the overlap: that is not an incomplete
    // answer.
    void whatASourceDoesNotKeepIsNotGone()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        bench.now = kNow + 3 * base::kDay;
        FakePlan young;
        young.dataStart = kNow + 2 * base::kDay;
        QVERIFY(!bench.sync(young).whole());
        young.change = [&young](FactBatch &batch) { batch.keptFrom = young.dataStart; };
        QVERIFY(bench.sync(young).whole());
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(bench.now));
    }

    // A warning of the server does not abort the sync, but the mark stops there, and the next sync continues from
    // there.
    void aPartialAnswerLeavesNoHole()
    {
        SyncBench bench;
        int answers = 0;
        FakePlan warned;
        warned.change = [&answers](FactBatch &batch) {
            if (++answers == 3) {
                batch.complete = false;
                withoutDevice(batch, 1);
            }
        };
        const ingest::Outcome outcome = bench.sync(warned);
        QVERIFY(!outcome.error && outcome.partial && !outcome.whole());
        QCOMPARE(base::toUnix(bench.state().covered.end), base::toUnix(kNow - 36 * kHour));
        QVERIFY(bench.sync({}).whole());
        SyncBench quiet;
        QVERIFY(!quiet.sync({}).error);
        QCOMPARE(bench.content(), quiet.content());
    }

    void aReadingThatIsAbsentNowErasesNone()
    {
        SyncBench bench;
        QVERIFY(!bench.sync({}).error);
        const std::string before = bench.content();
        FakePlan dumb; // reports memory, but not activity
        dumb.change = [](FactBatch &batch) {
            for (model::UsageBucket &bucket : batch.series[0].buckets) {
                bucket = {};
                bucket.memoryMeanMib = 1000;
            }
        };
        const ingest::Outcome outcome = bench.sync(dumb);
        QVERIFY(!outcome.whole() && outcome.gone.devices == 1);
        QCOMPARE(bench.content(), before);
    }

    void whatIsKeptForTheNextSyncIsReadAsItWasWritten()
    {
        ingest::Recall recall;
        FactBatch batch;
        batch.covered = {kNow, kNow + kHour};
        batch.devices.resize(1);
        batch.devices[0].uuid = "GPU-0";
        FactBatch::Series series;
        series.bucketNumbers = {base::toUnix(kNow) / 300, base::toUnix(kNow) / 300 + 11};
        series.buckets.resize(2);
        series.buckets[0].observed = series.buckets[1].observed = 300;
        batch.series.push_back(series);
        recall.take(batch);
        const std::string text = recall.toText();
        QVERIFY(ingest::Recall::fromText(text) == recall);
        for (std::size_t n = 0; n < text.size(); ++n)
            QVERIFY(ingest::Recall::fromText(std::string_view(text).substr(0, n)).toText().size() <= text.size());
    }
};

GPULEDGER_SUITE(TestHalfAnswers)

} // namespace tst_halfanswers

#include "tst_halfanswers.moc"
