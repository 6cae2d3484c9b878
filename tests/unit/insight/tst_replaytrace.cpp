// SPDX-License-Identifier: GPL-3.0-or-later
// The replay of the idle rule on the development trace agrees with a slow program that reads the trace's own files.
#include "app/insight/idle/idlereplay.h"
#include "tests/support/fleets/tracefleet.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

namespace tst_replaytrace {

using namespace gpuledger;
using insight::IdleReplay;
using insight::ReplayQuery;
using insight::ReplayStop;
using tests::MemoryFacts;
using tests::numberFrom;
using tests::sourceFolder;
using tests::TraceFleet;
using tests::traceFolder;

namespace fs = std::filesystem;

namespace {

constexpr double kPrice = 2.48; // USD per GPU-hour, from the trace's README

QString lineOf(const std::string &name, const std::string &team, qint64 at, qint64 until, qint64 resumed, bool isFalse,
               double back, double lost)
{
    return QStringLiteral("%1 %2 at %3 until %4 resumed %5 %6 back %7 lost %8")
        .arg(QString::fromStdString(name), QString::fromStdString(team))
        .arg(at)
        .arg(until)
        .arg(resumed)
        .arg(isFalse ? QStringLiteral("false") : QStringLiteral("-"))
        .arg(back, 0, 'f', 3)
        .arg(lost, 0, 'f', 3);
}

} // namespace

class TestReplayTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheTrace();
};

void TestReplayTrace::agreesWithTheTrace()
{
    const fs::path trace = traceFolder();
    if (!fs::exists(trace))
        QSKIP("skipped: no trace");
    QTemporaryDir folder;
    const QString facts = folder.filePath(QStringLiteral("facts.txt"));
    QProcess oracle;
    oracle.start(QStringLiteral("/usr/bin/python3"),
                 {QString::fromStdString((sourceFolder() / "tests/support/replay_oracle.py").string()),
                  QString::fromStdString(trace.string()), QStringLiteral("--days"),
                  QString::number(numberFrom("GPULEDGER_TRACE_DAYS", 4)), QStringLiteral("--gpus"),
                  QString::number(numberFrom("GPULEDGER_TRACE_GPUS", 64)), QStringLiteral("--facts"), facts});
    constexpr int kPatience = 600'000; // ms
    QVERIFY(oracle.waitForFinished(kPatience));
    QCOMPARE(oracle.exitCode(), 0);
    const QJsonObject told = QJsonDocument::fromJson(oracle.readAllStandardOutput()).object();
    const auto number = [](const QJsonValue &v) { return static_cast<qint64>(v.toDouble()); };
    const qint64 begin = number(told[QLatin1String("begin")]), end = number(told[QLatin1String("end")]);

    model::Settings settings = tests::pricedSettings();
    settings.prices.overrides[0].perGpuHour = std::to_string(kPrice);
    const auto ledger = ledger::Ledger::create(settings).value();
    const TraceFleet fleet(facts.toStdString(), begin, end);
    MemoryFacts memory;
    memory.add(fleet.fleet().batch);
    const auto reader = ledger->attribution(memory);
    ReplayQuery query;
    query.range = {base::fromUnix(begin), base::fromUnix(end)};
    query.rule = settings.idle;
    QElapsedTimer timer;
    timer.start();
    const IdleReplay r = insight::replayIdle(*reader, query, base::Currency::usd()).value();
    const qint64 taken = timer.elapsed();

    QStringList shown, expected;
    for (const ReplayStop &s : r.stops)
        shown << lineOf(s.name, s.owner, base::toUnix(s.at), base::toUnix(s.until),
                        s.resumed ? base::toUnix(*s.resumed) : 0, s.falseStop, s.back.seconds(), s.lost.seconds());
    const QJsonArray stops = told[QLatin1String("stops")].toArray();
    for (const QJsonValue &value : stops) {
        const QJsonObject s = value.toObject();
        const auto text = [&](const char *key) { return s[QLatin1String(key)].toString().toStdString(); };
        expected << lineOf(text("name"), text("team"), number(s[QLatin1String("at")]),
                           number(s[QLatin1String("until")]), number(s[QLatin1String("resumed")]),
                           s[QLatin1String("false_stop")].toBool(), s[QLatin1String("back")].toDouble(),
                           s[QLatin1String("lost")].toDouble());
    }
    shown.sort();
    expected.sort();
    QVERIFY(!expected.isEmpty());
    QCOMPARE(r.leftOut, std::size_t{0});
    QCOMPARE(shown, expected);
    QVERIFY(std::abs(base::Money(r.total.money, base::Currency::usd()).toDouble() - r.total.back.hours() * kPrice)
            < 0.01);
    qInfo("%lld stops, %.1f of %.1f idle GPU-hours back, %.2f USD; %lld false with %.1f GPU-hours back and %.1f lost; "
          "%lld ms",
          static_cast<long long>(r.total.stops), r.total.back.hours(), r.idle.hours(),
          base::Money(r.total.money, base::Currency::usd()).toDouble(), static_cast<long long>(r.total.falseStops),
          r.total.falseBack.hours(), r.total.lost.hours(), static_cast<long long>(taken));
}

GPULEDGER_SUITE(TestReplayTrace)

} // namespace tst_replaytrace

#include "tst_replaytrace.moc"
