// SPDX-License-Identifier: GPL-3.0-or-later
// Compute instances of Azure Machine Learning, stopped and started through the kind `azure`.
#include "connectors/azure/compute/computekind.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakeinstances.h"

#include <QTest>

#include <algorithm>

namespace tst_azureinstancestops {

using namespace gpuledger;
using namespace gpuledger::tests;
using namespace gpuledger::tests::learning;
using base::ErrorCode;
using Ended = ports::WriteOutcome::Kind;
using ObstacleKind = model::Obstacle::Kind;

class TestAzureInstanceStops : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsAnInstanceByItsNames()
    {
        for (const char *name : {"lab/vision/notebook", "Lab/VISION/Notebook", "notebook", "NoteBook"}) {
            StopSetup setup;
            const auto state = setup.find(name);
            QVERIFY2(state.has_value(), name);
            QCOMPARE(state->ref.source, std::string("cloud"));
            QCOMPARE(state->ref.cluster, std::string("11111111-2222-3333-4444-555555555555"));
            QCOMPARE(state->ref.kind, std::string("ComputeInstance"));
            QCOMPARE(state->ref.nameSpace, std::string("lab/vision"));
            QCOMPARE(state->ref.name, std::string("notebook"));
            QCOMPARE(state->ref.uid, kUid);
            QCOMPARE(state->holders.size(), std::size_t{1});
            QCOMPARE(state->holders.front().name, std::string(name));
            QCOMPARE(state->holders.front().instanceId, kFullName);
            QCOMPARE(setup.sent(), std::ptrdiff_t{0});
        }
    }

    void saysWhatAStopMeans()
    {
        const model::TargetState state = StopSetup().found();
        QVERIFY(!state.obstacle && !state.isStopped && !state.isChanging && !state.isReversible);
        QVERIFY(state.verb == model::StopVerb::StopInstance);
        QCOMPARE(state.value, std::string("\"running\""));
        QCOMPARE(state.stoppedValue, std::string("\"stopped\""));
        QCOMPARE(base::toRfc3339(state.created), std::string("2026-11-01T00:00:00Z"));
        QVERIFY(state.labels == (model::Labels{{"team", "vision"}}));
        QVERIFY(state.annotations == (model::Labels{{"instance-type", "STANDARD_NC6S_V3"}, {"region", "eastus"}}));
        using model::Loss;
        QVERIFY(state.losses
                == (std::vector{Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::LocalDisk, Loss::Capacity}));
        QCOMPARE(textsOf(state, model::Caution::Kind::StaysBilled),
                 std::string("its disk, its load balancer and any public IP address stay billed"));
        QVERIFY(!textsOf(state, model::Caution::Kind::Unguarded).empty());
        QVERIFY(textsOf(state, model::Caution::Kind::Other).empty());
        QVERIFY(textsOf(state, model::Caution::Kind::FutureRuns).empty());
    }

