// SPDX-License-Identifier: GPL-3.0-or-later
// How likely an idle workload stays idle, from stored gaps: what is stored of them, how they are joined and counted,
// and what the idle list says from them. tst_gapcalibration holds that against what came of the gaps.
#include "app/insight/idle/gapcurves.h"
#include "app/insight/idle/idle.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/codecs/gapcodec.h"
#include "app/store/idle/gapcounter.h"
#include "app/store/idle/gapdaycollector.h"
#include "app/store/idle/gaphazards.h"
#include "app/store/idle/gapstore.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/database.h"
#include "tests/support/calibration/gapcalibration.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_gapcurves {

using namespace gpuledger;
using insight::GapCurves;
using insight::IdleChance;
using model::WorkloadKind;
using store::GapCount;
using store::GapDay;
using store::GapGroup;
using store::GapRun;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
using End = GapRun::End;

// One pod on one GPU: its activity changes at the given seconds, beginning with idle.
struct OnePod : Scenario {
    std::uint32_t node, device, pod, subject;
    explicit OnePod(int days)
        : Scenario(days)
        , node(Scenario::node("n1"))
        , device(Scenario::device("GPU-1"))
        , pod(Scenario::pod("a", "uid-a", "n1"))
        , subject(label("a", "uid-a"))
    {
        batch.holders[pod].labels = {{"team", "vision"}, {"workload_kind", "training"}};
    }
    void does(std::int64_t from, std::int64_t to, double percent) { reports(device, subject, node, from, to, percent); }
    tests::GapDays gaps() const
    {
        const auto ledger = ledger::Ledger::create(tests::pricedSettings()).value();
        MemoryFacts facts;
        facts.add(batch);
        return tests::gapDaysOf(*ledger, facts).value();
    }
};

std::string textOf(const GapRun &run)
{
    const char *ends[] = {"work", "over", "unseen", "day end"};
    return "since " + std::to_string(run.since) + " at " + std::to_string(run.start) + "+" + std::to_string(run.length)
        + " until " + ends[static_cast<int>(run.end)] + (run.open ? ", open" : "");
}

QStringList runsOf(const GapDay &day)
{
    QStringList out;
    for (const GapRun &run : day.runs)
        out << QString::fromStdString(textOf(run));
    return out;
}

QStringList piecesOf(const tests::GapDays &days)
{
    QStringList out;
    store::GapJoiner joiner;
    for (const auto &[day, gaps] : days)
        joiner.add(day, gaps, [&](const store::GapPiece &piece) {
            out << QStringLiteral("%1..%2 %3").arg(piece.from).arg(piece.to).arg(static_cast<int>(piece.end));
        });
    return out;
}

bool isNear(double a, double b, double within)
{
    return std::abs(a - b) <= within;
}

} // namespace

class TestGapCurves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDayIsStoredAsRuns();
    void gapsGoOnOverMidnight();
    void workThatBeginsWithADayEndsTheGapBefore();
    void unseenTimeSplitsAGap();
    void sharedHazardsAreCountedByAge();
    void geometricGapsHaveTheirHazard_data();
    void geometricGapsHaveTheirHazard();
    void workAtOneAgeEndsThoseGapsOnly();
    void withoutAPastTheDefaultIsStated();
    void narrowGroupsArePooled();
    void onlyGroupsThatDifferAreToldApart();
    void anOutdatedSumIsCountedAgain();
    void partsOfTheNextDayAddUp();
    void theListIsMeasuredFromWhatIsStored();
    void damagedSumsAreFound();
    void blobsComeBackAsTheyWere();
};

void TestGapCurves::aDayIsStoredAsRuns()
{
    OnePod f(1);
    f.runs(f.pod, 2 * kHour, 20 * kHour);
    f.does(2 * kHour, 5 * kHour, 1); // a gap from its start
    f.does(5 * kHour, 6 * kHour, 80);
    f.does(6 * kHour, 6 * kHour + 600, 1); // too short
    f.does(6 * kHour + 600, 7 * kHour, 80);
    f.does(7 * kHour, 20 * kHour, 1);
    const tests::GapDays days = f.gaps();
    QCOMPARE(days.size(), std::size_t{1});
    QCOMPARE(
        runsOf(days[0].second),
        QStringList({QStringLiteral("since 24 at 24+36 until work"), QStringLiteral("since 84 at 84+156 until over")}));
    const GapGroup expected{WorkloadKind::Training, "vision", days[0].second.groups.at(0).workload};
    QVERIFY(days[0].second.groups == std::vector{expected});
    QVERIFY(expected.workload.ends_with("/a"));
}

