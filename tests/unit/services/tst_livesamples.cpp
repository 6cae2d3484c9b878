// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/livesamples.h"

#include <QTest>

using namespace gpuledger;
using actions::Liveness;
using ports::FactBatch;
using services::livenessOf;

namespace {

constexpr std::int64_t kBucket = 5'000'000; // the bucket that was just seen
constexpr double kThreshold = 0.05;

// A machine of two devices, both of which it holds itself.
struct Machine {
    Machine()
    {
        batch.nodes.push_back(node("box"));
        batch.nodes.push_back(node("other"));
        subject(model::SubjectKind::Machine, "i-1");
        add("GPU-1", 0, 0, 0.01);
        add("GPU-2", 0, 0, 0.02);
        item.kind = model::SubjectKind::Machine;
        item.cluster = "vms";
        item.name = "i-1";
        item.node = "box";
        item.devices = {"GPU-1", "GPU-2"};
    }
    static model::Node node(const char *name)
    {
        model::Node out;
        out.cluster = "vms";
        out.name = name;
        return out;
    }
    std::uint32_t subject(model::SubjectKind kind, const char *name)
    {
        model::Subject out;
        out.cluster = "vms";
        out.kind = kind;
        out.name = name;
        batch.subjects.push_back(out);
        return static_cast<std::uint32_t>(batch.subjects.size() - 1);
    }
    void add(const char *uuid, std::uint32_t of, std::uint32_t at, double activity)
    {
        model::Device device;
        device.cluster = "vms";
        device.uuid = uuid;
        batch.devices.push_back(device);
        model::UsageBucket bucket;
        bucket.observed = 300;
        bucket.activity = model::toShare(activity);
        FactBatch::Series series;
        series.device = static_cast<std::uint32_t>(batch.devices.size() - 1);
        series.subject = of;
        series.node = at;
        series.bucketNumbers = {kBucket};
        series.buckets = {bucket};
        batch.series.push_back(series);
    }
    Liveness::Kind look() { return livenessOf(item, {batch}, kThreshold, newest); }

    FactBatch batch;
    insight::IdleItem item;
    base::UtcTime newest{};
};

} // namespace

class TestLiveSamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aQuietMachineIsQuiet()
    {
        Machine m;
        QVERIFY(m.look() == Liveness::Kind::Quiet);
        QCOMPARE(base::toUnix(m.newest), (kBucket + 1) * 300);
    }

    void everyDeviceMustBeSeen()
    {
        Machine m;
        m.batch.series.pop_back();
        QVERIFY(m.look() == Liveness::Kind::Unseen);
    }

    void oneBusyDeviceIsEnough()
    {
        Machine m;
        m.batch.series[1].buckets[0].activity = model::toShare(kThreshold);
        QVERIFY(m.look() == Liveness::Kind::Active);
    }

    // Its other devices end with it, held by whom they may be.
    void whatElseIsOnTheMachineCounts_data()
    {
        QTest::addColumn<int>("kind"); // of who holds the third device; -1: nobody
        QTest::addColumn<double>("activity");
        QTest::addColumn<int>("node");
        QTest::addColumn<bool>("isActive");
        QTest::newRow("a job that rests") << 1 << 0.0 << 0 << true;
        QTest::newRow("a job that works") << 1 << 0.9 << 0 << true;
        QTest::newRow("a pod that rests") << 0 << 0.0 << 0 << true;
        QTest::newRow("work of nobody") << -1 << 0.9 << 0 << true;
        QTest::newRow("a free device") << -1 << 0.0 << 0 << false;
        QTest::newRow("a job elsewhere") << 1 << 0.9 << 1 << false;
    }
    void whatElseIsOnTheMachineCounts()
    {
        QFETCH(int, kind);
        QFETCH(double, activity);
        QFETCH(int, node);
        QFETCH(bool, isActive);
        Machine m;
        const std::uint32_t of =
            kind < 0 ? FactBatch::kNone : m.subject(static_cast<model::SubjectKind>(kind), "another");
        m.add("GPU-3", of, static_cast<std::uint32_t>(node), activity);
        QCOMPARE(m.look() == Liveness::Kind::Active, isActive);
    }

    // A pod is asked for its own devices alone.
    void othersOnTheMachineOfAPodDoNotCount()
    {
        Machine m;
        const std::uint32_t pod = m.subject(model::SubjectKind::Pod, "p");
        m.add("GPU-3", pod, 0, 0.01);
        m.item.kind = model::SubjectKind::Pod;
        m.item.name = "p";
        m.item.devices = {"GPU-3"};
        m.batch.series[0].buckets[0].activity = model::toShare(0.9);
        QVERIFY(m.look() == Liveness::Kind::Quiet);
    }

    void aMachineWithoutANodeCannotBeJudged()
    {
        Machine m;
        m.item.node.clear();
        QVERIFY(m.look() == Liveness::Kind::Unseen);
    }
};

QTEST_GUILESS_MAIN(TestLiveSamples)
#include "tst_livesamples.moc"
