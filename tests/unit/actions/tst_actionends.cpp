// SPDX-License-Identifier: GPL-3.0-or-later
// How an action ends: after a lost answer, after a crash, and by an undo. Nothing is repeated, and only what this
// program stopped can be brought back.
#include "app/actions/environment/standing.h"
#include "app/actions/run/execution.h"
#include "tests/support/fakes/actionbench.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>

namespace tst_actionends {

using namespace gpuledger;
using namespace gpuledger::tests;
using actions::ActionResult;
using actions::ResultCode;
using base::ErrorCode;
using model::ActionState;
using model::StopVerb;
using Call = FakePlatform::Call;

namespace {

int countOf(const Records &records, ActionState state)
{
    return static_cast<int>(
        std::count_if(records.begin(), records.end(), [&](const auto &record) { return record.state == state; }));
}

} // namespace

class TestActionEnds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lostAnswer_data();
    void lostAnswer();
    void lostAnswerAndSomebodyElse();
    void lostAnswerOfAMachineOnItsWay();
    void aMachineOnItsWayHasMoreTime();
    void droppedFieldIsNoSuccess();
    void podsThatNeverEnd();
    void unreachableStaysOpen();
    void settlesAfterACrash_data();
    void settlesAfterACrash();
    void finishesAnUndoThatWasHalfTold();
    void undoesEveryVerbTwice_data();
    void undoesEveryVerbTwice();
    void undoRefusedAfterAChange_data();
    void undoRefusedAfterAChange();
    void undoThatDidNotRestoreIsNoSuccess();
    void tellsHowItStands();
    void undoOnce();
    void undoOfAnEarlierStopIsRefused();
};

void TestActionEnds::lostAnswer_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("done");
    QTest::addRow("500 done") << static_cast<int>(FakeAnswer::ServerErrorDone) << true;
    QTest::addRow("500 not done") << static_cast<int>(FakeAnswer::ServerError) << false;
    QTest::addRow("time-out done") << static_cast<int>(FakeAnswer::TimedOutDone) << true;
    QTest::addRow("time-out not done") << static_cast<int>(FakeAnswer::TimedOut) << false;
}

// The outcome is queried at once, or after a crash; the call is never repeated.
void TestActionEnds::lostAnswer()
{
    QFETCH(int, answer);
    QFETCH(bool, done);
    for (const bool crash : {false, true}) {
        for (const bool marks : {false, true}) {
            ActionBench bench;
            bench.platform.marks = marks;
            const auto plan = bench.plan(bench.addIdle(1)).value();
            bench.platform.script[Call::Stop] = {static_cast<FakeAnswer>(answer)};
            if (crash) { // the platform can't be queried until the next start
                bench.platform.hook = [&](Call call, const std::string &, bool after) {
                    bench.platform.isDead = bench.platform.isDead || (call == Call::Stop && after);
                };
            }
            auto records = bench.run(plan).value();
            if (crash) {
                QCOMPARE(countOf(records, ActionState::Unknown), 1);
                bench.platform.hook = {};
                bench.platform.isDead = false;
                bench.reopen();
                records = bench.settle().value();
            }
            QCOMPARE(countOf(records, done ? ActionState::Verified : ActionState::Failed), 1);
            QCOMPARE(bench.platform.writes(), 1);
            QCOMPARE(bench.platform.effects(), done ? 1 : 0);
            QVERIFY(bench.settle().value().empty());
            QCOMPARE(bench.platform.writes(), 1);
            QCOMPARE(actions::undoable(records.front()).can, done);
        }
    }
}

// The answer was lost, nothing was done, and someone else stopped it: not ours to bring back.
void TestActionEnds::lostAnswerAndSomebodyElse()
{
    for (const bool named : {false, true}) {
        ActionBench bench;
        const auto plan = bench.plan(bench.addIdle(1)).value();
        bench.platform.script[Call::Stop] = {FakeAnswer::TimedOut};
        bench.platform.hook = [&](Call call, const std::string &name, bool after) {
            if (call != Call::Stop || !after)
                return;
            FakeObject &object = *bench.platform.named(name);
            object.value = object.stoppedValue;
            object.version += 1;
            if (named)
                object.mark = model::StopMark{"other", "kim", "", {}, "3"};
        };
        const auto records = bench.run(plan).value();
        QCOMPARE(countOf(records, ActionState::Failed), 1);
        QVERIFY((actions::resultOf(records.front()) == ActionResult{ResultCode::StoppedByOther, named ? "kim" : ""}));
        QVERIFY(!actions::undoable(records.front()).can);
    }
}

