// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of how likely idle workloads stay idle comes true: on gaps drawn from known hazards, and on the
// development trace.
#include "app/insight/idle/gapcurves.h"
#include "app/store/idle/gapcounter.h"
#include "tests/support/gapcalibration.h"
#include "tests/support/suite.h"
#include "tests/support/tracefleet.h"

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

using namespace gpuledger;
using insight::GapCurves;
using insight::IdleChance;
using model::WorkloadKind;
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
        QVERIFY2(trial.worst(150) <= 0.05, text.c_str());
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
        for (const GapTrial::Bin &bin : trial.bins) {
            const double spread = bin.rows ? std::sqrt(bin.meanSaid() * (1 - bin.meanSaid()) / bin.rows) : 0;
            QVERIFY2(std::abs(bin.error()) <= 0.05 + 3 * spread, text.c_str());
        }
        QVERIFY2(trial.brier() < trial.constantBrier() + 0.01, text.c_str());
    }
}

GPULEDGER_SUITE(TestGapCalibration)
#include "tst_gapcalibration.moc"
