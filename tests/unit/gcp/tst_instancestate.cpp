// SPDX-License-Identifier: GPL-3.0-or-later
// What an instance's description means for a stop. The stops as a whole: tests/integration/run_gcpstops.py.
#include "connectors/format/json.h"
#include "connectors/gcp/compute/instancestate.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_instancestate {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::Caution;
using model::Loss;
using model::Obstacle;
using Json = nlohmann::json;

namespace {

Json described()
{
    return *format::parseJson(
        js("{'id':'42','name':'train-1','zone':'https://c/projects/lab/zones/europe-west4-a','status':'RUNNING',"
           "'creationTimestamp':'2026-11-01T01:00:00.000-07:00','lastStartTimestamp':'2026-11-02T01:00:00.000-07:00',"
           "'machineType':'https://c/zones/europe-west4-a/machineTypes/a3-highgpu-8g','labelFingerprint':'f=',"
           "'labels':{'team':'vision'},'scheduling':{'provisioningModel':'STANDARD'},"
           "'disks':[{'type':'PERSISTENT'}]}"));
}

// With a merge patch.
gcp::InstanceView viewOf(const char *patch = "{}")
{
    Json instance = described();
    instance.merge_patch(*format::parseJson(js(patch)));
    return gcp::instanceIn(instance).value();
}

model::TargetState stateWith(const char *patch)
{
    return gcp::stateOf(viewOf(patch), "lab");
}

} // namespace