// A machine takes a while to stop, and looks as before at first.
void TestActionEnds::lostAnswerOfAMachineOnItsWay()
{
    for (const bool isTold : {true, false}) {
        ActionBench bench;
        bench.platform.marks = false;
        FakeObject &object = bench.platform.add("train", StopVerb::StopInstance);
        bench.environment.addIdle(object);
        bench.platform.script[Call::Stop] = {FakeAnswer::TimedOut};
        int looks = -1; // since the call
        bench.platform.hook = [&](Call call, const std::string &, bool after) {
            if (call == Call::Stop && after)
                looks = 0;
            else if (call == Call::Read && !after && looks >= 0 && isTold)
                object.value = ++looks < 4 ? object.value : looks < 8 ? "\"stopping\"" : object.stoppedValue;
        };
        const auto records = bench.stopAll({ActionBench::idOf(object)}, 1).value();
        QCOMPARE(countOf(records, isTold ? ActionState::Verified : ActionState::Failed), 1);
        QCOMPARE(bench.platform.writes(), 1);
        QCOMPARE(actions::undoable(records.front()).can, isTold);
    }
}

// Of the limits of the bench, 5 s are for anything, and 15 min for a machine that is on its way.
void TestActionEnds::aMachineOnItsWayHasMoreTime()
{
    for (const int ends : {150, 151, 250, -1, -2}) { // after so many looks; -1: it runs on, -2: it is neither
        ActionBench bench;
        FakeObject &object = bench.platform.add("train", StopVerb::StopInstance);
        bench.environment.addIdle(object);
        const std::string running = object.value;
        int looks = -1; // since the call
        bench.platform.hook = [&](Call call, const std::string &, bool after) {
            if (call == Call::Stop && after)
                looks = 0;
            else if (call == Call::Read && !after && looks >= 0)
                object.value = ++looks >= ends && ends > 0 ? object.stoppedValue
                    : ends > 0                             ? "\"stopping\""
                    : ends == -1                           ? running
                                                           : "\"without its GPUs\"";
        };
        const auto records = bench.stopAll({ActionBench::idOf(object)}, 1).value();
        QVERIFY2(countOf(records, ends == 150 || ends == 151 ? ActionState::Verified : ActionState::Failed) == 1,
                 records.front().result.c_str());
        QCOMPARE(bench.platform.writes(), 1);
        QVERIFY(ends > 0 || looks < 30);
    }
}

void TestActionEnds::droppedFieldIsNoSuccess()
{
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(1)).value();
    bench.platform.script[Call::Stop] = {FakeAnswer::Silent};
    const auto records = bench.run(plan).value();
    QCOMPARE(countOf(records, ActionState::Failed), 1);
}

void TestActionEnds::podsThatNeverEnd()
{
    for (const int lingering : {3, -1}) {
        ActionBench bench;
        const auto ids = bench.addIdle(1);
        bench.platform.named("train-0")->lingering = lingering;
        const auto records = bench.stopAll(ids).value();
        QCOMPARE(countOf(records, lingering > 0 ? ActionState::Verified : ActionState::Failed), 1);
        if (lingering > 0)
            continue;
        QVERIFY((actions::resultOf(records.front()) == ActionResult{ResultCode::StillHeld, "train-0-pod"}));
        // It was done: it can be brought back.
        QVERIFY(actions::undoable(records.front()).can);
        const auto undone = bench.undo(records.front().id).value();
        QCOMPARE(countOf(undone, ActionState::Verified), 1);
        QCOMPARE(bench.platform.named("train-0")->value, std::string("3"));
        QVERIFY(bench.log->action(records.front().id).value().state == ActionState::Undone);
    }
}

