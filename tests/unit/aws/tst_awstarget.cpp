// SPDX-License-Identifier: GPL-3.0-or-later
// What AWS reports about machines and notebooks, and that only what was checked is stopped.
#include "connectors/format/xmltree.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakeaws.h"

#include <QTest>

#include <random>

namespace tst_awstarget {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::Caution;
using model::Loss;
using model::Obstacle;
using Kind = ports::WriteOutcome::Kind;

namespace {

bool has(const model::TargetState &state, Caution::Kind kind, const std::string &words = {})
{
    return std::any_of(state.cautions.begin(), state.cautions.end(), [&](const Caution &one) {
        return one.kind == kind && one.text.find(words) != std::string::npos;
    });
}

bool loses(const model::TargetState &state, Loss loss)
{
    return std::find(state.losses.begin(), state.losses.end(), loss) != state.losses.end();
}

} // namespace

class TestAwsTarget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsAMachine()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto state = target.find(setup.holder(), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QCOMPARE(state->ref.uid, std::string("arn:aws:ec2:us-east-1:123456789012:instance/i-0123456789abcdef0"));
        QCOMPARE(state->ref.source, std::string("aws-prod"));
        QCOMPARE(state->ref.cluster, std::string("123456789012/us-east-1"));
        QCOMPARE(state->value, std::string("\"running\""));
        QVERIFY(state->verb == model::StopVerb::StopInstance && !state->isStopped && !state->obstacle);
        QVERIFY(state->holders == std::vector{setup.holder()});
        QCOMPARE(state->labels.at("team"), std::string("vision"));
        QCOMPARE(base::toRfc3339(state->created),
                 std::string("2026-10-01T00:00:00Z")); // the creation of its volume, not its last start
        QVERIFY(has(*state, Caution::Kind::Unguarded) && has(*state, Caution::Kind::StaysBilled, "1 EBS volume and"));
        QVERIFY(loses(*state, Loss::ProcessMemory) && loses(*state, Loss::LocalDisk) && loses(*state, Loss::Capacity));
        QVERIFY(!state->isReversible); // its local disks are erased
        QVERIFY(!has(*state, Caution::Kind::Other));
        QVERIFY(!target.hasPreconditions());
        const auto again = target.read(state->ref, {});
        QVERIFY(again && again->version == state->version && again->holders.size() == 1);
        for (const http::Request &request : setup.server.requests)
            QCOMPARE(request.url, std::string("https://ec2.us-east-1.amazonaws.com/"));
    }