void TestGapCurves::gapsGoOnOverMidnight()
{
    OnePod f(4);
    f.runs(f.pod, 0, 4 * kDay);
    f.does(0, 2 * kHour, 1); // since when is not known
    f.does(2 * kHour, 22 * kHour, 80);
    f.does(22 * kHour, 2 * kDay + 3 * kHour, 1);
    f.does(2 * kDay + 3 * kHour, 3 * kDay, 80); // works until midnight
    f.does(3 * kDay, 3 * kDay + 2 * kHour, 1);
    f.does(3 * kDay + 2 * kHour, 4 * kDay, 80);
    const tests::GapDays days = f.gaps();
    QCOMPARE(runsOf(days[1].second), QStringList(QStringLiteral("since -1 at 0+288 until day end, open")));
    // From 22:00 to 3:00 two days later: 24 buckets, a day, 36 buckets; then two hours from midnight.
    QCOMPARE(piecesOf(days),
             QStringList({QStringLiteral("0..24 3"), QStringLiteral("24..312 3"), QStringLiteral("312..348 0"),
                          QStringLiteral("0..24 0")}));
}

void TestGapCurves::workThatBeginsWithADayEndsTheGapBefore()
{
    OnePod f(3);
    f.runs(f.pod, 0, 3 * kDay);
    f.does(0, 22 * kHour, 80);
    f.does(22 * kHour, kDay, 1); // two hours until midnight
    f.does(kDay, kDay + 20 * kHour, 80);
    f.does(kDay + 20 * kHour, kDay + 21 * kHour, 1);
    f.does(kDay + 21 * kHour, 3 * kDay, 80); // and works over midnight: no gap
    const tests::GapDays days = f.gaps();
    QCOMPARE(
        runsOf(days[1].second),
        QStringList({QStringLiteral("since -1 at 0+0 until work"), QStringLiteral("since 240 at 240+12 until work")}));
    QCOMPARE(piecesOf(days),
             QStringList({QStringLiteral("0..24 3"), QStringLiteral("24..24 0"), QStringLiteral("0..12 0")}));
    store::GapCounter counter;
    for (const auto &[day, gaps] : days)
        counter.add(day, gaps);
    const store::GapPast past = counter.take();
    QCOMPARE(past.groups.size(), std::size_t{1});
    const GapCount &count = past.groups.begin()->second;
    QCOMPARE(count.ended(), std::int64_t{2});
    const auto classOf = [](std::int32_t age) {
        return static_cast<std::size_t>(std::find(store::kGapAges.begin(), store::kGapAges.end(), age)
                                        - store::kGapAges.begin());
    };
    QCOMPARE(count.work[classOf(24)], std::int64_t{1});
    QCOMPARE(count.work[classOf(12)], std::int64_t{1});
    // What happened on a day that is not stored is not known.
    store::GapJoiner joiner;
    QStringList pieces;
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}})
        joiner.add(days[i].first, days[i].second,
                   [&](const store::GapPiece &piece) { pieces << QString::number(piece.to); });
    QCOMPARE(pieces, QStringList(QStringLiteral("24")));
}

void TestGapCurves::unseenTimeSplitsAGap()
{
    OnePod f(2);
    f.runs(f.pod, 0, 2 * kDay);
    f.does(0, 10 * kHour, 80);
    f.does(10 * kHour, 12 * kHour, 1);
    // no telemetry for three hours
    f.does(15 * kHour, 16 * kHour, 1);
    // and none from here until one o'clock
    f.does(kDay + kHour, kDay + 2 * kHour, 1);
    f.does(kDay + 2 * kHour, 2 * kDay, 80);
    const tests::GapDays days = f.gaps();
    QCOMPARE(
        runsOf(days[0].second),
        QStringList({QStringLiteral("since -1 at 0+0 until work"), QStringLiteral("since 120 at 120+24 until unseen"),
                     QStringLiteral("since 120 at 180+12 until unseen"),
                     QStringLiteral("since 120 at 288+0 until unseen, open")}));
    // What it did while nobody looked is neither work nor rest, and its age goes on.
    QCOMPARE(piecesOf(days),
             QStringList({QStringLiteral("0..24 2"), QStringLiteral("60..72 2"), QStringLiteral("180..192 0")}));
}