// An action stays open while its platform can't be queried, however long.
void TestActionEnds::unreachableStaysOpen()
{
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(1)).value();
    bench.platform.hook = [&](Call call, const std::string &, bool after) {
        bench.platform.isDead = bench.platform.isDead || (call == Call::Stop && after);
    };
    QCOMPARE(countOf(bench.run(plan).value(), ActionState::Executed), 1);
    bench.environment.pass(base::Seconds{86400});
    bench.reopen();
    QCOMPARE(countOf(bench.settle().value(), ActionState::Executed), 1);
    bench.platform.hook = {};
    bench.platform.isDead = false;
    QCOMPARE(countOf(bench.settle().value(), ActionState::Verified), 1);
    QCOMPARE(bench.platform.writes(), 1);
}

void TestActionEnds::settlesAfterACrash_data()
{
    QTest::addColumn<int>("state");
    for (const auto state : {ActionState::Confirmed, ActionState::Executing, ActionState::Executed})
        QTest::addRow("%s", std::string(toString(state)).c_str()) << static_cast<int>(state);
}

// Crashes right after this state was on disk, before its call and after it.
void TestActionEnds::settlesAfterACrash()
{
    QFETCH(int, state);
    const auto last = static_cast<ActionState>(state);
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(1)).value();
    model::ActionIntent intent;
    intent.key = actions::newKey();
    intent.target = plan.stops[0].target.ref;
    intent.verb = StopVerb::ScaleToZero;
    intent.version = plan.stops[0].target.version;
    intent.field = "spec.replicas";
    intent.oldValue = "3";
    intent.newValue = "0";
    intent.at = bench.environment.wall.time;
    const auto id = bench.log->begin({intent}, {25, {}, {}}).value().front();
    for (const auto next : {ActionState::Executing, ActionState::Executed}) {
        if (next > last)
            break;
        QVERIFY(
            bench.log->move(id, next, {bench.environment.wall.time, {}, {}, next == ActionState::Executed ? "1" : ""}));
        if (next == ActionState::Executing && last == ActionState::Executed)
            QVERIFY(
                bench.platform.stop(plan.stops[0].target, {intent.key, "alex", "", intent.at, intent.oldValue}, {}).kind
                == ports::WriteOutcome::Kind::Done);
    }
    const int writes = bench.platform.writes();
    bench.reopen();
    const auto settled = bench.settle().value();
    QCOMPARE(bench.platform.writes(), writes);
    QCOMPARE(settled.size(), std::size_t(1));
    QVERIFY(settled.front().state == (last == ActionState::Executed ? ActionState::Verified : ActionState::Failed));
    QVERIFY(bench.log->unsettled().value().empty());
}

// Crashes between the undo's last state and that of the action which it brought back.
void TestActionEnds::finishesAnUndoThatWasHalfTold()
{
    ActionBench bench;
    const auto stopped = bench.stopAll(bench.addIdle(1)).value().front();
    model::ActionIntent intent = stopped.intent;
    intent.key = actions::newKey();
    intent.kind = model::ActionKind::Undo;
    intent.undoes = stopped.id;
    const auto id = bench.log->begin({intent}, {25, {}, {}}).value().front();
    for (const auto next : {ActionState::Executing, ActionState::Executed, ActionState::Verified})
        QVERIFY(bench.log->move(id, next, {bench.environment.wall.time, {}, {}, {}}));
    bench.reopen();
    QVERIFY(bench.settle().has_value());
    QVERIFY(bench.log->action(stopped.id).value().state == ActionState::Undone);
    QVERIFY(bench.settle().value().empty());
}

void TestActionEnds::undoesEveryVerbTwice_data()
{
    QTest::addColumn<int>("verb");
    QTest::addColumn<bool>("marks");
    for (const auto verb : {StopVerb::ScaleToZero, StopVerb::Suspend, StopVerb::Annotate, StopVerb::Deactivate,
                            StopVerb::Evict, StopVerb::Delete, StopVerb::StopInstance}) {
        for (const bool marks : {false, true})
            QTest::addRow("%s, %s", std::string(toString(verb)).c_str(), marks ? "marks" : "no marks")
                << static_cast<int>(verb) << marks;
    }
}

