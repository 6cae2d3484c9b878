// SPDX-License-Identifier: GPL-3.0-or-later
// Against a real Prometheus and a real VictoriaMetrics, compared with sums over the samples that the test wrote.
#include "app/base/time/time.h"
#include "connectors/http/curlhttpclient.h"
#include "connectors/prometheus/prometheussource.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"
#include "ui/format/phrases/phrase.h"

#include <QStandardPaths>
#include <QTest>

#include <chrono>
#include <cmath>
#include <map>
#include <thread>

namespace tst_prometheusreal {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;

namespace {

constexpr std::int64_t kBegin = 1700000100; // on a bucket boundary
constexpr int kMinutes = 120;
constexpr double kNothing = -1;

// The truth: one value per minute.
double busyDevice(int minute)
{
    return minute < 62 ? (minute % 2 ? 40 : 61) : 0;
}
double gappyDevice(int minute)
{
    if (minute >= 33 && minute < 51)
        return kNothing; // no sample
    return 7;
}
bool broken(int minute)
{
    return minute == 12 || minute == 13 || minute == 71;
}

QByteArray samplesText()
{
    const std::string a =
        js("gpu='0',UUID='GPU-a',modelName='Tesla V100',Hostname='n1',job='dcgm',instance='10.0.0.1:9400'");
    const std::string b =
        js("gpu='1',UUID='GPU-b',modelName='Tesla V100',Hostname='n1',job='dcgm',instance='10.0.0.1:9400'");
    const std::string ksm = js("job='ksm',instance='10.0.0.9:8080'");
    const std::string host = js("job='node',instance='10.0.0.1:9100'");
    const std::string pod = js(",namespace='ml',pod='train-1',uid='u1'");
    const std::string disk =
        js("job='cadvisor',instance='10.0.0.1:10250',namespace='ml',pod='train-1',id='/a',device='/dev/sda'");
    std::map<std::string, std::string> text;
    for (int m = 0; m < kMinutes; ++m) {
        const std::string t = ' ' + std::to_string(kBegin + m * 60) + '\n';
        const bool held = m < 62;
        const std::string who = held ? js(",namespace='ml',pod='train-1',container='main'") : "";
        const auto put = [&](const std::string &metric, const std::string &labels, const std::string &value) {
            text[metric] += metric + '{' + labels + "} " + value + t;
        };
        put("DCGM_FI_DEV_GPU_UTIL", a + who, std::to_string(static_cast<int>(busyDevice(m))));
        put("DCGM_FI_DEV_FB_USED", a + who, std::to_string(1000 + m));
        put("DCGM_FI_DEV_FB_FREE", a + who, std::to_string(31000 - m));
        if (gappyDevice(m) != kNothing)
            put("DCGM_FI_DEV_GPU_UTIL", b, broken(m) ? (m == 71 ? "+Inf" : "NaN") : "7");
        put("DCGM_FI_PROF_PCIE_TX_BYTES", b, broken(m) ? "NaN" : "20000000");
        put("DCGM_FI_PROF_PCIE_RX_BYTES", b, std::to_string(m < 105 ? 5'000'000 : 6'000'000));
        put("node_uname_info", host + js(",nodename='n1.local'"), "1");
        for (const auto &[mode, perMinute] : {std::pair("idle", 6), std::pair("iowait", 12), std::pair("user", 42)})
            put("node_cpu_seconds_total", host + js(std::string(",cpu='0',mode='") + mode + '\''),
                std::to_string(1000 + m * perMinute));
        if (held) { // checkpoints after 20, 40 and 60 minutes; the cgroup of the whole pod has no container
            const int checkpoints = m / 20;
            put("container_fs_writes_bytes_total", disk + js(",container='main'"),
                std::to_string(m * 1'000'000 + checkpoints * 200'000'000));
            put("container_fs_writes_bytes_total", disk, std::to_string(m * 1'000'000 + m / 10 * 200'000'000));
        }
        put("kube_node_info", ksm + js(",node='n1',provider_id='aws:///us-east-1a/i-1',internal_ip='10.0.0.1'"), "1");
        put("kube_node_labels", ksm + js(",node='n1',label_node_kubernetes_io_instance_type='p3.8xlarge'"), "1");
        put("kube_node_status_capacity", ksm + js(",node='n1',resource='nvidia_com_gpu',unit='integer'"), "2");
        put("kube_namespace_labels", ksm + js(",namespace='ml',label_team='vision'"), "1");
        if (m < 70) { // requests stay exported until the pod is deleted
            put("kube_pod_container_resource_requests",
                ksm + pod + js(",container='main',node='n1',resource='nvidia_com_gpu'"), "1");
            put("kube_pod_status_phase", ksm + pod + js(",phase='Running'"), held ? "1" : "0");
            put("kube_pod_status_phase", ksm + pod + js(",phase='Succeeded'"), held ? "0" : "1");
            for (const char *reason : {"Evicted", "NodeLost", "Shutdown"}) // exported for every pod
                put("kube_pod_status_reason", ksm + pod + ",reason=\"" + reason + '"',
                    !held && reason == std::string_view("Shutdown") ? "1" : "0");
            put("kube_pod_labels", ksm + pod + js(",label_team='vision',label_app='x'"), "1");
            put("kube_pod_owner", ksm + pod + js(",owner_kind='Job',owner_name='train',owner_is_controller='true'"),
                "1");
        }
    }
    std::string all;
    for (const auto &[metric, lines] : text)
        all += "# TYPE " + metric + " gauge\n" + lines;
    return QByteArray::fromStdString(all + "# EOF\n");
}

struct Buckets {
    std::map<std::int64_t, model::UsageBucket> byStart;
    std::map<std::int64_t, std::string> subject;
};

Buckets bucketsOf(const std::vector<ports::FactBatch> &batches, const std::string &uuid)
{
    Buckets out;
    for (const auto &batch : batches) {
        for (const auto &series : batch.series) {
            if (batch.devices[series.device].uuid != uuid)
                continue;
            for (std::size_t i = 0; i < series.buckets.size(); ++i) {
                // Two holders in one bucket: the test queries the sum of their time.
                auto &bucket = out.byStart[series.bucketNumbers[i] * 300];
                const std::uint16_t before = bucket.observed;
                bucket = series.buckets[i];
                bucket.observed = static_cast<std::uint16_t>(bucket.observed + before);
                out.subject[series.bucketNumbers[i] * 300] +=
                    series.subject == ports::FactBatch::kNone ? "-" : batch.subjects[series.subject].name;
            }
        }
    }
    return out;
}

} // namespace

class TestPrometheusReal : public QObject {
    Q_OBJECT

private:
    RealServer *server(const QString &backend)
    {
        auto &one = m_servers[backend];
        if (!one) {
            one = std::make_unique<RealServer>();
            if (!one->start(backend, samplesText()))
                qFatal("no %s", qPrintable(backend));
        }
        return one.get();
    }
    static bool missing(const QString &backend)
    {
        return QStandardPaths::findExecutable(
                   backend == QStringLiteral("prometheus") ? backend : QStringLiteral("victoria-metrics"))
            .isEmpty();
    }
    PrometheusSource source(const std::string &url, Tuning tuning = {})
    {
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = url;
        return PrometheusSource(settings, *loadMappings({}), m_secrets, m_clock, m_client, tuning);
    }
    static base::TimeRange range() { return {base::fromUnix(kBegin), base::fromUnix(kBegin + kMinutes * 60)}; }
    static void backends()
    {
        QTest::addColumn<QString>("backend");
        QTest::newRow("prometheus") << QStringLiteral("prometheus");
        QTest::newRow("victoriametrics") << QStringLiteral("victoriametrics");
    }