    void findsByThePrivateName()
    {
        AwsSetup setup;
        model::HolderKey key;
        key.node = "ip-10-0-0-1.ec2.internal";
        key.kind = model::SubjectKind::Machine;
        Machine old;
        old.id = "i-old";
        old.state = "terminated";
        setup.server.machines.push_back(old);
        auto target = setup.target();
        const auto state = target.find(key, {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QCOMPARE(state->ref.name, std::string("i-0123456789abcdef0"));
        QVERIFY(!state->obstacle && state->holders.size() == 1);
        QCOMPARE(state->holders[0].instanceId, std::string("i-0123456789abcdef0")); // as from read()
        key.instanceId = key.node; // its name in telemetry
        key.node = "another";
        QCOMPARE(target.find(key, {})->ref.name, std::string("i-0123456789abcdef0"));
        key.instanceId.clear();
        key.node = "ip-10-0-0-1.ec2.internal";
        setup.server.machines[1].state = "running";
        QVERIFY(target.find(key, {}).error().code == ErrorCode::Refused); // ambiguous
        key.node = "another";
        QVERIFY(target.find(key, {}).error().code == ErrorCode::NotFound);
        QVERIFY(target.find({}, {}).error().code == ErrorCode::NotFound);
    }

    void leavesPodsToTheirCluster()
    {
        AwsSetup setup;
        model::HolderKey key = setup.holder();
        key.nameSpace = "ml";
        key.uid = "a-pod";
        key.kind = model::SubjectKind::Pod;
        auto target = setup.target();
        const auto state = target.find(key, {});
        QVERIFY(state && state->obstacle && state->obstacle->kind == Obstacle::Kind::ManagedElsewhere);
        QVERIFY(target.stop(*state, AwsSetup::mark(), {}).kind == Kind::Refused);
        QCOMPARE(setup.server.count("StopInstances"), 0);
    }

    // Stopping the machine would end every job on it.
    void leavesJobsToTheirScheduler()
    {
        AwsSetup setup;
        model::HolderKey key;
        key.name = "4711";
        key.node = "ip-10-0-0-1.ec2.internal";
        key.kind = model::SubjectKind::SlurmJob;
        auto target = setup.target();
        const auto state = target.find(key, {});
        QVERIFY(state && state->obstacle && state->obstacle->kind == Obstacle::Kind::ManagedElsewhere);
        QVERIFY(target.stop(*state, AwsSetup::mark(), {}).kind == Kind::Refused);
        QCOMPARE(setup.server.count("StopInstances"), 0);
    }

    void tellsObstacles_data()
    {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<bool>("isProtected");
        QTest::addColumn<int>("obstacle"); // -1: none
        const auto row = [](const char *name, const char *state, const char *more, bool isProtected, int obstacle) {
            QTest::newRow(name) << QByteArray(state) << QByteArray(more) << isProtected << obstacle;
        };
        const auto n = [](Obstacle::Kind kind) { return static_cast<int>(kind); };
        row("running", "running", "", false, -1);
        row("starting", "pending", "", false, n(Obstacle::Kind::Other));
        row("stopping", "stopping", "", false, n(Obstacle::Kind::AlreadyStopped));
        row("stopped", "stopped", "", false, n(Obstacle::Kind::AlreadyStopped));
        row("ending", "shutting-down", "", false, n(Obstacle::Kind::Finished));
        row("protected", "running", "", true, n(Obstacle::Kind::StopProtection));
        row("operated", "running", "<operator><managed>true</managed></operator>", false,
            n(Obstacle::Kind::ManagedElsewhere));
        row("instance store", "running", "<rootDeviceType>instance-store</rootDeviceType>", false,
            n(Obstacle::Kind::LosesVolumes));
        row("one-time spot", "running",
            "<instanceLifecycle>spot</instanceLifecycle><spotInstanceRequestId>one-time</spotInstanceRequestId>", false,
            n(Obstacle::Kind::NeverStopped));
        row("persistent spot", "running",
            "<instanceLifecycle>spot</instanceLifecycle><spotInstanceRequestId>persistent</spotInstanceRequestId>",
            false, -1);
        row("unknown spot", "running", "<instanceLifecycle>spot</instanceLifecycle>", false, n(Obstacle::Kind::Other));
    }
    void tellsObstacles()
    {
        QFETCH(QByteArray, state);
        QFETCH(QByteArray, more);
        QFETCH(bool, isProtected);
        QFETCH(int, obstacle);
        AwsSetup setup;
        setup.server.machines[0].state = state.toStdString();
        setup.server.machines[0].more = more.toStdString();
        setup.server.machines[0].isProtected = isProtected;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE(found->obstacle ? static_cast<int>(found->obstacle->kind) : -1, obstacle);
        QCOMPARE(found->isChanging, state == "pending" || state == "stopping");
        QVERIFY(!found->isReversible); // this type has local disks
        const auto rehearsed = target.rehearse(*found, AwsSetup::mark(), {});
        QVERIFY(rehearsed);
        QCOMPARE(rehearsed->kind == ports::Rehearsal::Kind::Accepted, obstacle < 0);
        QCOMPARE(target.stop(*found, AwsSetup::mark(), {}).kind == Kind::Done, obstacle < 0);
        QCOMPARE(setup.server.effects, obstacle < 0 ? 1 : 0);
    }

    // Without local disks everything comes back; a spot machine may not come back at all.
    void tellsWhatIsOneWay()
    {
        for (const bool isSpot : {false, true}) {
            AwsSetup setup;
            setup.server.machines[0].type = "m5.large";
            setup.server.machines[0].tags["gpu-ledger.io/protect"] = "true";
            if (isSpot)
                setup.server.machines[0].more = "<instanceLifecycle>spot</instanceLifecycle><spotInstanceRequestId>"
                                                "persistent</spotInstanceRequestId>";
            auto target = setup.target();
            const auto found = target.find(setup.holder(), {});
            QVERIFY(found && !found->obstacle);
            QCOMPARE(found->isReversible, !isSpot);
            QVERIFY(found->protectedBy && found->protectedBy->place == model::ProtectMark::Place::Tag);
            QCOMPARE(found->protectedBy->object, "Instance " + setup.server.machines[0].id);
        }
    }

    void leavesGroupsToTheirOwners_data()
    {
        QTest::addColumn<QByteArray>("tag");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("asg") << QByteArray("aws:autoscaling:groupName") << QByteArray("Auto Scaling group x");
        QTest::newRow("eks") << QByteArray("eks:nodegroup-name") << QByteArray("EKS node group x");
        QTest::newRow("karpenter") << QByteArray("karpenter.sh/nodepool") << QByteArray("Karpenter node pool x");
        QTest::newRow("fleet") << QByteArray("aws:ec2spot:fleet-request-id") << QByteArray("spot fleet x");
        QTest::newRow("cluster") << QByteArray("kubernetes.io/cluster/prod") << QByteArray("Kubernetes cluster prod");
        QTest::newRow("not quite") << QByteArray("my.karpenter.sh/nodepool") << QByteArray();
    }
    void leavesGroupsToTheirOwners()
    {
        QFETCH(QByteArray, tag);
        QFETCH(QByteArray, words);
        AwsSetup setup;
        setup.server.machines[0].tags[tag.toStdString()] = "x";
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY(found);
        QCOMPARE(found->obstacle.has_value(), !words.isEmpty());
        if (words.isEmpty())
            return;
        QVERIFY(found->obstacle->kind == Obstacle::Kind::ManagedElsewhere);
        QVERIFY2(found->obstacle->text.starts_with(words.toStdString()), found->obstacle->text.c_str());
        QVERIFY(target.stop(*found, AwsSetup::mark(), {}).kind == Kind::Refused);
        QCOMPARE(setup.server.count("StopInstances"), 0);
    }

    // Information that could not be read is reported, and the worst case is assumed.
    void tellsWhatItCouldNotRead()
    {
        AwsSetup setup;
        setup.server.machines[0].type = "m5.large";
        auto target = setup.target();
        auto found = target.find(setup.holder(), {});
        QVERIFY(found && !loses(*found, Loss::LocalDisk) && found->isReversible);
        AwsSetup blind;
        blind.server.machines[0].type = "m5.large";
        blind.server.before = [](const std::string &action) -> FakeAws::Reply {
            if (action == "DescribeInstanceTypes" || action == "DescribeInstanceAttribute")
                return ec2Error("UnauthorizedOperation", 403);
            return std::nullopt;
        };
        auto other = blind.target();
        found = other.find(blind.holder(), {});
        QVERIFY(found && loses(*found, Loss::LocalDisk) && !found->obstacle && !found->isReversible);
        QVERIFY(has(*found, Caution::Kind::Other, "instance store"));
        QVERIFY(has(*found, Caution::Kind::Other, "stop protection"));
    }

    void stopsMarksAndStartsAgain()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY(found);
        const auto stopped = target.stop(*found, AwsSetup::mark(), {});
        QVERIFY2(stopped.kind == Kind::Done && stopped.warnings.empty(), stopped.text.c_str());
        QCOMPARE(stopped.receipt, std::string("req-1"));
        for (const FakeAws::Form &form : setup.server.forms) {
            for (const char *never : {"Force", "Hibernate", "SkipOsShutdown"})
                QVERIFY(!form.contains(never));
        }
        const auto after = target.read(found->ref, {});
        QVERIFY(after && after->isStopped && after->holders.empty() && after->mark);
        QCOMPARE(after->version, stopped.version);
        QCOMPARE(after->mark->key, std::string("key-1"));
        QCOMPARE(after->mark->actor, std::string("ada@example.org"));
        QCOMPARE(after->mark->reason, std::string("idle for 3 days"));
        QCOMPARE(after->mark->oldValue, std::string("\"running\""));
        QVERIFY(after->mark->at == AwsSetup::mark().at);
        const auto undone = target.undo(*after, AwsSetup::mark(), "", {});
        QVERIFY2(undone.kind == Kind::Done && undone.warnings.empty(), undone.text.c_str());
        const auto back = target.read(found->ref, {});
        QVERIFY(back && back->value == "\"running\"" && !back->mark && back->labels == found->labels);
        QCOMPARE(setup.server.effects, 2);
    }

    // Only our own stop can be undone.
    void startsOnlyWhatItStopped()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY(target.stop(*found, AwsSetup::mark(), {}).kind == Kind::Done);
        auto after = target.read(found->ref, {});
        model::StopMark other = AwsSetup::mark();
        other.key = "key-2";
        QVERIFY(target.undo(*after, other, "", {}).kind == Kind::Changed);
        model::StopMark never = AwsSetup::mark();
        never.oldValue = "\"stopped\"";
        QVERIFY(target.undo(*after, never, "", {}).kind == Kind::Refused);
        setup.server.machines[0].tags["team"] = "speech"; // changed since it was read
        QVERIFY(target.undo(*after, AwsSetup::mark(), "", {}).kind == Kind::Changed);
        after = target.read(found->ref, {});
        setup.server.machines[0].state = "running";
        QVERIFY(target.undo(*after, AwsSetup::mark(), "", {}).kind == Kind::Changed);
        QCOMPARE(setup.server.count("StartInstances"), 0);
    }