class TestInstanceState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunningInstanceCanBeStoppedAndBroughtBack()
    {
        const model::TargetState state = stateWith("{}");
        QCOMPARE(state.ref.name, std::string("train-1"));
        QCOMPARE(state.ref.nameSpace, std::string("europe-west4-a"));
        QCOMPARE(state.ref.uid, std::string("42"));
        QCOMPARE(state.created, *base::parseTime("2026-11-01T08:00:00Z"));
        QVERIFY(!state.obstacle && !state.isStopped && state.isReversible && !state.protectedBy);
        QVERIFY((state.losses == std::vector{Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::Capacity}));
    }

    void whatStandsInTheWayIsNamed_data()
    {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *patch, Obstacle::Kind kind, const char *words) {
            QTest::newRow(name) << QString::fromUtf8(patch) << static_cast<int>(kind) << QString::fromUtf8(words);
        };
        row("stopped", "{'status':'TERMINATED'}", Obstacle::Kind::AlreadyStopped, "it is terminated");
        row("stopping", "{'status':'STOPPING'}", Obstacle::Kind::AlreadyStopped, "it is stopping");
        row("starting", "{'status':'STAGING'}", Obstacle::Kind::Other, "it is staging");
        row("suspended", "{'status':'SUSPENDED'}", Obstacle::Kind::Other, "it is suspended");
        row("cluster", "{'labels':{'goog-gke-node':''}}", Obstacle::Kind::ManagedElsewhere, "scale its pool down");
        row("group",
            "{'metadata':{'items':[{'key':'created-by','value':'projects/1/zones/z/instanceGroupManagers/pool-a'}]}}",
            Obstacle::Kind::ManagedElsewhere, "instance group pool-a");
    }
    void whatStandsInTheWayIsNamed()
    {
        QFETCH(const QString, patch);
        QFETCH(const int, kind);
        QFETCH(const QString, words);
        const model::TargetState state = stateWith(patch.toUtf8().constData());
        QVERIFY(state.obstacle.has_value());
        QCOMPARE(static_cast<int>(state.obstacle->kind), kind);
        QVERIFY2(state.obstacle->text.find(words.toStdString()) != std::string::npos, state.obstacle->text.c_str());
    }

    void aMachineOnItsWayIsTold()
    {
        for (const char *status : {"PROVISIONING", "STAGING", "STOPPING", "PENDING_STOP"})
            QVERIFY2(stateWith(("{'status':'" + std::string(status) + "'}").c_str()).isChanging, status);
        for (const char *status : {"RUNNING", "TERMINATED", "SUSPENDED", "REPAIRING"})
            QVERIFY2(!stateWith(("{'status':'" + std::string(status) + "'}").c_str()).isChanging, status);
    }

    // A person who starts a template by hand leaves another maker behind.
    void onlyManagersOfGroupsReplaceMachines()
    {
        QVERIFY(!stateWith("{'metadata':{'items':[{'key':'created-by','value':'someone'}]}}").obstacle);
    }

    void localDisksAndSpotMachinesAreSaid()
    {
        const model::TargetState disk = stateWith("{'disks':[{'type':'SCRATCH'}]}");
        QVERIFY(!disk.isReversible);
        QVERIFY(std::find(disk.losses.begin(), disk.losses.end(), Loss::LocalDisk) != disk.losses.end());
        const auto says = [](const model::TargetState &state, const char *words) {
            return std::any_of(state.cautions.begin(), state.cautions.end(),
                               [&](const Caution &one) { return one.text.find(words) != std::string::npos; });
        };
        QVERIFY(says(stateWith("{'scheduling':{'provisioningModel':'SPOT'}}"), "a spot machine"));
        QVERIFY(says(stateWith("{'scheduling':{'preemptible':true,'provisioningModel':null}}"), "a spot machine"));
        QVERIFY(!says(disk, "a spot machine"));
        QVERIFY(says(stateWith("{'scheduling':{'maxRunDuration':{'seconds':'3600'}}}"), "a limited time"));
    }

    void labelsOfOursProtect()
    {
        QVERIFY(stateWith("{'labels':{'gpu-ledger_protect':'true'}}").protectedBy.has_value());
        QVERIFY(!stateWith("{'labels':{'protect':'true'}}").protectedBy);
    }

    void theVersionChangesWithWhatMatters()
    {
        const std::string before = gcp::versionOf(viewOf());
        QCOMPARE(gcp::versionOf(viewOf()), before);
        for (const char *patch :
             {"{'id':'43'}", "{'status':'STOPPING'}", "{'lastStartTimestamp':'2026-11-03T01:00:00.000-07:00'}",
              "{'machineType':'x/a2-highgpu-1g'}", "{'labelFingerprint':'g='}", "{'labels':{'team':'speech'}}",
              "{'disks':[{'type':'SCRATCH'}]}",
              "{'metadata':{'items':[{'key':'created-by','value':'x/instanceGroupManagers/p'}]}}"})
            QVERIFY2(gcp::versionOf(viewOf(patch)) != before, patch);
    }

    void incompleteDescriptionsAreRefused()
    {
        for (const char *member : {"id", "name", "zone", "status"}) {
            Json instance = described();
            instance.erase(member);
            QVERIFY2(!gcp::instanceIn(instance), member);
        }
    }

    void operationsAndRightsAreRead()
    {
        const auto json = [](const char *text) { return *format::parseJson(js(text)); };
        QCOMPARE(gcp::failureOf(json("{'status':'DONE'}")), std::string());
        QCOMPARE(gcp::failureOf(json("{'error':{}}")), std::string("the operation failed"));
        QCOMPARE(
            gcp::failureOf(json("{'error':{'errors':[{'code':'ZONE_RESOURCE_POOL_EXHAUSTED','message':'no a3'}]}}")),
            std::string("ZONE_RESOURCE_POOL_EXHAUSTED: no a3"));
        QVERIFY(gcp::hasPermission(json("{'permissions':['a','compute.instances.stop']}"), "compute.instances.stop"));
        QVERIFY(!gcp::hasPermission(json("{'permissions':[1,'compute.instances.stopx']}"), "compute.instances.stop"));
        QVERIFY(!gcp::hasPermission(json("{}"), "compute.instances.stop"));
    }
};

GPULEDGER_SUITE(TestInstanceState)

} // namespace tst_instancestate

#include "tst_instancestate.moc"
