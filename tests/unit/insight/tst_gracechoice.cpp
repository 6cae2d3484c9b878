// SPDX-License-Identifier: GPL-3.0-or-later
// Which grace windows are chosen from known gaps, and the curve of rules that is estimated from them.
#include "app/insight/idle/gapcurves.h"
#include "app/insight/idle/idle.h"
#include "app/insight/idle/rulecurve.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/idle/gracechoice.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_gracechoice {

using namespace gpuledger;
using insight::IdleRule;
using insight::RuleCurve;
using model::WorkloadKind;
using store::GapCount;
using store::GapPast;
using store::GapRun;
using store::GraceChoice;

namespace {

constexpr std::int64_t kLong = 600; // buckets
constexpr std::int64_t kBucketsPerHour = 12;
using From = GraceChoice::From;

// Gaps after which work came back at each length from 20 min to `last` buckets, `each` of them, and some that ended
// with their workload after 50 hours.
GapCount gapsUpTo(std::int64_t last, int each, int over)
{
    GapCount count;
    for (std::int64_t length = 4; length <= last; ++length) {
        for (int i = 0; i < each; ++i)
            count.add(0, length, GapRun::End::Work);
    }
    for (int i = 0; i < over; ++i)
        count.add(0, kLong, GapRun::End::Over);
    return count;
}

GapPast pastOf(WorkloadKind kind, const GapCount &count)
{
    GapPast past;
    past.groups[{kind, "vision", {}}] = count;
    past.groups[{kind, "vision", "a/b/Job/c"}] = count; // part of it, not to be counted again
    return past;
}

// As read from a configuration that sets no grace window.
model::IdleSettings unset()
{
    model::IdleSettings settings;
    settings.measureGrace();
    return settings;
}

GraceChoice trainingOf(const model::IdleSettings &settings, const GapPast &past)
{
    return store::chooseGrace(settings, past).at(WorkloadKind::Training);
}

} // namespace

class TestGraceChoice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theShortestWithFewFalseStops_data();
    void theShortestWithFewFalseStops();
    void itIsTheShareOfTheIdleList();
    void aDayIfNoneIsGood();
    void tooLittlePastKeepsTheDefault();
    void whatIsConfiguredStays();
    void choosingAgainChangesNothing();
    void theCurveCountsGaps();
    void withoutAPastThereIsNoCurve();
    void theRulesOfTheCurve();
    void theListUsesWhatIsMeasured();
};

// Work comes back until just before a known age, so that age is the shortest good window: later ages never shorten it.
void TestGraceChoice::theShortestWithFewFalseStops_data()
{
    QTest::addColumn<int>("last");
    QTest::addColumn<int>("hours4"); // quarter hours
    QTest::newRow("30 min") << 5 << 2;
    QTest::newRow("2 h") << 23 << 8;
    QTest::newRow("4 h") << 47 << 16;
    QTest::newRow("6 h") << 71 << 24;
}

void TestGraceChoice::theShortestWithFewFalseStops()
{
    QFETCH(int, last);
    QFETCH(int, hours4);
    const GraceChoice choice = trainingOf(unset(), pastOf(WorkloadKind::Training, gapsUpTo(last, 6, 100)));
    QVERIFY(choice.from == From::Measured);
    QCOMPARE(choice.grace.count(), std::int64_t{hours4} * 900);
    QVERIFY(choice.falseShare <= store::kMostFalse);
    QCOMPARE(choice.gaps, std::int64_t{(last - 3) * 6 + 100});
}

void TestGraceChoice::itIsTheShareOfTheIdleList()
{
    const GapPast past = pastOf(WorkloadKind::Training, gapsUpTo(47, 6, 100));
    const GraceChoice choice = trainingOf(unset(), past);
    const insight::IdleChance chance =
        insight::GapCurves(past).chance(WorkloadKind::Training, "another team", {}, choice.grace);
    QVERIFY(chance.from == insight::IdleChance::From::Kind);
    QVERIFY(std::abs(1 - chance.hour - choice.falseShare) < 1e-12);
    // Each shorter window of the grid has more false stops than are allowed.
    for (const std::int32_t buckets : store::kGraceGrid) {
        const base::Seconds length = buckets * base::kBucket;
        if (length < choice.grace)
            QVERIFY(1 - insight::GapCurves(past).chance(WorkloadKind::Training, "another team", {}, length).hour
                    > store::kMostFalse);
    }
}