void TestGapCurves::sharedHazardsAreCountedByAge()
{
    GapCount count;
    count.add(0, 40, End::Work); // all classes to 36; at work in the bucket after that, of class 36
    count.add(0, 2, End::Work); // too short
    count.add(0, 3, End::Over); // too short: over in a bucket of the age 2
    count.add(10, 13, End::Over); // 10 to 12; entered late
    count.add(8060, 9000, End::Unseen);
    const auto classOf = [](std::int32_t age) {
        const auto found = std::find(store::kGapAges.begin(), store::kGapAges.end(), age);
        return static_cast<std::size_t>(found - store::kGapAges.begin());
    };
    for (const std::int32_t age : {3, 9, 13, 35})
        QCOMPARE(count.exposure[classOf(age)], std::int64_t{1});
    for (const std::int32_t age : {10, 11, 12})
        QCOMPARE(count.exposure[classOf(age)], std::int64_t{2});
    QCOMPARE(count.exposure[classOf(36)], std::int64_t{4});
    QCOMPARE(count.work[classOf(36)], std::int64_t{1});
    QCOMPARE(count.over[classOf(12)], std::int64_t{1});
    QCOMPARE(count.exposure[classOf(4032)], std::int64_t{4});
    QCOMPARE(count.exposure[classOf(8064)], std::int64_t{936});
    QCOMPARE(count.ended(), std::int64_t{2});
}

void TestGapCurves::geometricGapsHaveTheirHazard_data()
{
    QTest::addColumn<double>("p");
    QTest::newRow("half") << 0.5;
    QTest::newRow("a third") << 0.3;
    QTest::newRow("a tenth") << 0.1;
}

// Gaps that end in each bucket with the same chance: a known hazard, however short they are.
void TestGapCurves::geometricGapsHaveTheirHazard()
{
    QFETCH(double, p);
    constexpr double kGaps = 4e6;
    store::GapPast past;
    GapCount &count = past.groups[{WorkloadKind::Training, "vision", {}}];
    double left = kGaps;
    for (std::int64_t length = 1; left >= 1; ++length, left *= 1 - p) {
        GapCount one;
        one.add(0, length, End::Work);
        const auto times = static_cast<std::int64_t>(std::llround(left * p));
        for (std::size_t i = 0; i < store::kGapAges.size(); ++i) {
            count.exposure[i] += times * one.exposure[i];
            count.work[i] += times * one.work[i];
        }
    }
    const store::KindHazards known = store::kindHazards(past);
    const GapCurves curves(past);
    for (const int age : {3, 4, 5, 6, 8}) {
        for (const store::GapHazards &hazards : {known.fleet, known.of(WorkloadKind::Training)}) {
            store::GapAhead ahead(hazards, age);
            ahead.goTo(1);
            const double works = 1 - ahead.stays();
            QVERIFY2(isNear(works / p, 1, 0.03), qPrintable(QStringLiteral("at %1: %2").arg(age).arg(works)));
        }
        // The same for a team, by the factor of its ends.
        const IdleChance said = curves.chance(WorkloadKind::Training, "vision", {}, age * base::kBucket);
        const double lasts = said.idleHours * 3600 / static_cast<double>(base::kBucket.count());
        QVERIFY2(isNear(lasts * -std::log1p(-p), 1, 0.06), qPrintable(QString::number(lasts)));
    }
}

// Gaps of exactly a quarter of an hour: all that is known is that none goes on.
void TestGapCurves::workAtOneAgeEndsThoseGapsOnly()
{
    store::GapPast past;
    for (int i = 0; i < 100; ++i) {
        past.groups[{WorkloadKind::Training, "short", {}}].add(0, 3, End::Work);
        past.groups[{WorkloadKind::Training, "long", {}}].add(0, 300, End::Work);
    }
    QCOMPARE((past.groups[{WorkloadKind::Training, "short", {}}].atRisk(0)), 50.0);
    const GapCurves curves(past);
    const auto of = [&](const char *team, std::int64_t seconds) {
        return curves.chance(WorkloadKind::Training, team, {}, base::Seconds{seconds}).hour;
    };
    QVERIFY2(of("short", 900) < 0.35, qPrintable(QString::number(of("short", 900))));
    QVERIFY2(of("long", 900) > 0.9, qPrintable(QString::number(of("long", 900))));
    // At the age of four hours nothing tells them apart.
    QVERIFY2(of("short", 4 * kHour) > 0.8, qPrintable(QString::number(of("short", 4 * kHour))));
}

