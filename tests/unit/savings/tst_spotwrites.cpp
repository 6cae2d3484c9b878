// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints that show in what pods write.
#include "app/savings/assumptions/assumptions.h"
#include "app/services/savingsinputs/spot/spotwrites.h"
#include "tests/support/fakes/memoryfacts.h"
#include "tests/support/suite.h"
#include "tests/unit/savings/spotpast.h"

#include <QtTest>

namespace tst_spotwrites {

using namespace gpuledger;
using namespace gpuledger::tests;
using savings::SpotWrites;

namespace {

constexpr std::int64_t kFirstHour = 480'000;

model::Holder podNamed(const std::string &name, const std::string &uid)
{
    model::Holder holder;
    holder.cluster = "prod";
    holder.nameSpace = "ml";
    holder.name = name;
    holder.uid = uid;
    return holder;
}

// Of each pod what it wrote, by hour.
MemoryFacts factsOf(const std::vector<std::pair<std::string, std::vector<std::int64_t>>> &pods)
{
    ports::FactBatch batch;
    for (const auto &[name, bursts] : pods) {
        const auto of = static_cast<std::uint32_t>(batch.subjects.size());
        model::Subject &subject = batch.subjects.emplace_back();
        subject.cluster = "prod";
        subject.nameSpace = "ml";
        subject.name = name;
        for (std::size_t hour = 0; hour < bursts.size(); ++hour) {
            const model::SignalHour one{kFirstHour + static_cast<std::int64_t>(hour), 3600, bursts[hour]};
            if (bursts[hour] >= 0)
                batch.signals.push_back({model::HourSignal::WriteBursts, of, one});
        }
    }
    MemoryFacts facts;
    facts.add(batch);
    return facts;
}

const base::TimeRange kDay{base::fromUnix(kFirstHour * kHour), base::fromUnix((kFirstHour + 24) * kHour)};

} // namespace

class TestSpotWrites : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void regularBurstsAreCheckpoints_data()
    {
        QTest::addColumn<qint64>("bursts");
        QTest::addColumn<qint64>("hours");
        QTest::addColumn<qint64>("without");
        QTest::addColumn<qint64>("seconds"); // 0: none are seen
        QTest::newRow("every half hour") << qint64{96} << qint64{48} << qint64{0} << qint64{1800};
        QTest::newRow("every 32 minutes") << qint64{90} << qint64{48} << qint64{0} << qint64{1800};
        QTest::newRow("every 34 minutes") << qint64{85} << qint64{48} << qint64{0} << qint64{2100};
        QTest::newRow("every six hours") << qint64{8} << qint64{48} << qint64{5} << qint64{6 * 3600};
        QTest::newRow("one hour without any") << qint64{96} << qint64{48} << qint64{1} << qint64{1800};
        QTest::newRow("two hours without any") << qint64{96} << qint64{48} << qint64{2} << qint64{0};
        QTest::newRow("the fewest") << qint64{5} << qint64{5} << qint64{0} << qint64{3600};
        QTest::newRow("too few") << qint64{4} << qint64{4} << qint64{0} << qint64{0};
        QTest::newRow("never") << qint64{0} << qint64{48} << qint64{48} << qint64{0};
        QTest::newRow("not recorded") << qint64{0} << qint64{0} << qint64{0} << qint64{0};
    }
    void regularBurstsAreCheckpoints()
    {
        QFETCH(qint64, bursts);
        QFETCH(qint64, hours);
        QFETCH(qint64, without);
        QFETCH(qint64, seconds);
        QCOMPARE(qint64{savings::checkpointsSeen({bursts, hours * kHour, without * kHour}).value_or(0)}, seconds);
    }

    void addsUpThePodsOfAWorkload()
    {
        // -1: no work in that hour, and no record of it.
        MemoryFacts facts =
            factsOf({{"train-0", {2, 2, 0, -1, 0, 2}}, {"train-1", {2, 1, 0, 0, 3}}, {"other", {9, 9}}});
        auto counter = services::SpotWriteCounter::create(facts);
        QVERIFY(counter.has_value());
        counter->want(podNamed("train-0", ""), 1);
        counter->want(podNamed("train-1", "u1"), 1); // the exporter doesn't know the uid
        std::vector<SpotCandidate> candidates(2);
        QVERIFY(counter->addTo(candidates, kDay, {}).has_value());
        QVERIFY((candidates[0].writes == SpotWrites{}));
        QVERIFY((candidates[1].writes == SpotWrites{12, 10 * kHour, 2 * kHour}));
        std::vector<SpotCandidate> later(2);
        QVERIFY(counter->addTo(later, {kDay.start + base::Seconds{4 * kHour}, kDay.end}, {}).has_value());
        QVERIFY((later[1].writes == SpotWrites{5, 3 * kHour, kHour}));
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(!counter->addTo(candidates, kDay, stopped.get_token()));
    }

    void nothingIsReadWithoutSignals()
    {
        MemoryFacts facts;
        auto counter = services::SpotWriteCounter::create(facts);
        QVERIFY(counter.has_value());
        counter->want(podNamed("train-0", ""), 0);
        std::vector<SpotCandidate> candidates(1);
        QVERIFY(counter->addTo(candidates, kDay, {}).has_value());
        QCOMPARE(candidates[0].writes.seconds, std::int64_t{0});
    }

    // Of a label, the user's assumption and what is written, the first that there is counts.
    void aLabelOrAnAssumptionGoesBefore()
    {
        const auto writes = [](SpotPast &past) { only(past).writes = {96, 48 * kHour, 0}; };
        const auto every = [](const Proposal &p) {
            return evidence(p, RemarkText::SpotCheckpoints)->value.remark.front().text;
        };
        const Proposal seen = changed(writes);
        QCOMPARE(every(seen), RemarkText::SpotCheckpointsSeen);
        QVERIFY(evidence(seen, RemarkText::SpotWrites));
        QVERIFY(risks(seen, RemarkText::SpotRiskWrites) && !risks(seen, RemarkText::SpotRiskCheckpoints));
        const auto isAssumed = [](const Proposal &p) {
            return std::any_of(p.assumptions.begin(), p.assumptions.end(),
                               [](const auto &one) { return one.name == "checkpoint-every"; });
        };
        QVERIFY(!isAssumed(seen));
        const Proposal labelled = changed([&](SpotPast &past) { writes(past), only(past).checkpointEvery = kHour; });
        QCOMPARE(every(labelled), RemarkText::SpotCheckpointsLabel);
        QVERIFY(evidence(labelled, RemarkText::SpotWrites) && !risks(labelled, RemarkText::SpotRiskWrites));
        SpotPast past = twoRuns();
        writes(past);
        savings::Assumptions hourly;
        QVERIFY(hourly.set("checkpoint-every", "1h"));
        const auto set = proposeSpots(past, hourly);
        QVERIFY(set && set->size() == 1);
        QCOMPARE(every(set->front()), RemarkText::SpotCheckpointsSet);
        QVERIFY(isAssumed(set->front()));
        const Proposal irregular = changed([](SpotPast &p) { only(p).writes = {96, 48 * kHour, 12 * kHour}; });
        QCOMPARE(every(irregular), RemarkText::SpotCheckpointsUnknown);
        QVERIFY(evidence(irregular, RemarkText::SpotWrites) && risks(irregular, RemarkText::SpotRiskCheckpoints));
        QVERIFY(!evidence(changed([](SpotPast &) {}), RemarkText::SpotWrites));
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotWrites)

} // namespace tst_spotwrites

#include "tst_spotwrites.moc"
