// SPDX-License-Identifier: GPL-3.0-or-later
// Which pods waited for GPUs in the past, as a real Prometheus and a real VictoriaMetrics recorded it.
#include "connectors/http/curlhttpclient.h"
#include "connectors/prometheus/prometheussource.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_prompastwaits {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;

namespace {

constexpr std::int64_t kWaitBegin = 1700000100; // on a bucket boundary
constexpr int kWaitMinutes = 240;
using Known = std::set<std::string>; // metrics

std::int64_t minute(int m)
{
    return kWaitBegin + m * 60;
}

// A pod by minutes: it exists in [from, to), is placed at `placed` and starts 2 minutes later. -1: never.
struct WaitingPod {
    std::string name;
    int gpus, from, placed, to;
};

// One that waits for 2 h and is deleted, one that starts after 20 min, one that starts at once, and one without GPUs.
const std::vector<WaitingPod> &waitingPods()
{
    static const std::vector<WaitingPod> all{
        {"never-ran", 8, 31, -1, 151}, {"starts", 2, 60, 80, 200}, {"at-once", 1, 10, 10, 240}, {"web", 0, 0, -1, 240}};
    return all;
}

QByteArray recordOf(const Known &metrics)
{
    const std::string ksm = js("job='ksm',instance='10.0.0.9:8080',site='west'");
    std::map<std::string, std::string> text;
    for (int m = 0; m < kWaitMinutes; ++m) {
        const auto put = [&](const std::string &metric, const std::string &labels, std::int64_t value) {
            if (metrics.contains(metric))
                text[metric] +=
                    metric + '{' + ksm + labels + "} " + std::to_string(value) + ' ' + std::to_string(minute(m)) + '\n';
        };
        put("kube_node_info", js(",node='n1'"), 1);
        for (const WaitingPod &pod : waitingPods()) {
            if (m < pod.from || m >= pod.to)
                continue;
            const std::string who = js(",namespace='ml',uid='u',pod='") + pod.name + '"';
            const bool placed = pod.placed >= 0 && m >= pod.placed, runs = placed && m >= pod.placed + 2;
            const std::string node = placed ? js(",node='n1'") : std::string();
            if (pod.gpus > 0)
                put("kube_pod_container_resource_requests",
                    who + node + js(",container='main',resource='nvidia_com_gpu'"), pod.gpus);
            put("kube_pod_status_phase", who + js(",phase='Pending'"), runs ? 0 : 1);
            put("kube_pod_status_phase", who + js(",phase='Running'"), runs ? 1 : 0);
            put("kube_pod_created", who, minute(pod.from));
            if (placed)
                put("kube_pod_status_scheduled_time", who, minute(pod.placed) + 7);
        }
    }
    std::string all;
    for (const auto &[metric, lines] : text)
        all += "# TYPE " + metric + " gauge\n" + lines;
    return QByteArray::fromStdString(all + "# EOF\n");
}

const Known kAll{"kube_node_info", "kube_pod_container_resource_requests", "kube_pod_status_phase", "kube_pod_created",
                 "kube_pod_status_scheduled_time"};

struct WaitsRead {
    std::map<std::string, base::TimeRange> byPod; // pieces of chunks joined
    std::map<std::string, model::PastWait> last;
    base::TimeRange known;
    std::string cluster; // that it is known of
    std::size_t batches = 0;
    bool hasHoles = false;
};

} // namespace

class TestPromPastWaits : public QObject {
    Q_OBJECT

private:
    OneSecret m_secrets;
    base::FrozenClock m_clock{base::fromUnix(minute(kWaitMinutes))};
    std::shared_ptr<http::HttpClient> m_client = std::make_shared<http::CurlHttpClient>();

