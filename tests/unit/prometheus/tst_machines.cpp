// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that hold their GPUs themselves: under which conditions, and what their labels mean.
#include "tests/support/suite.h"
#include "tests/unit/prometheus/usagefleet.h"

#include <QTest>

#include <map>

namespace tst_machines {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;

namespace {

constexpr auto kUtilization = "DCGM_FI_DEV_GPU_UTIL";
constexpr double kAbsent = -2000; // no sample

// One machine; each of its series has labels of its own in addition to the identifying ones.
struct Box : Fleet {
    explicit Box(int buckets)
        : Fleet(buckets)
    {
        for (ExporterMapping &exporter : exporters)
            exporter.machine = {"ec2_id"};
    }
    void tells(std::map<std::string, std::string> labels, const Values &counts)
    {
        labels.insert({{"job", "d"}, {"ec2_id", "i-1"}, {"Hostname", "box"}});
        std::vector<format::Label> sorted;
        for (const auto &[name, value] : labels)
            sorted.push_back({name, value});
        Values means;
        for (const double count : counts)
            means.push_back(count > 0 ? 1 : kAbsent);
        signal(kUtilization, sorted, means, counts);
    }
    model::Labels labels()
    {
        const auto batch = finish();
        return batch.nodes.size() == 1 ? batch.nodes.front().labels : model::Labels{{"nodes", "not one"}};
    }
};

} // namespace

class TestMachines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // If the configuration names the label, no other holder is named, and no scheduler knows the machine.
    void aMachineHoldsItsGpusItself_data()
    {
        QTest::addColumn<QByteArray>("label"); // in addition to the machine's
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("kind"); // -1: no holder
        QTest::newRow("alone") << QByteArray("Hostname") << QByteArray("box")
                               << static_cast<int>(model::SubjectKind::Machine);
        QTest::newRow("a job") << QByteArray("hpc_job") << QByteArray("17")
                               << static_cast<int>(model::SubjectKind::SlurmJob);
        QTest::newRow("a pod") << QByteArray("exported_pod") << QByteArray("p")
                               << static_cast<int>(model::SubjectKind::Pod);
        QTest::newRow("a node of a cluster") << QByteArray("Hostname") << QByteArray("n1") << -1;
        QTest::newRow("a node by its address") << QByteArray("instance") << QByteArray("10.0.0.7:9400") << -1;
    }
    void aMachineHoldsItsGpusItself()
    {
        QFETCH(QByteArray, label);
        QFETCH(QByteArray, value);
        QFETCH(int, kind);
        Fleet f(1);
        f.facts.nodes = {"n1"};
        for (ExporterMapping &exporter : f.exporters)
            exporter.machine = {"ec2_id"};
        const LabelSet labels{
            {"UUID", "GPU-1"}, {"job", "d"}, {"ec2_id", "i-1"}, {label.toStdString(), value.toStdString()}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", labels, {80}, {5});
        const auto batch = f.finish();
        QCOMPARE(batch.series.size(), std::size_t(1));
        const std::uint32_t subject = batch.series[0].subject;
        QCOMPARE(subject == ports::FactBatch::kNone ? -1 : static_cast<int>(batch.subjects[subject].kind), kind);
        if (kind == static_cast<int>(model::SubjectKind::Machine))
            QCOMPARE(batch.subjects[subject].name, std::string("i-1"));
    }

    void noMachineIsAHolderUnasked()
    {
        Fleet f(1);
        const LabelSet labels{{"UUID", "GPU-1"}, {"job", "d"}, {"Hostname", "box"}, {"instance_id", "i-1"}};
        f.signal("DCGM_FI_DEV_GPU_UTIL", labels, {80}, {5});
        QVERIFY(f.finish().series[0].subject == ports::FactBatch::kNone);
    }

    // Labels that do not describe the device, its slice, its process or the scrape: for example a cloud's tags that the
    // scrape added.
    void itsLabelsAreTheMachines()
    {
        Box f(1);
        f.tells({{"UUID", "GPU-1"}, {"gpu", "0"}, {"modelName", "H100"}, {"CostCenter", "42"}, {"team", "vision"}},
                {5});
        QCOMPARE(f.labels(), (model::Labels{{"cost_center", "42"}, {"team", "vision"}}));
    }

    void whatItsDevicesDisagreeOnIsNot()
    {
        Box f(1);
        f.tells({{"UUID", "GPU-1"}, {"slot", "0"}, {"team", "vision"}}, {5});
        f.tells({{"UUID", "GPU-2"}, {"slot", "1"}, {"team", "vision"}}, {5});
        f.tells({{"UUID", "GPU-3"}, {"slot", "0"}, {"team", "vision"}}, {5});
        QCOMPARE(f.labels(), (model::Labels{{"team", "vision"}}));
    }

    void theLastWordCounts()
    {
        for (const bool reversed : {false, true}) {
            Box f(3);
            for (const bool late : {reversed, !reversed}) {
                f.tells({{"UUID", "GPU-1"}, {"team", late ? "speech" : "vision"}}, {5, late ? 5. : 0., late ? 5. : 0.});
                f.tells({{"UUID", "GPU-2"}, {"team", late ? "speech" : "vision"}}, {5, late ? 5. : 0., late ? 5. : 0.});
            }
            QCOMPARE(f.labels(), (model::Labels{{"team", "speech"}}));
        }
    }

    // So that its hours and its line in the bill are matched.
    void isCalledAsInItsBill_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<bool>("isAws");
        QTest::newRow("instance") << std::string("i-0123456789abcdef0") << true;
        QTest::newRow("old instance") << std::string("i-01234567") << true;
        QTest::newRow("notebook") << std::string("arn:aws:sagemaker:eu-central-1:1:notebook-instance/a") << true;
        QTest::newRow("private name") << std::string("ip-10-0-0-7.ec2.internal") << false;
        QTest::newRow("not an instance id") << std::string("i-robot") << false;
        QTest::newRow("too long") << std::string("i-0123456789abcdef01") << false;
    }
    void isCalledAsInItsBill()
    {
        QFETCH(std::string, name);
        QFETCH(bool, isAws);
        Box f(1);
        f.tells({{"UUID", "GPU-1"}, {"ec2_id", name}, {"instance_type", "p4d.24xlarge"}, {"region", "eu-central-1"}},
                {5});
        const auto batch = f.finish();
        QCOMPARE(batch.nodes.size(), std::size_t(1));
        const model::Node &node = batch.nodes.front();
        QCOMPARE(node.providerId, isAws ? name : std::string());
        QCOMPARE(node.cloud, std::string(isAws ? "aws" : ""));
        QCOMPARE(node.instanceType, std::string("p4d.24xlarge"));
        QCOMPARE(node.region, std::string("eu-central-1"));
    }

    void othersGiveTheirNodesNone()
    {
        Fleet f(1);
        const LabelSet labels{{"UUID", "GPU-1"}, {"job", "d"}, {"Hostname", "box"}, {"team", "vision"}};
        f.signal(kUtilization, labels, {80}, {5});
        const auto batch = f.finish();
        QCOMPARE(batch.nodes.size(), std::size_t(1));
        QVERIFY(batch.nodes.front().labels.empty());
    }
};

GPULEDGER_SUITE(TestMachines)

} // namespace tst_machines

#include "tst_machines.moc"