    OneSecret m_secrets;
    base::FrozenClock m_clock{base::fromUnix(kBegin + kMinutes * 60)};
    std::shared_ptr<http::HttpClient> m_client = std::make_shared<http::CurlHttpClient>();
    std::map<QString, std::unique_ptr<RealServer>> m_servers;

    void checkBusy(const std::vector<ports::FactBatch> &batches)
    {
        const Buckets busy = bucketsOf(batches, "GPU-a");
        QCOMPARE(busy.byStart.size(), std::size_t(24));
        for (int b = 0; b < 24; ++b) {
            const model::UsageBucket &bucket = busy.byStart.at(kBegin + b * 300);
            QCOMPARE(int(bucket.observed), 300);
            QCOMPARE(bucket.signal, model::ActivitySignal::GpuUtilization);
            if (b == 12) { // two minutes of the pod, three without a holder
                QCOMPARE(busy.subject.at(kBegin + b * 300).size(), std::string("train-1-").size());
                continue;
            }
            double sum = 0;
            for (int m = b * 5; m < b * 5 + 5; ++m)
                sum += busyDevice(m);
            QCOMPARE(int(bucket.activity), int(std::floor(sum / 500 * model::kShareScale + 1e-6)));
            QCOMPARE(busy.subject.at(kBegin + b * 300), std::string(b < 12 ? "train-1" : "-"));
            QCOMPARE(bucket.memoryMaxMib, std::uint32_t(1000 + b * 5 + 4));
            QCOMPARE(bucket.memoryMeanMib, std::uint32_t(1000 + b * 5 + 2));
        }
    }

private Q_SLOTS:
    void readsWhatWasWritten_data() { backends(); }
    void readsWhatWasWritten()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Sink sink;
        auto s = source(server(backend)->url());
        const auto done = s.fetch(range(), sink, {});
        QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
        checkBusy(sink.batches);
        const auto &batch = sink.batches.front();
        QCOMPARE(batch.devices.size(), std::size_t(2));
        QCOMPARE(batch.devices[0].memoryMib, std::int64_t(32000));
        QCOMPARE(batch.devices[0].model, std::string("Tesla V100"));
        QCOMPARE(batch.devices[0].cluster, std::string("prod"));
        QVERIFY(batch.complete);
    }

