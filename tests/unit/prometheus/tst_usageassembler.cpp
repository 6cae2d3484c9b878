// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/chunkvisitors.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/usagefleet.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

namespace tst_usageassembler {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kBlank = 9223372036854775794.0;

constexpr double kAbsent = -2000;

int activityPercent(const model::UsageBucket &b)
{
    return static_cast<int>(std::lround(model::shareToDouble(b.activity) * 100));
}

} // namespace

class TestUsageAssembler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesTheBestSignalOfEachBucket()
    {
        Fleet f(3);
        const LabelSet l{{"UUID", "GPU-1"}, {"Hostname", "n1"}, {"job", "dcgm"}, {"modelName", "H100"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", l, {100, 100, 100}, {5, 5, 5});
        f.signal("DCGM_FI_PROF_SM_ACTIVE", l, {0.25, kAbsent, kAbsent}, {5, kAbsent, kAbsent});
        f.signal("DCGM_FI_PROF_GR_ENGINE_ACTIVE", l, {0.5, 0.5, kAbsent}, {5, 4, kAbsent});
        const auto batch = f.finish();
        QCOMPARE(batch.series.size(), std::size_t(1));
        const auto &b = batch.series[0].buckets;
        QCOMPARE(b.size(), std::size_t(3));
        QVERIFY(b[0].signal == model::ActivitySignal::SmActive);
        QCOMPARE(activityPercent(b[0]), 25);
        QCOMPARE(b[0].smActive, model::toShare(0.25));
        QVERIFY(b[1].signal == model::ActivitySignal::GraphicsEngineActive);
        QCOMPARE(int(b[1].observed), 240);
        QVERIFY(b[2].signal == model::ActivitySignal::GpuUtilization);
        QCOMPARE(activityPercent(b[2]), 100);
        QCOMPARE(batch.gapBuckets, std::uint64_t(1));
        QCOMPARE(batch.nodes.at(batch.series[0].node).name, std::string("n1"));
    }

    void countsNothingWithoutSamples()
    {
        Fleet f(2);
        const LabelSet l{{"UUID", "GPU-1"}};
        f.give("DCGM_FI_DEV_GPU_UTIL", Aggregate::Mean, l, {0, 0}); // a mean without its count proves nothing
        f.give("DCGM_FI_DEV_FB_USED", Aggregate::Mean, l, {100, kAbsent});
        const auto batch = f.finish();
        QCOMPARE(batch.series.size(), std::size_t(1));
        QCOMPARE(batch.series[0].buckets.size(), std::size_t(1));
        QCOMPARE(int(batch.series[0].buckets[0].observed), 0);
        QCOMPARE(batch.series[0].buckets[0].activity, model::kNoShare);
        QCOMPARE(batch.series[0].buckets[0].memoryMeanMib, 100u);
    }

    void readsBadBucketsAgainSampleBySample()
    {
        Fleet f(3);
        const LabelSet l{{"UUID", "GPU-1"}, {"job", "d"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", l, {50, kNaN, kBlank}, {5, 5, 5});
        QCOMPARE(f.assembler.repairs().size(), std::size_t(2));
        const auto [e, m] = f.find("DCGM_FI_DEV_GPU_UTIL");
        format::SeriesVisitor &raw = f.assembler.rawVisitor(*e, *m);
        raw.begin();
        std::vector<format::Sample> samples;
        const double values[] = {10, kNaN, 30, kInf, -kInf, kBlank, kBlank, kBlank, kBlank, kBlank};
        for (int i = 0; i < 10; ++i)
            samples.push_back({static_cast<double>(kBegin + 300 + i * 60), values[i]});
        raw.series(l, samples);
        raw.end();
        const auto batch = f.finish();
        const auto &b = batch.series.at(0).buckets;
        QCOMPARE(b.size(), std::size_t(2)); // the third has no data
        QCOMPARE(int(b[1].observed), 120);
        QCOMPARE(activityPercent(b[1]), 20);
        QCOMPARE(batch.rejected.at(0).count, std::uint64_t(8));
    }

    void refusesDoubleDisorderedAndForeignTimes()
    {
        Fleet f(2, kBegin + 300);
        const LabelSet l{{"UUID", "GPU-1"}};
        const double t = kBegin + 300;
        f.samplesOf("DCGM_FI_DEV_GPU_UTIL", Aggregate::Count, l, {{t, 5}});
        f.samplesOf("DCGM_FI_DEV_GPU_UTIL", Aggregate::Mean, l,
                    {{t, 40}, {t, 80}, {t - 300, 1}, {t + 17, 3}, {9e18, 5}, {t + 600, 5}});
        auto batch = f.finish();
        QCOMPARE(batch.series.at(0).buckets.size(), std::size_t(1));
        QCOMPARE(activityPercent(batch.series[0].buckets[0]), 40);
        std::uint64_t refused = 0;
        for (const auto &r : batch.rejected)
            refused += r.count;
        QCOMPARE(refused, std::uint64_t(5));
    }

    void countsASeriesTwiceOnlyOnceAfterARetry()
    {
        Fleet f(1);
        const LabelSet l{{"UUID", "GPU-1"}};
        f.give("DCGM_FI_DEV_GPU_UTIL", Aggregate::Count, l, {5});
        format::SeriesVisitor &v = f.visitorOf("DCGM_FI_DEV_GPU_UTIL", Aggregate::Mean);
        const std::vector<format::Sample> samples{{kBegin + 300.0, 70}};
        v.begin();
        v.series(l, samples);
        v.begin(); // the answer was truncated and is requested again
        v.series(l, samples);
        v.end();
        const auto batch = f.finish();
        QCOMPARE(activityPercent(batch.series.at(0).buckets.at(0)), 70);
        QVERIFY(batch.rejected.empty());
    }

    void collapsesPairsByTheBetterCount()
    {
        Fleet f(4);
        const LabelSet a{{"UUID", "GPU-1"}, {"job", "d"}, {"prometheus_replica", "0"}};
        const LabelSet b{{"UUID", "GPU-1"}, {"job", "d"}, {"prometheus_replica", "1"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", a, {50, 50, kAbsent, 20}, {5, 5, kAbsent, 2});
        f.signal("DCGM_FI_DEV_GPU_UTIL", b, {50, kAbsent, 50, 60}, {5, kAbsent, 5, 4});
        const auto batch = f.finish();
        QCOMPARE(batch.series.size(), std::size_t(1));
        const auto &s = batch.series[0];
        QVERIFY(s.role == model::SeriesRole::Slice);
        QCOMPARE(s.buckets.size(), std::size_t(4));
        QCOMPARE(int(s.buckets[3].observed), 240);
        QCOMPARE(activityPercent(s.buckets[3]), 60);
    }

    void joinsAnExporterThatCameBackElsewhere()
    {
        Fleet f(3);
        const LabelSet a{{"UUID", "GPU-1"}, {"job", "d"}, {"instance", "10.0.0.1:9400"}};
        const LabelSet b{{"UUID", "GPU-1"}, {"job", "d"}, {"instance", "10.0.0.2:9400"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", a, {50, 100, kAbsent}, {5, 2, kAbsent});
        f.signal("DCGM_FI_DEV_GPU_UTIL", b, {kAbsent, 50, 50}, {kAbsent, 3, 5});
        const auto batch = f.finish();
        const auto &s = batch.series.at(0).buckets;
        QCOMPARE(int(s[1].observed), 300);
        QCOMPARE(activityPercent(s[1]), 70);
    }

    void joinsOldAndNewNamesWithoutAdding()
    {
        Fleet f(3);
        const LabelSet old{{"UUID", "GPU-1"}, {"job", "d"}, {"Hostname", "n1"}};
        const LabelSet fresh{{"gpu_uuid", "GPU-1"}, {"job", "d"}, {"hostname", "n1"}, {"instance", "x:1"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", old, {60, 60, kAbsent}, {5, 5, kAbsent});
        f.give("DCGM_FI_DEV_GPU_UTIL_RATIO", Aggregate::Max, fresh, {kAbsent, 0.6, 0.7});
        f.signal("DCGM_FI_DEV_GPU_UTIL_RATIO", fresh, {kAbsent, 0.6, 0.7}, {kAbsent, 5, 5});
        f.give("DCGM_FI_DEV_FB_USED_BYTES", Aggregate::Mean, fresh, {kAbsent, kAbsent, 1048576.0 * 300});
        const auto batch = f.finish();
        QCOMPARE(batch.devices.size(), std::size_t(1));
        QCOMPARE(batch.series.size(), std::size_t(1));
        const auto &s = batch.series[0].buckets;
        QCOMPARE(activityPercent(s[0]), 60);
        QCOMPARE(activityPercent(s[1]), 60);
        QCOMPARE(activityPercent(s[2]), 70);
        QCOMPARE(s[2].memoryMeanMib, 300u);
    }

    void readsPercentUnderTheNameOfARatio()
    {
        Fleet f(2);
        const LabelSet bad{{"UUID", "GPU-1"}, {"instance", "a:1"}};
        const LabelSet good{{"UUID", "GPU-2"}, {"instance", "b:1"}};
        f.give("DCGM_FI_DEV_GPU_UTIL_RATIO", Aggregate::Max, bad, {1, 40});
        f.give("DCGM_FI_DEV_GPU_UTIL_RATIO", Aggregate::Max, good, {1, 0.4});
        f.signal("DCGM_FI_DEV_GPU_UTIL_RATIO", bad, {1, 20}, {5, 5});
        f.signal("DCGM_FI_DEV_GPU_UTIL_RATIO", good, {1, 0.2}, {5, 5});
        const auto batch = f.finish();
        QCOMPARE(activityPercent(batch.series.at(0).buckets[0]), 1);
        QCOMPARE(activityPercent(batch.series.at(0).buckets[1]), 20);
        QCOMPARE(activityPercent(batch.series.at(1).buckets[0]), 100);
        QCOMPARE(activityPercent(batch.series.at(1).buckets[1]), 20);
    }

    // A percentage in one metric says nothing about a ratio in another metric of the same target.
    void keepsPercentToTheMetricItWasSeenOn()
    {
        Fleet f(1);
        const LabelSet amd{{"gpu_uuid", "amd-1"}, {"instance", "a:1"}};
        f.give("gpu_prof_tensor_active_percent", Aggregate::Max, amd, {60});
        f.give("gpu_prof_sm_active", Aggregate::Max, amd, {0.9});
        f.give("gpu_prof_tensor_active_percent", Aggregate::Mean, amd, {50});
        f.signal("gpu_prof_sm_active", amd, {0.8}, {5});
        const auto batch = f.finish();
        const auto &bucket = batch.series.at(0).buckets.at(0);
        QCOMPARE(activityPercent(bucket), 80);
        QCOMPARE(int(std::lround(model::shareToDouble(bucket.tensorActive) * 100)), 50);
    }

    void clampsSmActivityAndIgnoresUtilizationOnMig()
    {
        Fleet f(1);
        const LabelSet slice{
            {"UUID", "GPU-1"}, {"GPU_I_ID", "9"}, {"GPU_I_PROFILE", "1g.10gb+me"}, {"modelName", "NVIDIA H100"}};
        const LabelSet other{{"UUID", "GPU-1"}, {"GPU_I_ID", "3"}, {"GPU_I_PROFILE", "2g.20gb"}};
        const LabelSet whole{{"UUID", "GPU-1"}};
        f.signal("DCGM_FI_PROF_SM_ACTIVE", slice, {1.29}, {5});
        f.signal("DCGM_FI_DEV_GPU_UTIL", other, {0}, {5});
        f.signal("DCGM_FI_DEV_GPU_UTIL", whole, {90}, {5});
        const auto batch = f.finish();
        QCOMPARE(batch.series.size(), std::size_t(2)); // an instance with nothing but utilization says nothing
        QCOMPARE(batch.devices.at(0).slices.size(), std::size_t(2));
        for (const auto &s : batch.devices[0].slices)
            QCOMPARE(s.fraction.of, std::int64_t(7));
        for (const auto &s : batch.series) {
            if (!s.gpuInstance.empty())
                QCOMPARE(activityPercent(s.buckets.at(0)), 100);
        }
        QVERIFY((migFraction("1g.6gb", "NVIDIA A30") == model::Fraction{1, 4}));
        QVERIFY((migFraction("7g.80gb", "NVIDIA A100-SXM4-80GB") == model::Fraction{1, 1}));
    }

    void knowsTheExporterFromAHolder()
    {
        Fleet f(1);
        f.facts.pods = {{"exporter-abc", PodVerdict::Other}, {"train", PodVerdict::Holder}};
        const LabelSet held{{"UUID", "GPU-1"},
                            {"pod", "exporter-abc"},
                            {"namespace", "mon"},
                            {"exported_pod", "train"},
                            {"exported_namespace", "ml"}};
        const LabelSet unheld{{"UUID", "GPU-2"}, {"pod", "exporter-abc"}, {"namespace", "mon"}};
        const LabelSet unknown{
            {"UUID", "GPU-3"}, {"pod", "dcgm-exporter-x"}, {"namespace", "mon"}, {"container", "exporter"}};
        const LabelSet flag{{"UUID", "GPU-4"},
                            {"pod", "exporter-abc"},
                            {"namespace", "mon"},
                            {"pod_name", "train"},
                            {"pod_namespace", "ml"}};
        for (const LabelSet *l : {&held, &unheld, &unknown, &flag})
            f.signal("DCGM_FI_DEV_GPU_UTIL", *l, {50}, {5});
        const auto batch = f.finish();
        std::map<std::string, std::string> holder;
        for (const auto &s : batch.series)
            holder[batch.devices[s.device].uuid] = s.subject == ports::FactBatch::kNone
                ? ""
                : batch.subjects[s.subject].nameSpace + '/' + batch.subjects[s.subject].name
                    + (batch.subjects[s.subject].exporterLike ? "!" : "");
        QCOMPARE(holder["GPU-1"], std::string("ml/train"));
        QCOMPARE(holder["GPU-2"], std::string(""));
        QCOMPARE(holder["GPU-3"], std::string("mon/dcgm-exporter-x!"));
        QCOMPARE(holder["GPU-4"], std::string("ml/train"));
    }

    void exporterPodsAreNeverHolders_data()
    {
        // What is known about a pod that appears on both GPUs of a target, whatever its name is.
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<bool>("isScraped");
        QTest::addColumn<int>("verdict");
        QTest::addColumn<bool>("knowsNode");
        QTest::addColumn<bool>("knowsRequests");
        QTest::addColumn<bool>("otherIsHeld"); // the second GPU has a known holder
        QTest::addColumn<bool>("isHolder");
        constexpr int unknown = static_cast<int>(PodVerdict::Unknown), holder = static_cast<int>(PodVerdict::Holder),
                      other = static_cast<int>(PodVerdict::Other);
        const auto row = [](const char *name, const char *address, bool scraped, int verdict, bool node, bool requests,
                            bool held, bool isHolder) {
            QTest::newRow(name) << QByteArray(address) << scraped << verdict << node << requests << held << isHolder;
        };
        row("nothing is known", "10.0.0.1:9400", false, unknown, false, false, false, true);
        row("the scraped target", "10.0.0.1:9400", true, unknown, false, false, false, false);
        row("the scraped target, beside a holder", "10.0.0.1:9400", true, unknown, false, false, true, false);
        row("its address", "gpu-watch-7xk:9400", false, unknown, false, false, false, false);
        row("it requests GPUs, and is scraped", "10.0.0.1:9400", true, holder, true, true, false, true);
        row("it requests none", "10.0.0.1:9400", false, other, true, true, false, false);
        row("on every GPU, requests are known", "10.0.0.1:9400", false, unknown, true, true, false, false);
        row("on every free GPU, requests are known", "10.0.0.1:9400", false, unknown, true, true, true, false);
        row("on every GPU, no request is known", "10.0.0.1:9400", false, unknown, true, false, false, true);
        row("on every GPU of an unknown node", "10.0.0.1:9400", false, unknown, false, true, false, true);
        row("a holder of the whole node", "10.0.0.1:9400", false, holder, true, true, false, true);
    }

    void exporterPodsAreNeverHolders()
    {
        QFETCH(QByteArray, address);
        QFETCH(bool, isScraped);
        QFETCH(int, verdict);
        QFETCH(bool, knowsNode);
        QFETCH(bool, knowsRequests);
        QFETCH(bool, otherIsHeld);
        QFETCH(bool, isHolder);
        Fleet f(1);
        const std::string pod = "gpu-watch-7xk", instance = address.toStdString();
        f.facts.requests = knowsRequests;
        f.facts.pods["train"] = PodVerdict::Holder;
        if (verdict != static_cast<int>(PodVerdict::Unknown))
            f.facts.pods[pod] = static_cast<PodVerdict>(verdict);
        if (knowsNode)
            f.facts.nodes = {"n1"};
        const auto device = [&](const char *uuid, const std::string &who, const char *space) {
            const LabelSet labels{{"UUID", uuid},   {"Hostname", "n1"}, {"instance", instance},
                                  {"job", "watch"}, {"pod", who},       {"namespace", space}};
            f.signal("DCGM_FI_DEV_GPU_UTIL", labels, {0}, {5});
        };
        device("GPU-1", pod, "mon");
        device("GPU-2", otherIsHeld ? "train" : pod, otherIsHeld ? "ml" : "mon");
        if (isScraped)
            f.assembler.targetVisitor().series(
                LabelSet{{"job", "watch"}, {"instance", instance}, {"pod", pod}, {"namespace", "mon"}}, {});
        std::set<std::string> holders;
        const auto batch = f.finish();
        for (const auto &s : batch.series)
            holders.insert(s.subject == ports::FactBatch::kNone ? "" : "someone");
        const bool free = holders.contains("");
        QCOMPARE(free, !isHolder);
        QCOMPARE(holders.contains("someone"), isHolder || otherIsHeld);
    }

    void seesCopiesSharesAndChangesOfHolder()
    {
        Fleet f(2);
        const LabelSet a{{"UUID", "GPU-1"}, {"job", "d"}, {"pod", "a"}, {"namespace", "x"}};
        const LabelSet b{{"UUID", "GPU-1"}, {"job", "d"}, {"pod", "b"}, {"namespace", "x"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", a, {80, 80}, {5, 2}); // a copy each, then a change of holder
        f.signal("DCGM_FI_DEV_GPU_UTIL", b, {80, 10}, {5, 3});
        const LabelSet device{{"UUID", "GPU-2"}, {"job", "d"}};
        const LabelSet part{{"UUID", "GPU-2"}, {"job", "d"}, {"pod", "a"}, {"namespace", "x"}, {"pod_uid", "u"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", device, {90, kAbsent}, {5, kAbsent});
        f.signal("DCGM_FI_DEV_GPU_UTIL", part, {30, kAbsent}, {5, kAbsent});
        f.signal("DCGM_FI_PROF_SM_ACTIVE", part, {0.6, kAbsent}, {5, kAbsent});
        const auto batch = f.finish();
        int copies = 0, slices = 0, shares = 0;
        for (const auto &s : batch.series) {
            if (batch.devices[s.device].uuid == "GPU-1") {
                copies += s.role == model::SeriesRole::CopyPerHolder ? 1 : 0;
                slices += s.role == model::SeriesRole::Slice ? 1 : 0;
                QCOMPARE(s.buckets.size(), std::size_t(1));
            } else if (s.subject == ports::FactBatch::kNone) {
                QVERIFY(s.role == model::SeriesRole::Slice);
                QCOMPARE(activityPercent(s.buckets[0]), 60); // the profiling value of the device
            } else {
                ++shares;
                QVERIFY(s.role == model::SeriesRole::ProcessShare);
                QCOMPARE(activityPercent(s.buckets[0]), 30);
                QCOMPARE(batch.subjects[s.subject].uid, std::string("u"));
            }
        }
        QCOMPARE(copies, 2);
        QCOMPARE(slices, 2);
        QCOMPARE(shares, 1);
    }

    void listsSlurmJobsAsSharingHolders()
    {
        Fleet f(1);
        const LabelSet a{{"UUID", "GPU-1"}, {"job", "d"}, {"hpc_job", "17"}};
        const LabelSet b{{"UUID", "GPU-1"}, {"job", "d"}, {"hpc_job", "18"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", a, {80}, {5});
        f.signal("DCGM_FI_DEV_GPU_UTIL", b, {80}, {5});
        const auto batch = f.finish();
        QCOMPARE(batch.series.size(), std::size_t(2));
        for (const auto &s : batch.series) {
            QVERIFY(s.role == model::SeriesRole::CopyPerHolder);
            QVERIFY(batch.subjects[s.subject].kind == model::SubjectKind::SlurmJob);
        }
    }

    void otherExportersAreNormalised()
    {
        Fleet f(1);
        f.facts.nodes = {"n1"};
        const LabelSet smi{{"uuid", "abc-1"}, {"instance", "10.0.0.7:9835"}, {"job", "smi"}};
        f.give("nvidia_smi_utilization_gpu_ratio", Aggregate::Max, smi, {0.5});
        f.signal("nvidia_smi_utilization_gpu_ratio", smi, {0.4}, {5});
        const LabelSet amd{
            {"gpu_uuid", "amd-1"}, {"hostname", "n1"}, {"gpu_partition_id", "0"}, {"pod", "p"}, {"namespace", "x"}};
        const LabelSet part{{"gpu_uuid", "amd-1"}, {"hostname", "n1"}, {"gpu_partition_id", "1"}};
        f.signal("gpu_gfx_activity", amd, {30}, {5});
        f.signal("gpu_gfx_activity", part, {0}, {5});
        const auto batch = f.finish();
        QCOMPARE(batch.devices.size(), std::size_t(2));
        QCOMPARE(batch.series.size(), std::size_t(2));
        for (const auto &s : batch.series) {
            const auto &d = batch.devices[s.device];
            QCOMPARE(activityPercent(s.buckets.at(0)), d.vendor == "amd" ? 30 : 40);
            QCOMPARE(d.uuid, std::string(d.vendor == "amd" ? "amd-1" : "GPU-abc-1"));
            QCOMPARE(batch.nodes[s.node].name, std::string(d.vendor == "amd" ? "n1" : "n7"));
        }
        QVERIFY(batch.rejected.empty());
    }

    void usesMeasuredIntervals()
    {
        Fleet f(1);
        const LabelSet a{{"UUID", "GPU-1"}, {"job", "d"}};
        const LabelSet sparse{{"UUID", "GPU-2"}, {"job", "d"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", a, {50}, {4});
        f.signal("DCGM_FI_DEV_GPU_UTIL", sparse, {50}, {2});
        const auto probes = f.assembler.intervalProbes();
        QCOMPARE(probes.size(), std::size_t(2));
        QVERIFY(probes[0].device.empty());
        QCOMPARE(probes[1].uuidText, std::string("GPU-2"));
        f.assembler.setInterval(probes[0], base::Seconds(60));
        f.assembler.setInterval(probes[1], base::Seconds(120));
        const auto batch = f.finish();
        QCOMPARE(int(batch.series[0].buckets[0].observed), 240);
        QCOMPARE(int(batch.series[1].buckets[0].observed), 300);
    }

    // Its slices are scraped together with it, and do not count as additional samples.
    void measuresASparseDeviceWithSlices()
    {
        Fleet f(1);
        const LabelSet dense{{"UUID", "GPU-1"}, {"job", "d"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", dense, {50}, {20});
        const LabelSet parent{{"UUID", "GPU-2"}, {"job", "d"}};
        f.signal("DCGM_FI_PROF_GR_ENGINE_ACTIVE", parent, {0}, {5});
        for (const char *slice : {"3", "4", "5", "6"}) {
            const LabelSet one{{"UUID", "GPU-2"}, {"GPU_I_ID", slice}, {"GPU_I_PROFILE", "1g.10gb"}, {"job", "d"}};
            f.signal("DCGM_FI_PROF_GR_ENGINE_ACTIVE", one, {0}, {5});
        }
        // Two alternating holders of one device are one device that is observed all the time.
        for (const char *pod : {"first", "second"}) {
            const LabelSet one{{"UUID", "GPU-3"}, {"job", "d"}, {"exported_pod", pod}, {"exported_namespace", "ml"}};
            f.signal("DCGM_FI_DEV_GPU_UTIL", one, {50}, {10});
        }
        const auto probes = f.assembler.intervalProbes();
        QCOMPARE(probes.size(), std::size_t(2));
        QVERIFY(probes[0].device.empty());
        QCOMPARE(probes[1].uuidText, std::string("GPU-2"));
        f.assembler.setInterval(probes[0], base::Seconds(15));
        f.assembler.setInterval(probes[1], base::Seconds(60));
        const auto batch = f.finish();
        int slices = 0;
        for (const auto &series : batch.series) {
            if (batch.devices[series.device].uuid != "GPU-2")
                continue;
            ++slices;
            QCOMPARE(int(series.buckets.at(0).observed), 300);
        }
        QVERIFY2(slices >= 4, QByteArray::number(slices).constData());
    }

    // Far more sparse devices than one query each would allow.
    void measuresManySparseDevicesTogether()
    {
        Fleet f(2);
        const LabelSet dense{{"UUID", "GPU-dense"}, {"job", "d"}, {"instance", "i"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", dense, {50, 50}, {10, 10});
        constexpr int kSparse = 250;
        for (int i = 0; i < kSparse; ++i) {
            const LabelSet sparse{
                {"UUID", "GPU-" + std::to_string(i)}, {"job", "d"}, {"instance", "s" + std::to_string(i)}};
            f.signal("DCGM_FI_DEV_GPU_UTIL", sparse, {50, 50}, {5, 5});
        }
        const auto groups = groupProbes(f.assembler.intervalProbes());
        QCOMPARE(groups.size(), std::size_t(4)); // the job's own, then 100, 100 and 50 devices
        QVERIFY(groups[0].front().device.empty());
        for (const auto &group : groups) {
            IntervalVisitor visitor(f.assembler, group);
            visitor.begin();
            for (const IntervalProbe &probe : group) {
                const LabelSet labels{{"UUID", probe.uuidText}, {"instance", probe.instance}};
                std::vector<format::Sample> samples;
                for (int t = 0; t < 900; t += probe.device.empty() ? 30 : 60)
                    samples.push_back({static_cast<double>(kBegin + t), 50});
                visitor.series(labels, samples);
            }
            visitor.end();
        }
        const auto batch = f.finish();
        QCOMPARE(batch.series.size(), std::size_t(kSparse + 1));
        for (const auto &series : batch.series)
            QCOMPARE(int(series.buckets[0].observed), 300);
    }

    // Whatever a server sends, a bucket never counts more observed time than its valid samples cover.
    void neverObservesMissingSamples()
    {
        constexpr int kSeries = 10'000;
        constexpr int kBuckets = 12;
        std::mt19937_64 random(20261121);
        const auto chance = [&](int percent) { return static_cast<int>(random() % 100) < percent; };
        Fleet f(kBuckets);
        struct Truth {
            int valid[kBuckets] = {};
            bool mean[kBuckets] = {};
        };
        std::map<std::string, Truth> truths;
        auto &means = f.visitorOf("DCGM_FI_DEV_GPU_UTIL", Aggregate::Mean);
        auto &counts = f.visitorOf("DCGM_FI_DEV_GPU_UTIL", Aggregate::Count);
        means.begin();
        counts.begin();
        for (int n = 0; n < kSeries; ++n) {
            const std::string uuid = "GPU-" + std::to_string(n);
            Truth &truth = truths[uuid];
            const LabelSet l{{"UUID", uuid}, {"job", "d"}};
            std::vector<format::Sample> m, c;
            for (int b = 0; b < kBuckets; ++b) {
                if (chance(15))
                    continue; // a gap
                const double t = static_cast<double>(kBegin + (b + 1) * 300);
                const int samples = 1 + static_cast<int>(random() % 5);
                static const double kBad[] = {kNaN, kInf, -kInf, kBlank, 1e308, -5, 1234};
                const bool good = !chance(20);
                m.push_back({t, good ? static_cast<double>(random() % 101) : kBad[random() % 7]});
                truth.mean[b] = good;
                if (!chance(5)) {
                    c.push_back({t, static_cast<double>(samples)});
                    truth.valid[b] = samples;
                }
                if (chance(5))
                    m.push_back({t, 0}); // the same time again
                if (chance(5))
                    m.push_back({t - 600, 0}); // out of order
                if (chance(3))
                    m.push_back({t + 7e6, 0});
                if (chance(3))
                    m.push_back({kNaN, 0});
            }
            means.series(l, m);
            counts.series(l, c);
        }
        means.end();
        counts.end();
        f.assembler.setInterval({"d", {}, {}, {}, {}, {}, 0, 0}, base::Seconds(60));
        const auto batch = f.finish();
        std::uint64_t idle = 0, seen = 0;
        for (const auto &series : batch.series) {
            const Truth &truth = truths.at(batch.devices[series.device].uuid);
            for (std::size_t i = 0; i < series.buckets.size(); ++i) {
                const auto b = static_cast<std::size_t>(series.bucketNumbers[i] - kBegin / 300);
                const auto &bucket = series.buckets[i];
                ++seen;
                const int allowed = truth.mean[b] ? truth.valid[b] * 60 : 0;
                QVERIFY(bucket.observed <= allowed);
                QCOMPARE(bucket.observed > 0, bucket.activity != model::kNoShare);
                idle += bucket.observed > allowed ? 1 : 0;
            }
        }
        QCOMPARE(idle, std::uint64_t(0));
        QVERIFY(seen > 60'000);
        QVERIFY(!batch.rejected.empty());
    }
};

GPULEDGER_PLAIN_SUITE(TestUsageAssembler)

} // namespace tst_usageassembler

#include "tst_usageassembler.moc"