void TestGapCurves::withoutAPastTheDefaultIsStated()
{
    const GapCurves none;
    const IdleChance first = none.chance(WorkloadKind::Training, "vision", "w", base::Seconds{kHour});
    QVERIFY(first.from == IdleChance::From::Default);
    QCOMPARE(first.gaps, std::int64_t{0});
    QVERIFY2(isNear(first.hour, 0.72, 0.01), qPrintable(QString::number(first.hour)));
    QVERIFY(first.day < first.hour);
    // The longer it has been idle, the more likely it stays so.
    const IdleChance later = none.chance(WorkloadKind::Training, "vision", "w", base::Seconds{10 * kDay});
    QVERIFY(later.hour > 0.95 && later.day > first.day);
}

void TestGapCurves::narrowGroupsArePooled()
{
    const auto past = [](int restless, int calm) {
        store::GapPast out;
        for (int i = 0; i < restless; ++i)
            out.groups[{WorkloadKind::Training, "vision", {}}].add(0, 13 + i % 12, End::Work);
        for (int i = 0; i < calm; ++i)
            out.groups[{WorkloadKind::Training, "research", {}}].add(0, 600, End::Over);
        return out;
    };
    const GapCurves curves(past(300, 300));
    const auto of = [&](WorkloadKind kind, const char *team) {
        return curves.chance(kind, team, "w", base::Seconds{kHour});
    };
    const IdleChance vision = of(WorkloadKind::Training, "vision"), research = of(WorkloadKind::Training, "research");
    QVERIFY(vision.from == IdleChance::From::Team && research.from == IdleChance::From::Team);
    QCOMPARE(vision.gaps, std::int64_t{300});
    QVERIFY(vision.hour < 0.3 && research.hour > 0.7);
    // A team without a past is taken for the kind, and a kind without one for the fleet.
    const IdleChance other = of(WorkloadKind::Training, "other"), batch = of(WorkloadKind::Batch, "other");
    QVERIFY(other.from == IdleChance::From::Kind && batch.from == IdleChance::From::Fleet);
    QCOMPARE(other.gaps, std::int64_t{600});
    QVERIFY(other.hour > vision.hour && other.hour < research.hour);
    // One gap of its own hardly moves a team from its kind.
    store::GapPast more = past(300, 300);
    more.groups[{WorkloadKind::Training, "young", {}}].add(0, 18, End::Work);
    const IdleChance young = GapCurves(more).chance(WorkloadKind::Training, "young", "w", base::Seconds{kHour});
    QVERIFY2(isNear(young.hour, other.hour, 0.1), qPrintable(QString::number(young.hour)));
    // A workload with a past of its own.
    for (int i = 0; i < 60; ++i)
        for (const char *workload : {"", "calm"})
            more.groups[{WorkloadKind::Training, "vision", workload}].add(0, 600, End::Over);
    const GapCurves mixed(more);
    const IdleChance calm = mixed.chance(WorkloadKind::Training, "vision", "calm", base::Seconds{kHour});
    const IdleChance others = mixed.chance(WorkloadKind::Training, "vision", "w", base::Seconds{kHour});
    QVERIFY(calm.from == IdleChance::From::Workload);
    QCOMPARE(calm.gaps, std::int64_t{60});
    QVERIFY2(calm.hour > others.hour + 0.1, qPrintable(QString::number(calm.hour)));
}

// As much is taken from the wider group as the groups are alike.
void TestGapCurves::onlyGroupsThatDifferAreToldApart()
{
    constexpr int kTeams = 12, kGaps = 40;
    const auto of = [&](bool differ, int number) {
        store::GapPast past;
        for (int team = 0; team < kTeams; ++team) {
            GapCount &count = past.groups[{WorkloadKind::Training, "team" + std::to_string(team), {}}];
            for (int i = 0; i < kGaps; ++i) { // works again after 1 to 3 hours, or is over after 8
                const bool works = i % 4 < (differ && team % 2 == 0 ? 0 : 3);
                count.add(0, works ? 12 + (i * 7 + team) % 24 : 96, works ? End::Work : End::Over);
            }
        }
        // A team of which only five gaps are known, all of which ended in work.
        GapCount &young = past.groups[{WorkloadKind::Training, "young", {}}];
        for (int i = 0; i < 5; ++i)
            young.add(0, 14 + i, End::Work);
        const GapCurves curves(past);
        const std::string team = number < 0 ? "young" : "team" + std::to_string(number);
        return curves.chance(WorkloadKind::Training, team, {}, base::Seconds{kHour}).hour
            - curves.chance(WorkloadKind::Training, "none", {}, base::Seconds{kHour}).hour;
    };
    for (int team = 0; team < kTeams; ++team) { // from the kind
        QVERIFY2(std::abs(of(false, team)) < 0.02, qPrintable(QString::number(of(false, team))));
        QVERIFY2(of(true, team) * (team % 2 == 0 ? 1 : -1) > 0.1, qPrintable(QString::number(of(true, team))));
    }
    QVERIFY(of(false, -1) < 0 && of(false, -1) > -0.02);
    QVERIFY(of(true, -1) < of(false, -1));
}