    // GPU-b is nearly idle in every hour; GPU-a works until 23:02.
    void readsWhatKeepsAGpuWaiting_data() { backends(); }
    void readsWhatKeepsAGpuWaiting()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Sink sink;
        auto s = source(server(backend)->url());
        QVERIFY(s.fetch(range(), sink, {}).has_value());
        std::map<std::pair<model::HourSignal, std::int64_t>, model::SignalHour> found;
        for (const auto &batch : sink.batches) {
            for (const auto &signal : batch.signals) {
                if (signal.signal == model::HourSignal::WriteBursts)
                    continue;
                const bool isDevice = model::subjectOf(signal.signal) == model::SignalOf::Device;
                QCOMPARE(isDevice ? batch.devices[signal.of].uuid : batch.nodes[signal.of].name,
                         std::string(isDevice ? "GPU-b" : "n1"));
                found[{signal.signal, signal.hour.hour}] = signal.hour;
            }
        }
        const std::int64_t hour = kBegin / 3600 + 1; // the whole one, and the quarter after it
        const auto at = [&](model::HourSignal signal, std::int64_t which) { return found.at({signal, which}); };
        using model::HourSignal;
        QCOMPARE(at(HourSignal::PcieBytes, hour + 1).seconds, 900);
        QCOMPARE(at(HourSignal::PcieBytes, hour + 1).value, std::int64_t{26'000'000});
        QCOMPARE(at(HourSignal::HostCpu, hour).seconds, 3600);
        const auto near = [](const model::SignalHour &one, double share) {
            return std::abs(static_cast<double>(one.value) / model::kSignalShareScale - share) < 0.02;
        };
        QVERIFY(near(at(HourSignal::HostCpu, hour), 0.7));
        QVERIFY(near(at(HourSignal::HostIoWait, hour), 0.2));
        for (const auto &[key, one] : found)
            QVERIFY(key.first != HourSignal::NvlinkBytes && key.first != HourSignal::Requests);
    }

    void readsHowOftenAPodWrites_data() { backends(); }
    void readsHowOftenAPodWrites()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Sink sink;
        auto s = source(server(backend)->url());
        QVERIFY(s.fetch(range(), sink, {}).has_value());
        std::map<std::int64_t, model::SignalHour> found;
        for (const auto &batch : sink.batches) {
            for (const auto &signal : batch.signals) {
                if (signal.signal != model::HourSignal::WriteBursts)
                    continue;
                QCOMPARE(batch.subjects[signal.of].name, std::string("train-1"));
                found[signal.hour.hour] = signal.hour;
            }
        }
        const std::int64_t hour = kBegin / 3600; // from its fifteenth minute on
        QCOMPARE(found.size(), std::size_t{2}); // and the last quarter has no pod
        QVERIFY((found.at(hour) == model::SignalHour{hour, 3600, 2}));
        QVERIFY((found.at(hour + 1) == model::SignalHour{hour + 1, 3600, 1}));
    }

    void gapsAndBadSamplesAreUnobserved_data() { backends(); }
    void gapsAndBadSamplesAreUnobserved()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Sink sink;
        auto s = source(server(backend)->url());
        QVERIFY(s.fetch(range(), sink, {}).has_value());
        const Buckets gappy = bucketsOf(sink.batches, "GPU-b");
        for (int b = 0; b < 24; ++b) {
            int good = 0;
            for (int m = b * 5; m < b * 5 + 5; ++m)
                good += gappyDevice(m) != kNothing && !broken(m) ? 1 : 0;
            const auto at = gappy.byStart.find(kBegin + b * 300);
            const int observed = at == gappy.byStart.end() ? 0 : at->second.observed;
            QCOMPARE(observed, good * 60);
            if (good)
                QCOMPARE(int(at->second.activity), int(0.07 * model::kShareScale));
        }
    }

    void tellsHoldersAndNodes_data() { backends(); }
    void tellsHoldersAndNodes()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Sink sink;
        auto s = source(server(backend)->url());
        QVERIFY(s.fetch(range(), sink, {}).has_value());
        const auto &batch = sink.batches.front();
        QCOMPARE(batch.holders.size(), std::size_t(1));
        const model::Holder &holder = batch.holders[0];
        QCOMPARE(holder.name, std::string("train-1"));
        QCOMPARE(holder.uid, std::string("u1"));
        QCOMPARE(holder.node, std::string("n1"));
        QCOMPARE(holder.labels.at("team"), std::string("vision"));
        QCOMPARE(holder.namespaceLabels.at("team"), std::string("vision"));
        QCOMPARE(holder.ownerKind, std::string("Job"));
        QCOMPARE(holder.gpuRequests.at("nvidia_com_gpu"), std::int64_t(1));
        QVERIFY(holder.endReason == model::EndReason::NodeShutdown);
        QCOMPARE(batch.holderSpans.size(), std::size_t(1));
        QCOMPARE(batch.holderSpans[0].range,
                 (base::TimeRange{base::fromUnix(kBegin), base::fromUnix(kBegin + 62 * 60)}));
        QCOMPARE(batch.nodes.size(), std::size_t(1));
        QCOMPARE(batch.nodes[0].cloud, std::string("aws"));
        QCOMPARE(batch.nodes[0].instanceType, std::string("p3.8xlarge"));
        QCOMPARE(batch.nodes[0].gpuCapacity, std::int64_t(2));
        QCOMPARE(batch.nodeSpans.size(), std::size_t(1));
        QCOMPARE(batch.nodeSpans[0].range, range());
    }

    void smallChunksSayTheSame_data() { backends(); }
    void smallChunksSayTheSame()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        Tuning tuning;
        tuning.targetPoints = 9; // three buckets at a time
        Sink sink;
        auto s = source(server(backend)->url(), tuning);
        QVERIFY(s.fetch(range(), sink, {}).has_value());
        QVERIFY(sink.batches.size() >= 8);
        QCOMPARE(base::toUnix(sink.last.doneTo), kBegin + kMinutes * 60);
        checkBusy(sink.batches);
        base::UtcTime at = range().start;
        base::UtcTime heldTo = at;
        for (const auto &batch : sink.batches) {
            QCOMPARE(batch.covered.start, at);
            at = batch.covered.end;
            for (const auto &span : batch.holderSpans) {
                QCOMPARE(span.range.start, heldTo);
                heldTo = span.range.end;
            }
        }
        QCOMPARE(base::toUnix(heldTo), kBegin + 62 * 60);
    }

    void probeTellsWhatIsThere_data() { backends(); }
    void probeTellsWhatIsThere()
    {
        QFETCH(QString, backend);
        if (missing(backend))
            QSKIP("skipped: the server is not installed");
        auto s = source(server(backend)->url());
        const auto report = s.probe({});
        QVERIFY2(report.has_value(), report ? "" : report.error().text.c_str());
        QVERIFY(report->usable);
        const bool prometheus = backend == QStringLiteral("prometheus");
        QVERIFY2(report->product.starts_with(prometheus ? "Prometheus 2." : "VictoriaMetrics"),
                 report->product.c_str());
        std::string text;
        for (const auto &finding : report->findings)
            text += ui::textOf(finding).english() + '\n';
        QVERIFY2(text.find("2 devices on 1 node") != std::string::npos, text.c_str());
    }

    void healsFaultsInTheMiddle_data()
    {
        QTest::addColumn<QString>("fault");
        for (const char *fault : {"reset", "gzcut", "short", "500", "halfjson", "drop", "429?1"})
            QTest::newRow(fault) << QStringLiteral("/api/v1/query_range@3=%1").arg(QLatin1String(fault));
        QTest::newRow("too many samples") << QStringLiteral("/api/v1/query_range@1-3=422");
        QTest::newRow("storm of two") << QStringLiteral("/api/v1/query_range@2-3=500");
    }
    void healsFaultsInTheMiddle()
    {
        QFETCH(QString, fault);
        if (missing(QStringLiteral("prometheus")))
            QSKIP("skipped: the server is not installed");
        FaultyServer proxy;
        QVERIFY(proxy.start({QStringLiteral("--upstream"),
                             QString::fromStdString(server(QStringLiteral("prometheus"))->url()),
                             QStringLiteral("--fault"), fault}));
        Tuning tuning;
        tuning.retries.firstDelay = http::Milliseconds(50);
        Sink sink;
        auto s = source(proxy.url(), tuning);
        const auto done = s.fetch(range(), sink, {});
        QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
        checkBusy(sink.batches);
    }

    void stopsWithinTwoHundredMilliseconds()
    {
        if (missing(QStringLiteral("prometheus")))
            QSKIP("skipped: the server is not installed");
        FaultyServer proxy;
        QVERIFY(proxy.start({QStringLiteral("--upstream"),
                             QString::fromStdString(server(QStringLiteral("prometheus"))->url()),
                             QStringLiteral("--fault"), QStringLiteral("/api/v1/query_range@1+=hang")}));
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(700));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        Sink sink;
        auto s = source(proxy.url());
        const auto done = s.fetch(range(), sink, stop.get_token());
        const auto took = std::chrono::steady_clock::now() - asked;
        later.join();
        QVERIFY(!done);
        QVERIFY(done.error().code == base::ErrorCode::Cancelled);
        QVERIFY2(took < std::chrono::milliseconds(200), std::to_string(took / std::chrono::milliseconds(1)).c_str());
    }
};

GPULEDGER_SUITE(TestPrometheusReal)

} // namespace tst_prometheusreal

#include "tst_prometheusreal.moc"
