// SPDX-License-Identifier: GPL-3.0-or-later
// How likely an idle workload stays idle, from stored gaps: what is stored of them, how they are joined and counted,
// and that what is said of them comes true.
#include "app/insight/idle/gapcurves.h"
#include "app/insight/idle/idle.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/codecs/gapcodec.h"
#include "app/store/idle/gapcounter.h"
#include "app/store/idle/gapdaycollector.h"
#include "app/store/ledgerstore.h"
#include "tests/support/gapcalibration.h"
#include "tests/support/randomhistory.h"
#include "tests/support/suite.h"
#include "tests/support/tracefleet.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <random>

using namespace gpuledger;
using insight::GapCurves;
using insight::IdleChance;
using model::WorkloadKind;
using store::GapCount;
using store::GapDay;
using store::GapGroup;
using store::GapRun;
using tests::GapTrial;
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

// A gap of each holder and day, from a distribution that depends on kind and team: with one hazard of working again
// (per bucket) before the age of six hours and another after it, and one of ending.
class HazardFleet {
public:
    explicit HazardFleet(int days)
        : m_days(static_cast<std::size_t>(days))
    {
        const std::array kinds{WorkloadKind::Notebook, WorkloadKind::Training, WorkloadKind::Batch};
        for (std::size_t i = 0; i < m_days.size(); ++i)
            m_days[i].first = {20000 + static_cast<std::int32_t>(i)};
        std::int64_t holder = 0;
        for (std::size_t k = 0; k < kinds.size(); ++k)
            for (int team = 0; team < 4; ++team)
                for (int n = 0; n < 30; ++n)
                    live(++holder, {kinds[k], "team" + std::to_string(team), "w" + std::to_string(holder)},
                         kEarly[k] * (1 + team), kLate[k]);
        for (auto &[day, gaps] : m_days)
            settle(gaps);
    }
    const tests::GapDays &days() const { return m_days; }

    static constexpr double kOver = 0.004;
    static constexpr std::array kEarly{0.004, 0.012, 0.03}, kLate{0.002, 0.006, 0.02};
    static constexpr std::int64_t kTurn = 72; // buckets

private:
    void live(std::int64_t holder, const GapGroup &group, double early, double late)
    {
        std::uniform_real_distribution<double> chance;
        const auto end = static_cast<std::int64_t>(m_days.size()) * base::kBucketsPerDay;
        std::int64_t at = 1 + static_cast<std::int64_t>(chance(m_random) * 200);
        while (at < end) {
            std::int64_t age = 0;
            End how = End::DayEnd;
            while (at + age < end && how == End::DayEnd) {
                ++age;
                const double work = age <= kTurn ? early : late, drawn = chance(m_random);
                how = drawn < work ? End::Work : drawn < work + kOver ? End::Over : End::DayEnd;
            }
            put(holder, group, at, at + age, how);
            at += age + 1 + static_cast<std::int64_t>(chance(m_random) * 100);
            if (how == End::Over)
                holder += 1'000'000; // another one of the same workload
        }
    }
    void put(std::int64_t holder, const GapGroup &group, std::int64_t from, std::int64_t to, End how)
    {
        for (std::int64_t d = from / base::kBucketsPerDay; d * base::kBucketsPerDay < to; ++d) {
            GapDay &day = m_days[static_cast<std::size_t>(d)].second;
            const std::int64_t first = d * base::kBucketsPerDay, last = first + base::kBucketsPerDay;
            GapRun run;
            run.holder = holder;
            run.group = static_cast<std::uint32_t>(day.groups.size());
            run.since = static_cast<std::int16_t>(from > first ? from - first : -1);
            run.start = static_cast<std::uint16_t>(std::max(from, first) - first);
            run.length = static_cast<std::uint16_t>(std::min(to, last) - first - run.start);
            run.end = to < last || (to == last && how != End::Work) ? how : End::DayEnd;
            run.open = run.end == End::DayEnd;
            day.groups.push_back(group);
            day.runs.push_back(run);
        }
    }
    static void settle(GapDay &day)
    {
        std::stable_sort(day.runs.begin(), day.runs.end(), [](const GapRun &a, const GapRun &b) {
            return std::tuple(a.holder, a.start) < std::tuple(b.holder, b.start);
        });
    }

    std::mt19937_64 m_random{7};
    tests::GapDays m_days;
};

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
    void unseenTimeSplitsAGap();
    void sharedHazardsAreCountedByAge();
    void withoutAPastTheDefaultIsStated();
    void narrowGroupsArePooled();
    void partsOfTheNextDayAddUp();
    void whatIsSaidComesTrue();
    void whatIsSaidOfTheTraceComesTrue();
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
    QCOMPARE(runsOf(days[0].second),
             QStringList({QStringLiteral("since 120 at 120+24 until unseen"),
                          QStringLiteral("since 120 at 180+12 until unseen"),
                          QStringLiteral("since 120 at 288+0 until unseen, open")}));
    // What it did while nobody looked is neither work nor rest, and its age goes on.
    QCOMPARE(piecesOf(days),
             QStringList({QStringLiteral("0..24 2"), QStringLiteral("60..72 2"), QStringLiteral("180..192 0")}));
}