void TestActionEnds::undoesEveryVerbTwice()
{
    QFETCH(int, verb);
    QFETCH(bool, marks);
    ActionBench bench;
    bench.platform.marks = marks;
    bench.environment.config.actions.permitsIrreversible = true;
    bench.platform.add("train", static_cast<StopVerb>(verb));
    for (int round = 0; round < 2; ++round) {
        FakeObject &object = *bench.platform.named("train");
        const std::string before = object.value;
        bench.environment.idle.items.clear();
        bench.environment.addIdle(object);
        const auto stopped = bench.stopAll({ActionBench::idOf(object)}, 1);
        QVERIFY2(stopped.has_value(), stopped ? "" : stopped.error().text.c_str());
        QVERIFY2(countOf(*stopped, ActionState::Verified) == 1, stopped->front().result.c_str());
        QVERIFY(!bench.platform.named("train") || bench.platform.named("train")->value != before);
        bench.reopen(); // another start of the program
        bench.environment.pass(base::Seconds{29 * 86400});
        const auto undone = bench.undo(stopped->front().id);
        QVERIFY2(undone.has_value(), undone ? "" : undone.error().text.c_str());
        QVERIFY2(countOf(*undone, ActionState::Verified) == 1, undone->front().result.c_str());
        if (!object.isDeleted())
            QCOMPARE(bench.platform.named("train")->value, before);
        QVERIFY(bench.platform.named("train") != nullptr);
        QVERIFY(bench.log->action(stopped->front().id).value().state == ActionState::Undone);
        bench.environment.pass(base::Seconds{601});
    }
    QCOMPARE(bench.platform.effects(), 4);
}

void TestActionEnds::undoRefusedAfterAChange_data()
{
    QTest::addColumn<int>("change");
    const char *const names[] = {
        "scaled up", "another object",       "gone", "stopped by somebody else", "stopped by hand",
        "forbidden", "between look and call"};
    for (int i = 0; i < 7; ++i)
        QTest::addRow("%s", names[i]) << i;
}

void TestActionEnds::undoRefusedAfterAChange()
{
    QFETCH(int, change);
    ActionBench bench;
    const auto stopped = bench.stopAll(bench.addIdle(1)).value().front();
    FakeObject &object = *bench.platform.named("train-0");
    const auto scale = [&] {
        object.value = "2";
        object.version += 1;
        object.mark.reset();
    };
    switch (change) {
    case 0:
        scale();
        break;
    case 1:
        bench.platform.replace("train-0").value = "0";
        break;
    case 2:
        object.isGone = true;
        break;
    case 3:
        object.mark = model::StopMark{"other", "kim", "", {}, "2"};
        break;
    case 4:
        object.mark.reset(); // started and stopped again by hand
        object.version += 2;
        break;
    case 5:
        bench.platform.script[Call::Permission] = {FakeAnswer::Forbidden};
        break;
    default:
        bench.platform.hook = [&](Call call, const std::string &, bool after) {
            if (call == Call::Undo && !after)
                scale();
        };
    }
    const int effects = bench.platform.effects();
    const auto undone = bench.undo(stopped.id).value();
    QVERIFY2(countOf(undone, ActionState::Refused) == 1, undone.front().result.c_str());
    QVERIFY(!undone.front().result.empty());
    QCOMPARE(bench.platform.effects(), effects);
    QVERIFY(bench.log->action(stopped.id).value().state == ActionState::Verified);
    if (change == 0)
        QVERIFY((actions::resultOf(undone.front())
                 == ActionResult{ResultCode::ChangedSince, {}, stopped.intent.field, "2", "3"}));
}