    void stopsOnlyWhatRuns_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("obstacle");
        QTest::addColumn<bool>("isOver"); // already stopped, and not only refused
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("isChanging");
        const auto row = [](const char *state, const char *obstacle, bool isOver, const char *value, bool isChanging) {
            QTest::newRow(state) << QString::fromLatin1(state) << QString::fromLatin1(obstacle) << isOver
                                 << QString::fromLatin1(value) << isChanging;
        };
        row("Running", "", false, "running", false);
        row("RUNNING", "", false, "running", false);
        row("JobRunning", "a job runs on it", false, "running", false);
        row("Stopped", "it is stopped", true, "stopped", false);
        row("Stopping", "it is stopping", true, "stopping", true);
        row("Starting", "its state is Starting", false, "starting", true);
        row("Restarting", "its state is Restarting", false, "restarting", true);
        row("SettingUp", "its state is SettingUp", false, "settingup", true);
        row("UserSettingUp", "its state is UserSettingUp", false, "usersettingup", true);
        row("SetupFailed", "its state is SetupFailed", false, "setupfailed", false);
        row("Creating", "its state is Creating", false, "creating", false);
        row("CreateFailed", "its state is CreateFailed", false, "createfailed", false);
        row("Resizing", "its state is Resizing", false, "resizing", false);
        row("Deleting", "its state is Deleting", false, "deleting", false);
        row("Unusable", "its state is Unusable", false, "unusable", false);
        row("Unknown", "its state is Unknown", false, "unknown", false);
        row("a\\nb", "its state is a b", false, "a b", false);
        row("", "its state is unknown", false, "", false);
    }
    void stopsOnlyWhatRuns()
    {
        QFETCH(QString, state);
        QFETCH(QString, obstacle);
        QFETCH(bool, isOver);
        QFETCH(QString, value);
        QFETCH(bool, isChanging);
        StopSetup setup;
        setup.put(inState(state.toStdString()));
        const model::TargetState now = setup.found();
        QCOMPARE(now.obstacle ? now.obstacle->text : std::string(), obstacle.toStdString());
        QVERIFY(!now.obstacle || now.obstacle->kind == (isOver ? ObstacleKind::AlreadyStopped : ObstacleKind::Other));
        QCOMPARE(now.value, '"' + value.toStdString() + '"');
        QCOMPARE(now.isChanging, isChanging);
        QCOMPARE(now.isStopped, state == QStringLiteral("Stopped"));
        QCOMPARE(now.holders.empty(), now.isStopped);
        const auto outcome = setup.stopIt(now);
        QVERIFY(outcome.kind == (obstacle.isEmpty() ? Ended::Done : Ended::Refused));
        QCOMPARE(setup.sent(), std::ptrdiff_t{obstacle.isEmpty() ? 1 : 0});
    }

    void waitsForAnOperationThatGoesOn()
    {
        const auto obstacleOf = [](const std::string &provisioning) {
            Description one;
            one.provisioning = provisioning;
            const auto state = StopSetup::of(one);
            return state.obstacle && state.obstacle->kind == ObstacleKind::Other ? state.obstacle->text : std::string();
        };
        QCOMPARE(obstacleOf("succeeded"), std::string());
        QCOMPARE(obstacleOf("Updating"), std::string("an operation on it goes on: Updating"));
        QCOMPARE(obstacleOf("Deleting"), std::string("an operation on it goes on: Deleting"));
        QCOMPARE(obstacleOf("Failed"), std::string("the last operation on it did not succeed: Failed"));
        QCOMPARE(obstacleOf(""), std::string("whether an operation on it goes on is unknown"));
    }

    void stopsAndStartsOnce()
    {
        StopSetup setup;
        const model::TargetState running = setup.found();
        setup.onQuestion = [&](const std::string &question) {
            if (question == kStop)
                setup.put(inState("Stopping"));
        };
        const auto stopped = setup.stopIt(running);
        QVERIFY(stopped.kind == Ended::Done && stopped.warnings.empty());
        QCOMPARE(joined(setup.asked, "\n"), joined({kAskNotebook, kStop, kAskNotebook}, "\n"));
        QCOMPARE(stopped.version, target(setup, "Stopping").version);
        QVERIFY(stopped.version != running.version);

        const model::TargetState off = target(setup, "Stopped");
        QVERIFY(off.isStopped && off.holders.empty());
        setup.asked.clear();
        setup.onQuestion = [&](const std::string &question) {
            if (question == kStart)
                setup.put(inState("Starting"));
        };
        const auto started = setup.startIt(off);
        QVERIFY(started.kind == Ended::Done);
        QCOMPARE(joined(setup.asked, "\n"), joined({kAskNotebook, kStart, kAskNotebook}, "\n"));
        QCOMPARE(started.version, target(setup, "Starting").version);
        // A job that was waiting for it does not hide that it runs again.
        QCOMPARE(target(setup, "JobRunning").value, std::string("\"running\""));
    }

    void startsOnlyWhatRanBefore()
    {
        StopSetup setup;
        const model::TargetState running = setup.found(), off = target(setup, "Stopped");
        setup.asked.clear();
        QVERIFY(setup.startIt(off, "\"stopped\"").kind == Ended::Refused);
        QVERIFY(setup.startIt(running).kind == Ended::Changed);
        QVERIFY(setup.asked.empty());
    }

    void aLaterInstanceOfTheNameIsAnother()
    {
        StopSetup setup;
        const model::TargetState state = setup.found();
        Description later;
        later.created = "'2026-11-19T00:00:00+00:00'";
        setup.put(later);
        QVERIFY(setup.target->read(state.ref, {}).error().code == ErrorCode::NotFound);
        QVERIFY(setup.target->standing(state.ref, {}).error().code == ErrorCode::NotFound);
        QVERIFY(setup.stopIt(state).kind == Ended::Changed);
        setup.answers.erase(kAskNotebook);
        QVERIFY(setup.stopIt(state).kind == Ended::Gone);
        QCOMPARE(setup.sent(), std::ptrdiff_t{0});
        setup.put({});
        QVERIFY(setup.target->read(state.ref, {}).has_value());
        Description same; // the same time in other words
        same.created = "'2026-11-01T02:00:00+02:00'";
        setup.put(same);
        QVERIFY(setup.target->read(state.ref, {}).has_value());
    }

    void nothingIsSentToAnInstanceThatChanged()
    {
        std::vector<Description> all(8);
        all[0].size = "STANDARD_NC12S_V3";
        all[1].state = "JobRunning";
        all[2].provisioning = "Updating";
        all[3].last = operation("Restart");
        all[4].last = operation("Start", "InProgress");
        all[5].last = operation("Start", "Succeeded", "2026-11-20T11:11:12Z");
        all[6].tags = "{'team':'speech'}";
        all[7].tags = "{'team':'vision','gpu-ledger.io-protect':'true'}";
        for (const Description &one : all) {
            StopSetup setup;
            const model::TargetState state = setup.found();
            setup.put(one);
            const auto rehearsed = setup.target->rehearse(state, {}, {});
            QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Refused);
            QVERIFY2(setup.stopIt(state).kind == Ended::Changed, one.text().c_str());
            QCOMPARE(setup.sent(), std::ptrdiff_t{0});
        }
        StopSetup setup;
        const model::TargetState state = setup.found();
        Description same;
        same.more = ",'createdBy':7,'applications':[]";
        setup.put(same);
        QVERIFY(setup.target->rehearse(state, {}, {})->kind == ports::Rehearsal::Kind::Impossible);
        QVERIFY(setup.stopIt(state).kind == Ended::Done);
    }

    void aLostAnswerIsUnknownUntilItIsRead()
    {
        StopSetup setup;
        const model::TargetState state = setup.found();
        setup.lost = {kStop};
        setup.onQuestion = [&](const std::string &question) {
            if (question == kStop)
                setup.put(inState("Stopping"));
        };
        QVERIFY(setup.stopIt(state).kind == Ended::Unknown);
        QCOMPARE(setup.count(kStop), std::ptrdiff_t{1});
        const auto now = setup.target->read(state.ref, {});
        QVERIFY(now && now->isChanging && !now->isStopped);
        QCOMPARE(now->holders.size(), std::size_t{1});
    }

    void saysWhatBecameOfAChange()
    {
        const auto endedBy = [](int status, const std::string &code) {
            StopSetup setup;
            const model::TargetState state = setup.found();
            setup.answers[kStop] = status < 300 ? answer({}, status) : refusal(status, code);
            const auto outcome = setup.stopIt(state);
            return setup.count(kStop) == 1 && outcome.text.empty() == (status < 300) ? std::optional(outcome.kind)
                                                                                     : std::nullopt;
        };
        QVERIFY(endedBy(200, "") == Ended::Done);
        QVERIFY(endedBy(202, "") == Ended::Done);
        QVERIFY(endedBy(409, "ScopeLocked") == Ended::Refused);
        QVERIFY(endedBy(409, "Conflict") == Ended::Changed);
        QVERIFY(endedBy(400, "BadRequest") == Ended::Refused);
        QVERIFY(endedBy(403, "AuthorizationFailed") == Ended::Refused);
        QVERIFY(endedBy(404, "ResourceNotFound") == Ended::Gone);
        QVERIFY(endedBy(429, "TooManyRequests") == Ended::TryLater);
        QVERIFY(endedBy(500, "InternalServerError") == Ended::Unknown);
    }

    void aLockThatLetsNothingBeChangedProtects()
    {
        const auto lock = [](const std::string &name, const std::string &level) {
            return "{'name':'" + name + "','properties':{'level':'" + level + "'}}";
        };
        StopSetup setup;
        setup.answers[kAskLocks] = answer(page({lock("keep", "CanNotDelete")}, "/locks2"));
        setup.answers["GET /locks2"] = answer(page({lock("audit", "ReadOnly")}));
        const model::TargetState state = setup.found();
        QVERIFY(state.obstacle && state.obstacle->kind == ObstacleKind::StopProtection);
        QCOMPARE(state.obstacle->text, std::string("the lock audit lets nothing be changed"));
        setup.answers["GET /locks2"] = answer(page({}));
        QVERIFY(!setup.found().obstacle);
        for (const http::Response &unread : {refusal(403, "AuthorizationFailed"), answer("{}"), answer("<html>")}) {
            setup.answers[kAskLocks] = unread;
            const model::TargetState unsure = setup.found();
            QVERIFY(!unsure.obstacle);
            QCOMPARE(textsOf(unsure, model::Caution::Kind::Other),
                     std::string("whether a lock protects it could not be read"));
        }
        QVERIFY(setup.target->standing(state.ref, {})->version == state.version);
        QCOMPARE(joined(setup.asked, "\n"), kAskNotebook); // no locks
    }

    void tagsProtect()
    {
        const auto tagged = [](const std::string &tags) {
            Description one;
            one.tags = tags;
            return StopSetup::of(one);
        };
        const model::TargetState state =
            tagged("{'gpu-ledger.io-protect':'true','gpu-ledger.io-keep-until':'2099-01-01'}");
        QVERIFY(state.protectedBy && state.protectedBy->place == model::ProtectMark::Place::Tag);
        QCOMPARE(state.protectedBy->object, std::string("ComputeInstance lab/vision/notebook"));
        QVERIFY(state.labels.count(model::kKeepUntil) == 1);
        QVERIFY(!tagged("{'gpu-ledger.io-protect':'false'}").protectedBy);
        QVERIFY(!tagged("{'gpu-ledger.io-protect':7}").protectedBy && tagged("7").labels.empty());
    }

    void namesTheSchedulesThatStartIt()
    {
        const auto startsOf = [](const std::string &schedules) {
            Description one;
            one.more = ",'schedules':" + schedules;
            return textsOf(StopSetup::of(one), model::Caution::Kind::FutureRuns);
        };
        const auto schedule = [](const std::string &id, const std::string &action, const std::string &status) {
            return "{'id':" + id + ",'action':'" + action + "','status':" + status + ",'triggerType':'Cron'}";
        };
        const auto all = [](const std::vector<std::string> &some) {
            return "{'computeStartStop':[" + joined(some, ",") + "]}";
        };
        QCOMPARE(startsOf(all({schedule("'mornings'", "Start", "'Enabled'"), schedule("'nights'", "Stop", "'Enabled'"),
                               schedule("'never'", "Start", "'Disabled'"), schedule("'noon'", "start", "'enabled'")})),
                 std::string("mornings; noon"));
        QCOMPARE(
            startsOf(all({schedule("7", "Start", "'Enabled'"), schedule("'unsure'", "Start", "null"), "7", "null"})),
            std::string("one without a name; unsure"));
        for (const char *none : {"null", "7", "[]", "{}", "{'computeStartStop':{}}", "{'computeStartStop':[]}"})
            QCOMPARE(startsOf(none), std::string());
    }

    void clustersAndTheirNodesAreLeftToThese()
    {
        StopSetup setup;
        Description train;
        train.type = "AmlCompute";
        setup.put(train);
        const model::TargetState state = setup.found();
        QVERIFY(state.obstacle && state.obstacle->kind == ObstacleKind::ManagedElsewhere);
        QVERIFY(state.obstacle->text.find("minimum number of nodes to 0") != std::string::npos);
        QVERIFY(setup.stopIt(state).kind == Ended::Refused);
        QVERIFY(setup.refusedWith("train") == ErrorCode::NotFound);
        const auto node = setup.find("lab/vision/train/tvm-1");
        QVERIFY(!node && node.error().code == ErrorCode::Refused);
        QCOMPARE(node.error().text, state.obstacle->text);
        QVERIFY(setup.refusedWith("lab/speech/train/tvm-1") == ErrorCode::NotFound);
        Description attached;
        attached.type = "Kubernetes";
        setup.put(attached);
        QVERIFY(setup.refusedWith(kFullName) == ErrorCode::NotFound);
        QCOMPARE(setup.sent(), std::ptrdiff_t{0});
    }

    void asksForTheRightOnTheCompute()
    {
        const std::string begin = "Microsoft.MachineLearningServices/workspaces/computes/";
        StopSetup setup;
        const model::TargetState state = setup.found();
        for (const bool undo : {false, true}) {
            const std::string right = begin + (undo ? "start" : "stop") + "/action";
            for (const std::string &given :
                 {"'" + right + "'", "'" + azure::lowerCase(begin) + "*'", std::string("'*'")}) {
                setup.answers[kAskRights] = answer(permissions(given));
                QVERIFY2(setup.target->permission(state, undo, {})->isAllowed, given.c_str());
            }
            const std::string other = "'" + begin + (undo ? "stop" : "start") + "/action'";
            for (const std::string &given : {permissions("'*/read'," + other), permissions("'*'", "'" + right + "'"),
                                             permissions("'Microsoft.Compute/virtualMachines/deallocate/action'")}) {
                setup.answers[kAskRights] = answer(given);
                const auto permission = setup.target->permission(state, undo, {});
                QVERIFY(permission && !permission->isAllowed);
                QCOMPARE(permission->missing, right + " on lab/vision/notebook");
            }
            const std::string policy(azure::computeKind().rights.back().policy);
            QVERIFY(policy.find('"' + right + '"') != std::string::npos);
        }
        setup.answers[kAskRights] = refusal(403, "AuthorizationFailed");
        QVERIFY(setup.target->permission(state, false, {}).error().code == ErrorCode::Forbidden);
    }

    void aDescriptionThatCanNotBeReadIsNotActedOn()
    {
        std::vector<Description> all(10);
        all[0].id = kSubscription + kVision + "/computes/other";
        all[1].id = "https://elsewhere.example/";
        all[2].name = "other";
        all[3].name = "";
        all[4].type = "";
        all[5].size = "";
        all[6].created = "null";
        all[7].created = "'soon'";
        all[8].created = "'0001-01-01T00:00:00+00:00'";
        all[9].created = "7";
        std::vector<std::string> texts{"{", "null", "[]", "7", "{}", "<html>", js("{'properties':7}")};
        for (const Description &one : all)
            texts.push_back(one.text());
        for (const std::string &text : texts) {
            StopSetup setup;
            const model::TargetState state = setup.found();
            setup.answers[kAskNotebook] = answer(text);
            QVERIFY2(setup.refusedWith(kFullName) == ErrorCode::Parse, text.c_str());
            QVERIFY(setup.stopIt(state).kind == Ended::TryLater);
            QCOMPARE(setup.sent(), std::ptrdiff_t{0});
        }
    }

    void aNameMustMeanOneInstance()
    {
        StopSetup setup;
        for (const char *name : {"other", "lab/other/notebook", "other/vision/notebook", "lab/vision/", "lab/vision/..",
                                 "lab/vision/a/b/c", "lab/vision/other", "//", "lab//notebook"})
            QVERIFY2(setup.refusedWith(name) == ErrorCode::NotFound, name);
        const std::string speech = "/resourceGroups/Lab" + kService + "/speech";
        setup.answers[kAskWorkspaces] = answer(page({workspace(kVision), workspace(speech)}));
        setup.answers["GET " + speech + "/computes"] = answer(page({instance("NOTEBOOK")}));
        QVERIFY(setup.refusedWith("notebook") == ErrorCode::Refused);
        QVERIFY(setup.find().has_value()); // its full name is clear
        setup.answers["GET " + speech + "/computes"] = answer(page({cluster("notebook")}));
        QVERIFY(setup.find("notebook").has_value());
        setup.answers["GET " + speech + "/computes"] = refusal(403, "AuthorizationFailed");
        QVERIFY(setup.refusedWith("notebook") == ErrorCode::Refused); // which may be there, too
        QVERIFY(setup.refusedWith("other") == ErrorCode::NotFound);
        QVERIFY(setup.find().has_value());
    }

    void virtualMachinesDoNotNeedTheService()
    {
        const std::string vm = kSubscription + "/resourceGroups/Lab/providers/Microsoft.Compute/virtualMachines/gpu-1";
        const std::string path = azure::lowerCase(vm.substr(kSubscription.size())), version = "?api-version=2024-07-01";
        const std::string found =
            "{'id':'" + vm + "','properties':{'vmId':'v','osProfile':{'computerName':'notebook'}}}";
        StopSetup setup;
        setup.answers[kAskVirtualMachines] = answer(page({found}));
        setup.answers["GET " + path + version] = answer(js(found));
        // Its path has Microsoft.Compute in lower case, so it is answered and kept like those of instances.
        setup.answers["GET " + path + "/instanceView" + version] = answer(js("{'statuses':[]}"));
        for (const char *name : {"gpu-1", "lab/gpu-1", "notebook"}) {
            const auto state = setup.find(name);
            QVERIFY2(state.has_value(), name);
            QCOMPARE(state->ref.kind, std::string("VirtualMachine"));
            QVERIFY(std::none_of(setup.asked.begin(), setup.asked.end(), [](const std::string &one) {
                return one.find("MachineLearningServices") != std::string::npos;
            }));
        }
        for (const auto &[status, code] : {std::pair(403, "AuthorizationFailed"), std::pair(404, "InvalidResourceType"),
                                           std::pair(409, "MissingSubscriptionRegistration")}) {
            setup.answers[kAskWorkspaces] = refusal(status, code);
            QVERIFY(setup.refusedWith("unheard") == ErrorCode::NotFound);
            QVERIFY(setup.refusedWith(kFullName) == (status == 403 ? ErrorCode::Forbidden : ErrorCode::NotFound));
        }
        setup.answers[kAskWorkspaces] = refusal(500, "InternalServerError");
        QVERIFY(setup.refusedWith("unheard") == ErrorCode::Server); // it may know the name
        QVERIFY(setup.find("gpu-1").has_value());
    }

    void canBeCancelled()
    {
        for (const std::string &question : {kAskWorkspaces, kAskNotebook}) {
            StopSetup setup;
            setup.stopsAt = question;
            QVERIFY(setup.refusedWith(kFullName) == ErrorCode::Cancelled);
            QCOMPARE(setup.asked.back(), question);
        }
        StopSetup setup;
        const model::TargetState state = setup.found();
        setup.stop.request_stop();
        QVERIFY(setup.stopIt(state).kind == Ended::TryLater);
        QVERIFY(setup.asked.empty());
    }

private:
    static model::TargetState target(StopSetup &setup, const std::string &state)
    {
        setup.put(inState(state));
        return setup.found();
    }
};

GPULEDGER_SUITE(TestAzureInstanceStops)

} // namespace tst_azureinstancestops

#include "tst_azureinstancestops.moc"