void TestGapCurves::anOutdatedSumIsCountedAgain()
{
    store::GapPast past, back;
    past.groups[{WorkloadKind::Training, "t", {}}].add(0, 700, End::Over);
    std::string blob = store::gapcodec::encode({20000}, past);
    QVERIFY(!store::gapcodec::isOutdatedPast(blob));
    for (const char version : {1, 2}) {
        blob.front() = version;
        QVERIFY(store::gapcodec::isOutdatedPast(blob) && !store::gapcodec::decode({20000}, blob, back));
    }
    QVERIFY(!store::gapcodec::isOutdatedPast({}));

    QTemporaryDir dir;
    { // of a program that counted otherwise: neither damage nor an answer
        const auto cache = store::LedgerStore::open(dir.path().toStdString()).value();
    }
    const auto database =
        store::Database::open(dir.path().toStdString() + "/ledger.db", store::Database::Mode::Writer).value();
    const base::Day day{20000};
    const auto stored = [&] {
        std::string data;
        store::Statement s = database->statement("SELECT data FROM gap_past");
        if (!s.each([&] { data = std::string(s.blob(0)); }))
            return std::string("unreadable");
        return data;
    };
    store::Statement put = database->statement("INSERT INTO gap_past (day, data) VALUES (?1, ?2)");
    QVERIFY(put.bind(1, std::int64_t{day.number}).bindBlob(2, blob).run());
    QVERIFY(store::gapPast(*database, day).value().groups.empty()); // no day is stored
    QVERIFY(store::holdsGapPast(*database).value());
    QVERIFY(store::keepGapPast(*database, day));
    QCOMPARE(stored(), store::gapcodec::encode(day, store::GapPast{}));
}

void TestGapCurves::partsOfTheNextDayAddUp()
{
    store::GapPast past;
    for (int i = 0; i < 5000; ++i) {
        past.groups[{WorkloadKind::Training, "a", {}}].add(0, 13 + i % 400, End::Work);
        past.groups[{WorkloadKind::Training, "b", {}}].add(0, 13 + i % 400, End::Over);
    }
    const GapCurves curves(past);
    const IdleChance works = curves.chance(WorkloadKind::Training, "a", {}, base::Seconds{kHour});
    const IdleChance ends = curves.chance(WorkloadKind::Training, "b", {}, base::Seconds{kHour});
    // Whether gaps end in work or with the holder, they take as long.
    QVERIFY(isNear(works.idleHours, ends.idleHours, 0.5));
    QVERIFY(isNear(works.idleHours + works.workHours, 24, 0.3)); // hardly any ends without work
    QVERIFY(ends.workHours < 0.3 && ends.day > 0.95 && works.day < 0.4);
    for (const IdleChance &c : {works, ends})
        QVERIFY(c.hour >= c.day && c.idleHours > 0 && c.workHours >= 0 && c.idleHours + c.workHours <= 24 + 1e-9);
}