void TestGraceChoice::aDayIfNoneIsGood()
{
    GapCount count; // work comes back within the hour after each window of the grid
    for (const std::int32_t age : store::kGraceGrid) {
        for (std::int64_t later = 0; later < kBucketsPerHour; ++later) {
            for (int i = 0; i < 10; ++i)
                count.add(0, age + later, GapRun::End::Work);
        }
    }
    const GraceChoice choice = trainingOf(unset(), pastOf(WorkloadKind::Training, count));
    QVERIFY(choice.from == From::Measured);
    QCOMPARE(choice.grace.count(), std::int64_t{86400});
    QVERIFY(choice.falseShare > store::kMostFalse); // and says so
}

void TestGraceChoice::tooLittlePastKeepsTheDefault()
{
    const auto chosen = [](int gaps, WorkloadKind kind) {
        return trainingOf(unset(), pastOf(kind, gapsUpTo(0, 0, gaps)));
    };
    const GraceChoice few = chosen(static_cast<int>(store::kLeastGraceGaps) - 1, WorkloadKind::Training);
    QVERIFY(few.from == From::Default);
    QCOMPARE(few.grace.count(), std::int64_t{3600});
    QVERIFY(chosen(static_cast<int>(store::kLeastGraceGaps), WorkloadKind::Training).from == From::Measured);
    QVERIFY(chosen(10'000, WorkloadKind::Notebook).from == From::Default); // of another kind
    const store::GraceChoices none = store::chooseGrace(unset(), {});
    QCOMPARE(none.size(), unset().grace.size());
    for (const auto &[kind, choice] : none) {
        QVERIFY(choice.from == From::Default);
        QVERIFY(choice.grace == unset().grace.at(kind));
    }
}

void TestGraceChoice::whatIsConfiguredStays()
{
    model::IdleSettings settings = unset();
    settings.graceMeasured.erase(WorkloadKind::Training);
    settings.grace[WorkloadKind::Training] = base::Seconds{1234};
    const GapPast past = pastOf(WorkloadKind::Training, gapsUpTo(47, 6, 100));
    const GraceChoice choice = trainingOf(settings, past);
    QVERIFY(choice.from == From::Configured);
    QCOMPARE(choice.grace.count(), std::int64_t{1234});
    QVERIFY(store::withGrace(settings, store::chooseGrace(settings, past)).grace == settings.grace);
}

void TestGraceChoice::choosingAgainChangesNothing()
{
    const GapPast past = pastOf(WorkloadKind::Training, gapsUpTo(47, 6, 100));
    const model::IdleSettings once = store::withGrace(unset(), store::chooseGrace(unset(), past));
    QVERIFY(once.grace.at(WorkloadKind::Training) == base::Seconds{4 * 3600});
    QVERIFY(once.grace.at(WorkloadKind::Inference) == base::Seconds{86400});
    QVERIFY(store::withGrace(once, store::chooseGrace(once, past)).grace == once.grace);
    QVERIFY(store::withGrace(once, store::chooseGrace(once, {})).grace == once.grace); // from facts alone
}

void TestGraceChoice::theCurveCountsGaps()
{
    IdleRule rule;
    rule.settings = unset();
    rule.past = pastOf(WorkloadKind::Training, gapsUpTo(47, 6, 100));
    const RuleCurve curve = insight::ruleCurve(rule, base::Seconds{3600});
    QCOMPARE(curve.points.size(), store::kGraceGrid.size());
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const insight::RulePoint &point = curve.points[i];
        const std::int64_t age = store::kGraceGrid[i];
        QCOMPARE(point.grace.count(), age * 300);
        std::int64_t stops = 100, back = 100 * (kLong - age), soon = 0;
        for (std::int64_t length = 4; length <= 47; ++length) {
            stops += length >= age ? 6 : 0; // work may begin at the very end of the window
            back += length > age ? 6 * (length - age) : 0;
            soon += length >= age && length < age + kBucketsPerHour ? 6 : 0;
        }
        QVERIFY(std::abs(point.stops - static_cast<double>(stops)) < 1e-6);
        QVERIFY(std::abs(point.falseStops - static_cast<double>(soon)) < 1e-6);
        QVERIFY(std::abs(point.hoursBack - static_cast<double>(back) / kBucketsPerHour) < 1e-6);
        QVERIFY(!point.money);
    }
    // An hour for training, as the rule has it.
    const auto hour = std::find_if(curve.points.begin(), curve.points.end(),
                                   [](const auto &point) { return point.grace == base::Seconds{3600}; });
    QCOMPARE(curve.inUse.stops, hour->stops);
    QCOMPARE(curve.inUse.falseStops, hour->falseStops);
    QCOMPARE(curve.inUse.grace.count(), std::int64_t{0}); // its kinds differ
    QVERIFY(!insight::betterPoint(curve)); // an estimate accuses no rule
}

void TestGraceChoice::withoutAPastThereIsNoCurve()
{
    IdleRule rule;
    rule.settings = unset();
    QVERIFY(insight::ruleCurve(rule, base::Seconds{3600}).points.empty());
}

void TestGraceChoice::theRulesOfTheCurve()
{
    model::IdleSettings settings = unset();
    settings.threshold = 0.2;
    const auto rules = insight::curveRules(settings);
    QCOMPARE(rules.size(), store::kGraceGrid.size() + 1);
    for (std::size_t i = 0; i + 1 < rules.size(); ++i) {
        QVERIFY(rules[i].graceMeasured.empty() && rules[i].threshold == 0.2);
        for (const auto &[kind, length] : rules[i].grace)
            QCOMPARE(length.count(), std::int64_t{store::kGraceGrid[i]} * 300);
    }
    QVERIFY(rules.back().grace == settings.grace);
}

// The writer of the candidates chooses the same windows as the list does, so that these are used.
void TestGraceChoice::theListUsesWhatIsMeasured()
{
    constexpr int kDays = 9;
    constexpr std::int64_t kHour = 3600, kDay = 86400;
    tests::Scenario f(kDays);
    const auto node = f.node("n1"), device = f.device("GPU-1"), pod = f.pod("a", "uid-a", "n1");
    const auto subject = f.label("a", "uid-a");
    f.batch.holders[pod].labels = {{"team", "vision"}, {"workload_kind", "training"}};
    f.runs(pod, 0, kDays * kDay);
    const std::int64_t last = (kDays - 1) * kDay + 12 * kHour;
    for (std::int64_t at = 0; at < last; at += kHour) { // works again after half an hour, always
        f.reports(device, subject, node, at, at + kHour / 2, 80);
        f.reports(device, subject, node, at + kHour / 2, at + kHour, 1);
    }
    f.reports(device, subject, node, last, kDays * kDay, 1);
    model::Settings settings = tests::pricedSettings();
    settings.idle.measureGrace();
    QTemporaryDir dir;
    const auto cache = store::LedgerStore::open(dir.path().toStdString()).value();
    const auto ledger = ledger::Ledger::create(settings).value();
    QVERIFY(ledger::LedgerWriter(*cache, ledger->rollup()).commit("prom", f.batch));
    const auto facts = cache->facts().value();
    const auto attribution = ledger->attribution(*facts);
    const base::UtcTime end = f.at(kDays * kDay);
    const auto listed = [&](const model::IdleSettings &rule) {
        return insight::idleAt(*attribution, end, {}, rule, base::Currency::usd()).value();
    };
    // Idle for twelve hours: by the stated hour it is idle, but no window was ever long enough to tell.
    const insight::IdleList measured = listed(settings.idle), stated = listed(tests::pricedSettings().idle);
    QCOMPARE(stated.items.size(), std::size_t{1});
    QVERIFY(stated.grace.at(WorkloadKind::Training).from == From::Configured);
    QVERIFY(measured.items.empty());
    const GraceChoice choice = measured.grace.at(WorkloadKind::Training);
    QVERIFY(choice.from == From::Measured && choice.gaps >= store::kLeastGraceGaps);
    QVERIFY(choice.grace > base::Seconds{12 * kHour});
    // Two days in, the past was too short.
    const auto early = insight::idleAt(*attribution, f.at(2 * kDay), {}, settings.idle, base::Currency::usd()).value();
    QVERIFY(early.grace.at(WorkloadKind::Training).from == From::Default);
    const IdleRule rule = insight::idleRuleAt(*attribution, end, settings.idle).value();
    const auto kept = attribution->kept().value();
    QVERIFY(kept);
    QVERIFY(kept->candidates(end, rule.settings).value().has_value());
    QVERIFY(!kept->candidates(end, settings.idle).value().has_value()); // not by the stated default
    QVERIFY(ledger::verify(*cache, ledger->rollup()).value().empty());
}

GPULEDGER_SUITE(TestGraceChoice)

} // namespace tst_gracechoice

#include "tst_gracechoice.moc"
