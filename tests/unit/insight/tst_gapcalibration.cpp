// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of how likely idle workloads stay idle comes true: on gaps drawn from known hazards, and on the
// development trace.
#include "app/insight/idle/gapcurves.h"
#include "app/store/idle/gapcounter.h"
#include "app/store/idle/gaphazards.h"
#include "tests/support/calibration/gapcalibration.h"
#include "tests/support/fleets/tracefleet.h"
#include "tests/support/suite.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>

namespace tst_gapcalibration {

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

namespace {

using End = GapRun::End;

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
        const auto next = static_cast<std::size_t>(to / base::kBucketsPerDay);
        if (how != End::Work || to % base::kBucketsPerDay != 0 || next >= m_days.size())
            return;
        GapRun run; // the work of the next day's first bucket
        run.holder = holder;
        run.group = static_cast<std::uint32_t>(m_days[next].second.groups.size());
        m_days[next].second.groups.push_back(group);
        run.end = End::Work;
        m_days[next].second.runs.push_back(run);
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

class TestGapCalibration : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSaidComesTrue();
    void knownDistributionsAreMet_data();
    void knownDistributionsAreMet();
    void roundTimesAreKept();
    void teamsDifferByBlocks();
    void binsAreJudgedHonestly();
    void equalBinsHaveEquallyManyGaps();
    void whatIsSaidOfTheTraceComesTrue();
};

void TestGapCalibration::whatIsSaidComesTrue()
{
    const HazardFleet fleet(56);
    model::IdleSettings settings;
    const tests::GapCalibration told = tests::calibrate(fleet.days(), settings);
    for (const auto &[trial, name] : {std::pair(told.hour, "hour"), std::pair(told.day, "day")}) {
        const std::string text = std::string(name) + ": " + trial.text() + "; Brier " + std::to_string(trial.brier())
            + ", constant " + std::to_string(trial.constantBrier());
        qInfo("%s", text.c_str());
        QVERIFY2(trial.rows > 3000, text.c_str());
        int large = 0; // with fewer independent rows, chance alone moves a bin by more
        for (const GapTrial::Bin &bin : trial.judged()) {
            if (bin.effectiveRows() < 300)
                continue;
            ++large;
            QVERIFY2(bin.isWithinGoal(), text.c_str());
        }
        QVERIFY2(large >= 6 && trial.meanError() <= 0.03, text.c_str());
        QVERIFY2(trial.brier() < trial.constantBrier() - 0.005, text.c_str());
    }
    // And it is near the truth that the gaps were drawn from.
    store::GapCounter counter;
    for (const auto &[day, gaps] : fleet.days())
        counter.add(day, gaps);
    const GapCurves curves(counter.take());
    const IdleChance batch = curves.chance(WorkloadKind::Batch, "team1", {}, base::Seconds{2 * 3600});
    const double work = 2 * HazardFleet::kEarly[2], both = work + HazardFleet::kOver;
    const double truth = 1 - work / both * (1 - std::pow(1 - both, 12));
    QVERIFY2(isNear(batch.hour, truth, 0.05),
             qPrintable(QString::number(batch.hour) + QLatin1Char(' ') + QString::number(truth)));
}

// Lengths drawn from a distribution whose survival is known: what is said at an age is the truth.
void TestGapCalibration::knownDistributionsAreMet_data()
{
    QTest::addColumn<int>("shape");
    QTest::newRow("exponential, mean 5 h") << 0;
    QTest::newRow("lognormal, median 2 h, sigma 1.2") << 1;
    QTest::newRow("mixture of exponentials, 1 h and 20 h") << 2;
}

void TestGapCalibration::knownDistributionsAreMet()
{
    QFETCH(int, shape);
    constexpr double kHour = 12; // buckets
    const auto survival = [&](double age) {
        if (shape == 0)
            return std::exp(-age / (5 * kHour));
        if (shape == 1)
            return 0.5 * std::erfc(std::log(age / (2 * kHour)) / (1.2 * std::sqrt(2.0)));
        return 0.7 * std::exp(-age / kHour) + 0.3 * std::exp(-age / (20 * kHour));
    };
    std::mt19937_64 random(11);
    const auto drawn = [&] { // by bisection
        const double u = std::uniform_real_distribution<double>()(random);
        double low = 1e-6, high = 1e5;
        for (int i = 0; i < 60; ++i)
            (survival((low + high) / 2) > u ? low : high) = (low + high) / 2;
        return static_cast<std::int64_t>(low);
    };
    store::GapPast past;
    for (int team = 0; team < 4; ++team)
        for (int i = 0; i < 700; ++i)
            past.groups[{WorkloadKind::Training, "team" + std::to_string(team), {}}].add(0, drawn(), End::Work);
    const GapCurves curves(past);
    for (const double hours : {0.5, 1.0, 2.0, 4.0, 8.0}) {
        const double age = hours * kHour;
        const base::Seconds idle{static_cast<std::int64_t>(3600 * hours)};
        for (int team = 0; team < 4; ++team) {
            const IdleChance said = curves.chance(WorkloadKind::Training, "team" + std::to_string(team), {}, idle);
            for (const auto &[chance, ahead] : {std::pair(said.hour, kHour), std::pair(said.day, 24 * kHour)}) {
                const double truth = survival(age + ahead) / survival(age);
                const QString text = QStringLiteral("team %1 at %2 h: said %3, is %4");
                QVERIFY2(isNear(chance, truth, 0.05), qPrintable(text.arg(team).arg(hours).arg(chance).arg(truth)));
            }
        }
    }
}

// Work begins on quarters of an hour only. Between two of them it is known that the last one has passed.
void TestGapCalibration::roundTimesAreKept()
{
    const auto worksAt = [](std::int64_t age) {
        return age % 3 != 0 ? 0.0 : age <= 12 ? 0.5 : 1.2 / static_cast<double>(age);
    };
    store::GapPast past;
    GapCount &count = past.groups[{WorkloadKind::Training, "vision", {}}];
    double left = 1e5;
    for (std::int64_t length = 3; length < 200; ++length) {
        const auto ended = static_cast<int>(std::lround(left * worksAt(length)));
        for (int i = 0; i < ended; ++i)
            count.add(0, length, End::Work);
        left -= ended;
    }
    for (; left >= 1; --left)
        count.add(0, 200, End::Over);
    const GapCurves curves(past);
    for (std::int64_t age = 12; age <= 24; ++age) {
        double truth = 1;
        for (std::int64_t at = age; at < age + 12; ++at)
            truth *= 1 - worksAt(at);
        for (const char *team : {"vision", "another"}) {
            const double said = curves.chance(WorkloadKind::Training, team, {}, age * base::kBucket).hour;
            QVERIFY2(
                isNear(said, truth, 0.02),
                qPrintable(
                    QStringLiteral("%1 at %2: said %3, is %4").arg(QLatin1String(team)).arg(age).arg(said).arg(truth)));
        }
    }
}

void TestGapCalibration::teamsDifferByBlocks()
{
    store::GapHazards wider;
    for (std::size_t i = 0; i < wider.size(); ++i)
        wider[i] = {i % 2 == 0 ? 0.02 : 0.04, 0.01};
    GapCount count;
    for (int i = 0; i < 50; ++i)
        count.add(0, 13, End::Work); // of the block 12 to 14
    const auto ratio = [&](store::GapGrain grain, std::int32_t age) {
        const auto found = std::find(store::kGapAges.begin(), store::kGapAges.end(), age);
        const auto i = static_cast<std::size_t>(found - store::kGapAges.begin());
        return store::pooledByAge({&count, &wider}, {8, 8}, grain)[i].work / wider[i].work;
    };
    using Grain = store::GapGrain;
    QVERIFY(ratio(Grain::Block, 13) > 10);
    QVERIFY(isNear(ratio(Grain::Block, 12), ratio(Grain::Block, 13), 1e-12));
    QVERIFY(isNear(ratio(Grain::Block, 14), ratio(Grain::Block, 13), 1e-12));
    QVERIFY(isNear(ratio(Grain::Block, 15), 1, 1e-12) && ratio(Grain::Block, 11) < 0.3);
    QVERIFY(ratio(Grain::Class, 13) > ratio(Grain::Block, 13));
    QVERIFY(ratio(Grain::Class, 12) < 0.3 && isNear(ratio(Grain::Class, 14), 1, 1e-12));
    QVERIFY(isNear(ratio(Grain::Block, 48), 1, 1e-12)); // and above the last block each class is one
}

void TestGapCalibration::binsAreJudgedHonestly()
{
    GapTrial trial;
    std::size_t gap = 0;
    for (int i = 0; i < 100; ++i) // 25 %, and comes true
        trial.add(0.25, i % 4 == 0, ++gap, "a");
    for (int i = 0; i < 400; ++i) // 45 %, and 60 % comes true
        trial.add(0.45, i % 5 < 3, ++gap, "b");
    for (int i = 0; i < 900; ++i) // 65 % of one gap that stays: no news
        trial.add(0.65, true, 1000, "c");
    for (int i = 0; i < 40; ++i) // 75 %, and 65 % comes true
        trial.add(0.75, i % 20 < 13, ++gap, "d");
    const std::vector<GapTrial::Bin> bins = trial.judged();
    QCOMPARE(bins.size(), std::size_t{3}); // the one gap joins its neighbour
    QVERIFY(bins[0].isWithinGoal() && !bins[0].isOff());
    QVERIFY(!bins[1].isWithinGoal() && bins[1].isOff());
    QVERIFY(isNear(bins[1].effectiveRows(), 400, 1e-9));
    QCOMPARE(bins[2].rowsOfGap.size(), std::size_t{41});
    QVERIFY(bins[2].effectiveRows() < 1.1);
    QVERIFY(!bins[2].isWithinGoal() && !bins[2].isOff()); // sampling explains it
    const GapTrial::Verdict verdict = trial.verdict();
    QCOMPARE(verdict.bins, std::size_t{3});
    QCOMPARE(verdict.withinGoal, 1);
    QCOMPARE(verdict.off, 1);
    QVERIFY(isNear(verdict.worst, std::abs(bins[2].error()), 1e-12));
    // Wilson's interval of 40 of 100, and how often 100 true chances of 40 % are within 5 points: 35 to 45 of 100.
    GapTrial::Bin hundred;
    hundred.rows = 100;
    hundred.stayed = 40;
    hundred.said = 40;
    for (std::size_t i = 0; i < 100; ++i)
        hundred.rowsOfGap[i] = 1;
    QVERIFY(isNear(hundred.wilson().first, 0.3094, 1e-4) && isNear(hundred.wilson().second, 0.4980, 1e-4));
    QVERIFY(isNear(hundred.perfectWithinGoal(), 0.7386, 1e-4));
}

void TestGapCalibration::equalBinsHaveEquallyManyGaps()
{
    GapTrial trial;
    for (int i = 0; i < 1000; ++i) // each gap once
        trial.add((i + 0.5) / 1000, i % 10 < (i / 100), static_cast<std::size_t>(i), "a");
    for (int i = 0; i < 5000; ++i) // and one that stays idle for weeks
        trial.add(0.9 + i * 1e-5, true, 1000, "b");
    const std::vector<GapTrial::Bin> bins = trial.equalBins();
    QCOMPARE(bins.size(), std::size_t{10});
    int rows = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        QVERIFY(bins[i].rowsOfGap.size() >= 99 && bins[i].rowsOfGap.size() <= 102);
        QVERIFY(isNear(bins[i].least, 0.1 * static_cast<double>(i), 0.003) && bins[i].least < bins[i].most);
        QVERIFY(i == 0 || bins[i - 1].most < bins[i].least);
        rows += bins[i].rows;
    }
    QCOMPARE(rows, trial.rows);
    QVERIFY(bins[9].effectiveRows() < 2);
    // What is said alike stays together, and later bins are not cut short for it.
    GapTrial few;
    for (std::size_t gap = 0; gap < 100; ++gap)
        few.add(gap < 35 ? 0.3 : 0.5 + static_cast<double>(gap) / 1000, gap % 2 == 0, gap, "a");
    const std::vector<GapTrial::Bin> joined = few.equalBins();
    QCOMPARE(joined.size(), std::size_t{8});
    QCOMPARE(joined[0].rows, 35);
    QCOMPARE(joined[1].rows, 5);
    QCOMPARE(joined[2].rows, 10);
    QVERIFY(!joined[0].isWithinGoal());
}

void TestGapCalibration::whatIsSaidOfTheTraceComesTrue()
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
        for (const GapTrial::Bin &bin : trial.judged()) {
            const double said = bin.meanSaid(), spread = std::sqrt(said * (1 - said) / bin.effectiveRows());
            QVERIFY2(std::abs(bin.error()) <= GapTrial::kGoal + 3 * spread, text.c_str());
        }
        QVERIFY2(trial.brier() < trial.constantBrier() + 0.01, text.c_str());
    }
}

GPULEDGER_SUITE(TestGapCalibration)

} // namespace tst_gapcalibration

#include "tst_gapcalibration.moc"
