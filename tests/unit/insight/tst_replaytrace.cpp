// SPDX-License-Identifier: GPL-3.0-or-later
// The replay of the idle rule on the development trace agrees with a slow program that reads the trace's own files.
#include "app/insight/idle/idlereplay.h"
#include "tests/support/scenario.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

using namespace gpuledger;
using insight::IdleReplay;
using insight::ReplayQuery;
using insight::ReplayStop;
using tests::MemoryFacts;
using tests::Scenario;

namespace fs = std::filesystem;

namespace {

constexpr double kPrice = 2.48; // USD per GPU-hour, from the trace's README

fs::path sourceFolder()
{
    const char *source = std::getenv("GPULEDGER_SOURCE_DIR");
    return source ? fs::path(source) : fs::path(".");
}

// It is available only next to a developer's repository.
fs::path traceFolder()
{
    const char *shared = std::getenv("GPULEDGER_SHARED");
    return (shared ? fs::path(shared) : sourceFolder() / ".." / "shared") / "data" / "fleet";
}

// The number of whole days at the end of the trace, and the approximate number of devices; 0: all.
int numberFrom(const char *variable, int usual)
{
    const char *text = std::getenv(variable);
    return text ? std::atoi(text) : usual;
}

// The lines of replay_oracle.py --facts.
class TraceFleet {
public:
    TraceFleet(const fs::path &file, std::int64_t begin, std::int64_t end)
        : m_fleet(static_cast<int>((end - begin) / 86400), base::toRfc3339(base::fromUnix(begin)))
        , m_begin(begin)
    {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            char kind = 0;
            words >> kind;
            if (kind == 'N')
                addNode(words);
            else if (kind == 'D')
                addDevice(words);
            else if (kind == 'P')
                addPod(words);
            else if (kind == 'S')
                addSlot(words);
        }
        for (auto &[key, series] : m_series)
            m_fleet.batch.series.push_back(std::move(series));
    }
    const Scenario &fleet() const { return m_fleet; }

private:
    void addNode(std::istream &words)
    {
        std::string name;
        words >> name;
        m_nodes[name] = m_fleet.node(name);
    }
    void addDevice(std::istream &words)
    {
        std::string node;
        int gpu = 0;
        words >> node >> gpu;
        m_devices[{node, gpu}] = m_fleet.device("GPU-" + node + '-' + std::to_string(gpu), gpu);
    }
    void addPod(std::istream &words)
    {
        std::string name, node, team, kind;
        std::int64_t start = 0, end = 0;
        words >> name >> node >> team >> kind >> start >> end;
        const auto pod = m_fleet.pod(name, "uid-" + name, node);
        auto &facts = m_fleet.batch.holders[pod];
        facts.labels = {{"team", team}, {"workload_kind", kind}};
        m_fleet.runs(pod, std::max(start, m_begin) - m_begin, end - m_begin);
        facts.startedAt = base::fromUnix(start);
        m_subjects[name] = m_fleet.label(name, "uid-" + name);
    }
    void addSlot(std::istream &words)
    {
        std::string pod, node;
        int gpu = 0;
        std::int64_t slot = 0;
        double seconds = 0, percent = 0;
        std::uint32_t memory = 0;
        words >> pod >> node >> gpu >> slot >> seconds >> percent >> memory;
        const auto device = m_devices.at({node, gpu});
        const auto subject = m_subjects.at(pod);
        ports::FactBatch::Series &series = m_series[{device, subject}];
        series.device = device;
        series.subject = subject;
        series.node = m_nodes.at(node);
        series.bucketNumbers.push_back(slot / base::kBucket.count());
        model::UsageBucket &bucket = series.buckets.emplace_back();
        bucket.observed = static_cast<std::uint16_t>(seconds);
        bucket.activity = model::toShare(percent / 100 + 1e-9);
        bucket.signal = model::ActivitySignal::GpuUtilization;
        bucket.memoryMeanMib = bucket.memoryMaxMib = memory;
    }

    Scenario m_fleet;
    std::int64_t m_begin;
    std::map<std::string, std::uint32_t> m_nodes, m_subjects;
    std::map<std::pair<std::string, int>, std::uint32_t> m_devices;
    std::map<std::pair<std::uint32_t, std::uint32_t>, ports::FactBatch::Series> m_series;
};

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
#include "tst_replaytrace.moc"