    static void backends()
    {
        QTest::addColumn<QString>("backend");
        QTest::newRow("prometheus") << QStringLiteral("prometheus");
        QTest::newRow("victoriametrics") << QStringLiteral("victoriametrics");
    }
    static bool missing(const QString &backend)
    {
        return QStandardPaths::findExecutable(
                   backend == QStringLiteral("prometheus") ? backend : QStringLiteral("victoria-metrics"))
            .isEmpty();
    }
    WaitsRead read(const QString &backend, const Known &metrics, Tuning tuning = {},
                   const std::string &clusterLabel = {})
    {
        RealServer server;
        if (!server.start(backend, recordOf(metrics)))
            qFatal("no server");
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = server.url();
        settings.clusterLabel = clusterLabel;
        PrometheusSource source(settings, *loadMappings({}), m_secrets, m_clock, m_client, tuning);
        Sink sink;
        const auto done = source.fetch({base::fromUnix(minute(0)), base::fromUnix(minute(kWaitMinutes))}, sink, {});
        if (!done)
            qFatal("%s", done.error().text.c_str());
        WaitsRead out;
        out.batches = sink.batches.size();
        for (const auto &batch : sink.batches) {
            for (const model::PastWait &wait : batch.waits) {
                const auto [at, isNew] = out.byPod.try_emplace(wait.name, wait.range);
                out.hasHoles = out.hasHoles || (!isNew && at->second.end != wait.range.start);
                at->second.end = wait.range.end;
                out.last[wait.name] = wait;
            }
            for (const auto &known : batch.waitingKnown) {
                out.cluster = known.cluster;
                out.hasHoles = out.hasHoles || (!out.known.empty() && out.known.end != known.range.start);
                out.known = {out.known.empty() ? known.range.start : out.known.start, known.range.end};
            }
        }
        return out;
    }
    static base::TimeRange between(std::int64_t from, std::int64_t to)
    {
        return {base::fromUnix(from), base::fromUnix(to)};
    }
    static bool isNear(base::UtcTime at, std::int64_t want) // within a bucket
    {
        return std::abs(base::toUnix(at) - want) <= 300;
    }

private Q_SLOTS:
    void tellsWhatWaited_data() { backends(); }
    void tellsWhatWaited()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Tuning small;
        small.targetPoints = 9; // few buckets at a time
        for (const Tuning &tuning : {Tuning{}, small}) {
            const WaitsRead found = read(backend, kAll, tuning);
            QCOMPARE(found.batches > 3, tuning.targetPoints == 9);
            QVERIFY(!found.hasHoles);
            QCOMPARE(found.known, between(minute(0), minute(kWaitMinutes)));
            QCOMPARE(found.byPod.size(), std::size_t{2}); // not what was placed at once, or asked for no GPU
            const base::TimeRange never = found.byPod.at("never-ran");
            QCOMPARE(base::toUnix(never.start), minute(31));
            QCOMPARE(base::toUnix(never.end), minute(151));
            QCOMPARE(found.byPod.at("starts"), between(minute(60), minute(80) + 7));
            const model::PastWait &starts = found.last.at("starts");
            QCOMPARE(starts.resource, std::string("nvidia_com_gpu"));
            QCOMPARE(starts.gpus, std::int64_t{2});
            QCOMPARE(starts.cluster + '/' + starts.nameSpace + '/' + starts.uid, std::string("prod/ml/u"));
            QCOMPARE(found.last.at("never-ran").gpus, std::int64_t{8});
            QCOMPARE(found.last.at("never-ran").node, std::string());
        }
    }

    void namesTheClusterOfTheLabel()
    {
        const QString backend = QStringLiteral("prometheus");
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        const WaitsRead found = read(backend, kAll, {}, "site");
        QCOMPARE(found.cluster, std::string("west"));
        QCOMPARE(found.known, between(minute(0), minute(kWaitMinutes)));
        QCOMPARE(found.last.at("starts").cluster, std::string("west"));
        QCOMPARE(found.byPod.at("starts"), between(minute(60), minute(80) + 7));
    }

    // Without the exact times: from first to last seen waiting, which includes the start.
    void fallsBackToWhatWasSeen()
    {
        const QString backend = QStringLiteral("prometheus");
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Known metrics = kAll;
        metrics.erase("kube_pod_created");
        metrics.erase("kube_pod_status_scheduled_time");
        const WaitsRead found = read(backend, metrics);
        QVERIFY(isNear(found.byPod.at("never-ran").start, minute(31)));
        QVERIFY(isNear(found.byPod.at("never-ran").end, minute(151)));
        QVERIFY(isNear(found.byPod.at("starts").start, minute(60)));
        QVERIFY(isNear(found.byPod.at("starts").end, minute(82)));
    }

    // Unknown, not nothing.
    void withoutPhasesNothingIsKnown()
    {
        const QString backend = QStringLiteral("prometheus");
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Known metrics = kAll;
        metrics.erase("kube_pod_status_phase");
        const WaitsRead found = read(backend, metrics);
        QVERIFY(found.known.empty());
        QVERIFY(found.byPod.empty());
    }
};

GPULEDGER_SUITE(TestPromPastWaits)

} // namespace tst_prompastwaits

#include "tst_prompastwaits.moc"