// Which stop is in force: one of this log, someone else's according to the mark at the object, or one of unknown
// origin.
void TestActionEnds::tellsHowItStands()
{
    using Kind = actions::Standing::Kind;
    ActionBench bench;
    const auto stopped = bench.stopAll(bench.addIdle(1)).value().front();
    FakeObject &object = *bench.platform.named("train-0");
    const int effects = bench.platform.effects();
    const auto now = [&] {
        return actions::standingOf(stopped.intent.target, bench.log->all().value(), bench.environment, {});
    };
    QVERIFY(now()->kind == Kind::Stopped && now()->action == stopped.id);
    QCOMPARE(now()->mark->actor, stopped.intent.actor);
    object.mark = model::StopMark{"their key", "kim", "it was mine", base::fromUnix(1'790'000'000), "2"};
    QVERIFY(now()->kind == Kind::Stopped && !now()->action);
    QCOMPARE(now()->mark->actor, std::string("kim"));
    QCOMPARE(now()->mark->reason, std::string("it was mine"));
    object.mark.reset();
    QVERIFY(now()->kind == Kind::Stopped && !now()->mark && !now()->action);
    object.value = "2";
    QVERIFY(now()->kind == Kind::Running && now()->value == "2" && now()->field == "spec.replicas");
    object.mark = model::StopMark{stopped.intent.key, "alex", "", {}, "3"}; // left behind after someone scaled it
    QVERIFY(now()->kind == Kind::Running && !now()->mark);
    bench.platform.script[Call::Read] = {FakeAnswer::ServerError};
    QVERIFY(!now().has_value());
    bench.platform.replace("train-0");
    QVERIFY(now()->kind == Kind::Gone);
    QCOMPARE(bench.platform.effects(), effects); // queries change nothing
}

// Brought back, but the platform has another value when it is read: not reported as exact.
void TestActionEnds::undoThatDidNotRestoreIsNoSuccess()
{
    ActionBench bench;
    const auto stopped = bench.stopAll(bench.addIdle(1)).value().front();
    bench.platform.hook = [&](Call call, const std::string &name, bool after) {
        if (call == Call::Undo && after)
            bench.platform.named(name)->value = "2";
    };
    const auto undone = bench.undo(stopped.id).value();
    QCOMPARE(countOf(undone, ActionState::Failed), 1);
    QVERIFY((actions::resultOf(undone.front())
             == ActionResult{ResultCode::OtherValue, {}, stopped.intent.field, "2", "3"}));
}

void TestActionEnds::undoOnce()
{
    ActionBench bench;
    const auto stopped = bench.stopAll(bench.addIdle(1)).value().front();
    actions::ActionContext parts = bench.engine();
    const auto twice = actions::runUndo({stopped.id, stopped.id}, "", parts, {});
    QVERIFY(!twice && twice.error().code == ErrorCode::Refused);
    QVERIFY(!actions::runUndo({}, "", parts, {}));
    const auto undone = bench.undo(stopped.id).value();
    QCOMPARE(countOf(undone, ActionState::Verified), 1);
    const auto again = bench.undo(stopped.id);
    QVERIFY(!again && again.error().code == ErrorCode::Refused);
    const auto ofUndo = bench.undo(undone.front().id);
    QVERIFY(!ofUndo && ofUndo.error().code == ErrorCode::Refused);
    QVERIFY(bench.undo(999).error().code == ErrorCode::NotFound);
    QCOMPARE(bench.platform.effects(), 2);
}

// A call without effect, then a real one, on a platform without marks: only the second stop can be undone.
void TestActionEnds::undoOfAnEarlierStopIsRefused()
{
    ActionBench bench;
    bench.platform.marks = false;
    const auto ids = bench.addIdle(1);
    bench.platform.script[Call::Stop] = {FakeAnswer::Silent};
    const auto first = bench.stopAll(ids).value().front();
    QVERIFY(first.state == ActionState::Failed && actions::undoable(first).can);
    bench.environment.pass(base::Seconds{601});
    const auto second = bench.stopAll(ids).value().front();
    QVERIFY2(second.state == ActionState::Verified, second.result.c_str());
    const auto wrong = bench.undo(first.id).value();
    QCOMPARE(countOf(wrong, ActionState::Refused), 1);
    QVERIFY((actions::resultOf(wrong.front()) == ActionResult{ResultCode::StoppedAgain, {}, {}, {}, {}, second.id}));
    QCOMPARE(bench.platform.effects(), 1);
    QCOMPARE(countOf(bench.undo(second.id).value(), ActionState::Verified), 1);
    QCOMPARE(bench.platform.effects(), 2);
}

GPULEDGER_SUITE(TestActionEnds)

} // namespace tst_actionends

#include "tst_actionends.moc"