void TestGapCurves::theListIsMeasuredFromWhatIsStored()
{
    // Idle for two hours every day, and at the end for good.
    constexpr int kDays = 9;
    OnePod f(kDays);
    f.runs(f.pod, 0, kDays * kDay);
    for (int d = 0; d < kDays; ++d) {
        f.does(d * kDay, d * kDay + 10 * kHour, 80);
        f.does(d * kDay + 10 * kHour, d * kDay + 12 * kHour, 1);
        f.does(d * kDay + 12 * kHour, (d + 1) * kDay, d + 1 < kDays ? 80 : 1);
    }
    QTemporaryDir dir;
    const auto cache = store::LedgerStore::open(dir.path().toStdString()).value();
    const model::Settings settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    QVERIFY(ledger::LedgerWriter(*cache, ledger->rollup()).commit("prom", f.batch));
    const auto itemAt = [&](std::int64_t second) {
        const auto facts = cache->facts().value();
        const auto attribution = ledger->attribution(*facts);
        const auto list = insight::idleAt(*attribution, f.at(second), {}, settings.idle, base::Currency::usd()).value();
        return list.items.empty() ? insight::IdleItem() : list.items.front();
    };
    const insight::IdleItem now = itemAt(kDays * kDay);
    QCOMPARE(now.name, std::string("a"));
    QVERIFY(now.chance.from == IdleChance::From::Workload);
    QCOMPARE(now.chance.gaps, std::int64_t{kDays - 1});
    // Soon after an hour on its second day, the one gap before says little; on its eighth, seven say that it will work.
    constexpr std::int64_t kSoonAfter = 11 * kHour + kHour / 4;
    const IdleChance early = itemAt(kDay + kSoonAfter).chance, late = itemAt(7 * kDay + kSoonAfter).chance;
    QVERIFY(early.from == IdleChance::From::Team && late.from == IdleChance::From::Workload);
    QCOMPARE(early.gaps, std::int64_t{1});
    QCOMPARE(late.gaps, std::int64_t{7});
    QVERIFY2(late.hour < early.hour, qPrintable(QString::number(late.hour)));
    // Before anything is known, and what it costs: 3.6 USD an hour.
    const insight::IdleItem first = itemAt(11 * kHour);
    QVERIFY(first.chance.from == IdleChance::From::Default);
    QVERIFY(isNear(first.expectedBack->toDouble(), 3.6 * first.chance.idleHours, 1e-6));
    QVERIFY(isNear(first.expectedLost->toDouble(), 3.6 * first.chance.workHours, 1e-6));
}

void TestGapCurves::damagedSumsAreFound()
{
    QTemporaryDir dir;
    tests::Random random(5);
    const auto ledger = ledger::Ledger::create(tests::pricedSettings()).value();
    {
        const auto cache = store::LedgerStore::open(dir.path().toStdString()).value();
        QVERIFY(ledger::LedgerWriter(*cache, ledger->rollup())
                    .commit("prom", tests::randomFleet(random, tests::Telling::Tidy).batch));
        QVERIFY(ledger::verify(*cache, ledger->rollup()).value().empty());
    }
    const auto cache = store::LedgerStore::open(dir.path().toStdString()).value();
    model::Settings others = tests::pricedSettings();
    others.idle.threshold = 0.7; // other states under the same gaps
    const auto other = ledger::Ledger::create(others).value();
    const auto problems = ledger::verify(*cache, other->rollup()).value();
    QVERIFY(std::any_of(problems.begin(), problems.end(),
                        [](const store::IntegrityProblem &p) { return p.where == "gap_day"; }));
}

void TestGapCurves::blobsComeBackAsTheyWere()
{
    const base::Day day{20000};
    GapDay gaps;
    gaps.groups = {{WorkloadKind::Unknown, "", std::string("n\0ul", 4)}, {WorkloadKind::Inference, "t", "c/n/Job/x"}};
    gaps.runs = {{-5, 7, 1, -1, 0, 288, End::DayEnd, true},
                 {3, 0, 0, 287, 288, 0, End::Unseen, true},
                 {3, 0xFFFFFFFF, 0, 12, 14, 9, End::Work, false}};
    const std::string blob = store::gapcodec::encode(day, gaps);
    GapDay back;
    QVERIFY(store::gapcodec::decode(day, blob, back));
    QVERIFY(back == gaps);
    QVERIFY(!store::gapcodec::decode({20001}, blob, back)); // not its own row
    store::GapPast past;
    past.groups[gaps.groups[0]].add(2, 700, End::Over);
    past.groups[gaps.groups[1]].add(0, 9000, End::Work);
    const std::string sum = store::gapcodec::encode(day, past);
    store::GapPast pastBack;
    QVERIFY(store::gapcodec::decode(day, sum, pastBack));
    QVERIFY(pastBack == past);
    for (std::size_t i = 0; i < blob.size(); ++i) {
        std::string damaged = blob;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        QVERIFY(!store::gapcodec::decode(day, damaged, back));
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
        std::string damaged = sum;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        QVERIFY(!store::gapcodec::decode(day, damaged, pastBack));
    }
    for (const std::string &empty :
         {store::gapcodec::encode(day, GapDay{}), store::gapcodec::encode(day, store::GapPast{})})
        QVERIFY(!empty.empty());
    QVERIFY(store::gapcodec::decode(day, store::gapcodec::encode(day, store::GapPast{}), pastBack));
    QVERIFY(pastBack.groups.empty());
}

GPULEDGER_SUITE(TestGapCurves)

} // namespace tst_gapcurves

#include "tst_gapcurves.moc"