    void asksForRightsByDryRun()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY(target.permission(*found, false, {})->isAllowed);
        QVERIFY(target.permission(*found, true, {})->isAllowed);
        setup.server.before = [](const std::string &action) -> FakeAws::Reply {
            if (action == "StopInstances" || action == "CreateTags")
                return ec2Error("UnauthorizedOperation", 403,
                                "You are not authorized. Encoded authorization failure message: x");
            return std::nullopt;
        };
        const auto refused = target.permission(*found, false, {});
        QVERIFY(refused && !refused->isAllowed);
        QCOMPARE(refused->missing, "ec2:StopInstances on " + found->ref.uid);
        QVERIFY(target.rehearse(*found, AwsSetup::mark(), {})->kind == ports::Rehearsal::Kind::Refused);
        setup.server.before = [](const std::string &action) -> FakeAws::Reply {
            return action == "CreateTags" ? FakeAws::Reply(ec2Error("UnauthorizedOperation", 403)) : std::nullopt;
        };
        const auto rehearsed = target.rehearse(*found, AwsSetup::mark(), {});
        QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Accepted && rehearsed->warnings.size() == 1);
        QCOMPARE(setup.server.effects, 0);
        // Stopped nevertheless, with a warning.
        const auto stopped = target.stop(*found, AwsSetup::mark(), {});
        QVERIFY(stopped.kind == Kind::Done && stopped.warnings.size() == 1);
        QVERIFY(stopped.warnings[0].find("ec2:CreateTags is not allowed") != std::string::npos);
    }

    // Whatever happens between the check and the stop: a machine in another state is not stopped.
    void stopsNothingThatChanged()
    {
        std::mt19937 random(20261122);
        const std::vector<std::function<void(Machine &)>> changes{
            [](Machine &m) { m.tags["team"] = "speech"; },
            [](Machine &m) { m.tags.erase("team"); },
            [](Machine &m) { m.tags["gpu-ledger.io/protect"] = "true"; },
            [](Machine &m) { m.launched = "2026-11-22T09:59:59.000Z"; }, // stopped and started
            [](Machine &m) { m.state = "stopped"; },
            [](Machine &m) { m.state = "stopping"; },
            [](Machine &m) { m.state = "terminated"; },
            [](Machine &m) { m.id = "i-0ffffffffffffffff"; }, // replaced
            [](Machine &m) { m.type = "p5.48xlarge"; },
            [](Machine &m) { m.account = "210987654321"; },
            [](Machine &m) { m.reason = "Server.ScheduledStop"; }};
        int stopped = 0, changed = 0;
        for (int i = 0; i < 1000; ++i) {
            AwsSetup setup;
            auto target = setup.target();
            const auto found = target.find(setup.holder(), {});
            const bool change = random() % 4 != 0;
            if (change) {
                changes[random() % changes.size()](setup.server.machines[0]);
                ++changed;
            }
            const auto outcome = target.stop(*found, AwsSetup::mark(), {});
            if (change) {
                QVERIFY2(outcome.kind == Kind::Changed || outcome.kind == Kind::Gone, outcome.text.c_str());
                QCOMPARE(setup.server.count("StopInstances"), 0);
            } else {
                QVERIFY(outcome.kind == Kind::Done);
                stopped += setup.server.effects;
            }
        }
        QVERIFY(changed > 600);
        QCOMPARE(stopped, 1000 - changed);
    }

    // Someone else was faster between the description and the call.
    void tellsThatSomebodyElseStoppedIt()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        setup.server.before = [&](const std::string &action) -> FakeAws::Reply {
            if (action == "StopInstances")
                setup.server.machines[0].state = "stopped";
            return std::nullopt;
        };
        const auto outcome = target.stop(*found, AwsSetup::mark(), {});
        QVERIFY2(outcome.kind == Kind::Changed, outcome.text.c_str());
        QCOMPARE(setup.server.count("CreateTags"), 0);
    }

    void tellsThatTagsChangedInTheMomentOfTheCall()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        setup.server.before = [&](const std::string &action) -> FakeAws::Reply {
            if (action == "StopInstances")
                setup.server.machines[0].tags["team"] = "speech";
            return std::nullopt;
        };
        const auto outcome = target.stop(*found, AwsSetup::mark(), {});
        QVERIFY(outcome.kind == Kind::Done && outcome.warnings.size() == 1);
        QVERIFY(outcome.warnings[0].find("in the very moment") != std::string::npos);
    }

    // A description is valid for two seconds.
    void stopsNothingOnAnOldLook()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        int slow = 2;
        setup.server.before = [&](const std::string &action) -> FakeAws::Reply {
            if (action == "DescribeInstances" && slow-- > 0)
                setup.pause->pass(http::Milliseconds{2'001});
            return std::nullopt;
        };
        QVERIFY(target.stop(*found, AwsSetup::mark(), {}).kind == Kind::Done); // the third description was fast
        AwsSetup slower;
        auto other = slower.target();
        const auto again = other.find(slower.holder(), {});
        slower.server.before = [&](const std::string &) -> FakeAws::Reply {
            slower.pause->pass(http::Milliseconds{2'001});
            return std::nullopt;
        };
        QVERIFY(other.stop(*again, AwsSetup::mark(), {}).kind == Kind::TryLater);
        QCOMPARE(slower.server.count("StopInstances"), 0);
    }

    void isStillBusyWhileItStops()
    {
        AwsSetup setup;
        setup.server.slowStop = true;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY(target.stop(*found, AwsSetup::mark(), {}).kind == Kind::Done);
        const auto state = target.read(found->ref, {});
        QVERIFY(state && !state->isStopped && state->holders.size() == 1);
    }

    void stopsAndStartsANotebook()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.notebookHolder(), {}); // its ARN is in lower case: found by listing
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE(setup.server.count("ListNotebookInstances"), 2);
        QCOMPARE(found->ref.name, std::string("Book"));
        QCOMPARE(found->ref.uid, setup.server.notebook.arn() + "@1795358847046");
        QVERIFY(has(*found, Caution::Kind::Unguarded, "can't be guarded by the platform"));
        QVERIFY(has(*found, Caution::Kind::StaysBilled) && loses(*found, Loss::LocalDisk));
        QVERIFY(target.rehearse(*found, AwsSetup::mark(), {})->kind == ports::Rehearsal::Kind::Impossible);
        model::StopMark mark = AwsSetup::mark();
        mark.oldValue = found->value;
        const auto stopped = target.stop(*found, mark, {});
        QVERIFY2(stopped.kind == Kind::Done && stopped.warnings.empty(), stopped.text.c_str());
        const auto after = target.read(found->ref, {});
        QVERIFY(after && after->isStopped && after->mark && after->holders.empty());
        QVERIFY(after->mark->oldValue == "\"InService\"");
        setup.server.notebook.status = "Stopping";
        QVERIFY(target.read(found->ref, {})->isChanging && !after->isChanging);
        setup.server.notebook.status = "Stopped";
        const auto undone = target.undo(*after, mark, "", {});
        QVERIFY2(undone.kind == Kind::Done, undone.text.c_str());
        QCOMPARE(setup.server.notebook.status, std::string("InService"));
        QCOMPARE(setup.server.notebook.tags.size(), std::size_t{1});
        for (const http::Request &request : setup.server.requests)
            QCOMPARE(request.url, std::string("https://api.sagemaker.us-east-1.amazonaws.com/"));
    }

    void stopsNothingElseOfSageMaker()
    {
        AwsSetup setup;
        for (const char *what :
             {"endpoint/chat", "endpoint/chat/all", "training-job/train", "app/d-1/ada/jupyterlab/default"}) {
            model::HolderKey holder = setup.notebookHolder();
            holder.instanceId = std::string("arn:aws:sagemaker:us-east-1:123456789012:") + what;
            const auto found = setup.target().find(holder, {});
            QVERIFY2(!found && found.error().code == ErrorCode::Refused, what); // it exists, after all
        }
        QVERIFY(setup.server.actions.empty());
    }

    void stopsNoNotebookThatChanged_data()
    {
        QTest::addColumn<int>("change");
        QTest::newRow("replaced") << 0;
        QTest::newRow("used or updated") << 1;
        QTest::newRow("tagged") << 2;
        QTest::newRow("stopped") << 3;
    }
    void stopsNoNotebookThatChanged()
    {
        QFETCH(int, change);
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.notebookHolder(), {});
        QVERIFY(found);
        Notebook &book = setup.server.notebook;
        if (change == 0)
            book.created += 60;
        if (change == 1)
            book.modified += 1;
        if (change == 2)
            book.tags["gpu-ledger.io/protect"] = "true";
        if (change == 3)
            book.status = "Stopped";
        const auto outcome = target.stop(*found, AwsSetup::mark(), {});
        QVERIFY2(outcome.kind == Kind::Changed, outcome.text.c_str());
        QCOMPARE(setup.server.count("StopNotebookInstance"), 0);
        QCOMPARE(target.read(found->ref, {}).has_value(), change != 0);
    }

    // Addressed by name only: what can't be prevented is noticed afterwards.
    void tellsThatANotebookWasReplacedInTheMomentOfTheCall()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.notebookHolder(), {});
        setup.server.before = [&](const std::string &action) -> FakeAws::Reply {
            if (action == "StopNotebookInstance")
                setup.server.notebook.created += 60;
            return std::nullopt;
        };
        const auto outcome = target.stop(*found, AwsSetup::mark(), {});
        QVERIFY(outcome.kind == Kind::Done && outcome.warnings.size() == 1);
        QVERIFY(outcome.warnings[0].find("another notebook took this name") != std::string::npos);
    }

    void refusesXmlThatIsNone()
    {
        using format::parseXml;
        QVERIFY(parseXml("<a><b>1</b></a>").has_value());
        QCOMPARE(parseXml("<a><b> x&amp;y&#228; </b></a>")->textAt("b"), std::string("x&y\xC3\xA4"));
        for (const char *wrong : {"", "text", "<a>", "<a></b>", "<a/><b/>", "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
                                  "<a>&e;</a>", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"})
            QVERIFY2(!parseXml(wrong), wrong);
        std::string deep;
        for (int i = 0; i < 40; ++i)
            deep += "<a>";
        QVERIFY(!parseXml(deep));
        std::string wide = "<a>";
        for (std::size_t i = 0; i <= format::kMaxXmlNodes; ++i)
            wide += "<b/>";
        QVERIFY(!parseXml(wide + "</a>"));
    }

    // Wherever the answer is truncated, nothing is stopped based on it and nothing crashes.
    void refusesHalfAnswers()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY(found);
        const std::string whole = setup.server.client()->perform(setup.server.requests.front(), {})->body;
        QVERIFY(whole.find("i-0123456789abcdef0") != std::string::npos);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            AwsSetup half;
            auto other = half.target();
            half.server.before = [&](const std::string &action) -> FakeAws::Reply {
                if (action == "DescribeInstances")
                    return answer(whole.substr(0, size), 200, "text/xml");
                return std::nullopt;
            };
            const auto outcome = other.stop(*found, AwsSetup::mark(), {});
            QVERIFY(outcome.kind != Kind::Done);
            QCOMPARE(half.server.count("StopInstances"), 0);
        }
    }
};

GPULEDGER_SUITE(TestAwsTarget)

} // namespace tst_awstarget

#include "tst_awstarget.moc"