void TestGapCurves::sharedHazardsAreCountedByAge()
{
    GapCount count;
    count.add(0, 5, End::Work); // classes 3 and 4
    count.add(0, 3, End::Work); // too short
    count.add(10, 13, End::Over); // 10 and 12; entered late
    count.add(8060, 9000, End::Unseen);
    QCOMPARE(count.exposure[0], std::int64_t{1});
    QCOMPARE(count.exposure[1], std::int64_t{1});
    QCOMPARE(count.work[1], std::int64_t{1});
    QCOMPARE(count.exposure[4], std::int64_t{2});
    QCOMPARE(count.exposure[5], std::int64_t{1});
    QCOMPARE(count.over[5], std::int64_t{1});
    QCOMPARE(count.exposure[30], std::int64_t{4});
    QCOMPARE(count.exposure[31], std::int64_t{936});
    QCOMPARE(count.ended(), std::int64_t{2});
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

void TestGapCurves::whatIsSaidComesTrue()
{
    const HazardFleet fleet(56);
    model::IdleSettings settings;
    const tests::GapCalibration told = tests::calibrate(fleet.days(), settings);
    for (const auto &[trial, name] : {std::pair(told.hour, "hour"), std::pair(told.day, "day")}) {
        const std::string text = std::string(name) + ": " + trial.text() + "; Brier " + std::to_string(trial.brier())
            + ", constant " + std::to_string(trial.constantBrier());
        qInfo("%s", text.c_str());
        QVERIFY2(trial.rows > 3000, text.c_str());
        QVERIFY2(trial.worst(150) <= 0.05, text.c_str());
        QVERIFY2(trial.brier() < trial.constantBrier() - 0.005, text.c_str());
    }
    // And it is near the truth that the gaps were drawn from.
    store::GapCounter counter;
    for (const auto &[day, gaps] : fleet.days())
        counter.add(day, gaps);
    const GapCurves curves(counter.take());
    const IdleChance batch = curves.chance(WorkloadKind::Batch, "team1", {}, base::Seconds{2 * kHour});
    const double work = 2 * HazardFleet::kEarly[2], both = work + HazardFleet::kOver;
    const double truth = 1 - work / both * (1 - std::pow(1 - both, 12));
    QVERIFY2(isNear(batch.hour, truth, 0.05),
             qPrintable(QString::number(batch.hour) + QLatin1Char(' ') + QString::number(truth)));
}

void TestGapCurves::whatIsSaidOfTheTraceComesTrue()
{
    const std::filesystem::path trace = tests::traceFolder();
    if (!std::filesystem::exists(trace))
        QSKIP("skipped: no trace");
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("facts.txt"));
    QProcess oracle;
    oracle.start(QStringLiteral("/usr/bin/python3"),
                 {QString::fromStdString((tests::sourceFolder() / "tests/support/replay_oracle.py").string()),
                  QString::fromStdString(trace.string()), QStringLiteral("--days"),
                  QString::number(tests::numberFrom("GPULEDGER_TRACE_DAYS", 28)), QStringLiteral("--gpus"),
                  QString::number(tests::numberFrom("GPULEDGER_TRACE_GPUS", 64)), QStringLiteral("--facts"), file});
    constexpr int kPatience = 1'200'000; // ms
    QVERIFY(oracle.waitForFinished(kPatience));
    QCOMPARE(oracle.exitCode(), 0);
    const QJsonObject range = QJsonDocument::fromJson(oracle.readAllStandardOutput()).object();
    const auto second = [&](const char *key) {
        return static_cast<std::int64_t>(range[QLatin1String(key)].toDouble());
    };
    const model::Settings settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    const tests::TraceFleet fleet(file.toStdString(), second("begin"), second("end"));
    MemoryFacts facts;
    facts.add(fleet.fleet().batch);
    const tests::GapCalibration told = tests::calibrate(tests::gapDaysOf(*ledger, facts).value(), settings.idle);
    for (const auto &[trial, name] : {std::pair(told.hour, "hour"), std::pair(told.day, "day")}) {
        const std::string text = std::string(name) + ": " + trial.text() + "; Brier " + std::to_string(trial.brier())
            + ", constant " + std::to_string(trial.constantBrier());
        qInfo("%s", text.c_str());
        QVERIFY2(trial.rows > 50, text.c_str());
        // The whole trace is tried by the bench; in a part of it, chance alone moves a bin by more than 5 points.
        for (const GapTrial::Bin &bin : trial.bins) {
            const double spread = bin.rows ? std::sqrt(bin.meanSaid() * (1 - bin.meanSaid()) / bin.rows) : 0;
            QVERIFY2(std::abs(bin.error()) <= 0.05 + 3 * spread, text.c_str());
        }
        QVERIFY2(trial.brier() < trial.constantBrier() + 0.01, text.c_str());
    }
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
    // After an hour on its second day, the one gap before says little; on its eighth, seven say that it will work.
    const IdleChance early = itemAt(kDay + 11 * kHour).chance, late = itemAt(7 * kDay + 11 * kHour).chance;
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
#include "tst_gapcurves.moc"
