// SPDX-License-Identifier: GPL-3.0-or-later
// What is stopped, what is refused, and what halts a run.
#include "app/actions/environment/actionlock.h"
#include "app/actions/run/actionresult.h"
#include "tests/support/fakes/actionbench.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <thread>

namespace tst_actions {

using namespace gpuledger;
using namespace gpuledger::tests;
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

QString text(const base::Error &error)
{
    return QString::fromStdString(error.text);
}

} // namespace

class TestActions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stopsAndVerifies();
    void refusesAnEmptyList();
    void limitOfObjects();
    void limitOfATeam();
    void limitOfAnHour();
    void cooldownOfAnObject();
    void oneAloneUntilVerified();
    void neverMoreThanAWaveAtOnce();
    void haltsAtTheFirstFailure_data();
    void haltsAtTheFirstFailure();
    void haltsWhereNobodyKnows();
    void oneRefusalGoesOnTwoHalt();
    void haltOfTheUser();
    void refusesWhatWasNotShown();
    void refusesAnOldPlan();
    void refusesAnotherWayToStop();
    void jumpOfTheClockBlocks_data();
    void jumpOfTheClockBlocks();
    void refusesMissingTelemetry();
    void refusesWhatStaleDataSay_data();
    void refusesWhatStaleDataSay();
    void refusesWithoutTheRight();
    void looksInEveryRegion();
    void refusesWhatTwoRegionsHave_data();
    void refusesWhatTwoRegionsHave();
    void oneAtATime();
    void longReasonRefused();
};

void TestActions::stopsAndVerifies()
{
    ActionBench bench;
    const auto done = bench.stopAll(bench.addIdle(1));
    QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
    QCOMPARE(countOf(*done, ActionState::Verified), 1);
    QCOMPARE(bench.platform.effects(), 1);
    const auto &intent = done->front().intent;
    QCOMPARE(intent.oldValue, std::string("3"));
    QCOMPARE(intent.actor, std::string("alex"));
    QCOMPARE(intent.reason, std::string("a test"));
    QVERIFY(!intent.key.empty() && !intent.target.uid.empty() && !intent.version.empty());
    QVERIFY(bench.platform.named("train-0")->mark.has_value());
}

void TestActions::refusesAnEmptyList()
{
    ActionBench bench;
    bench.addIdle(1);
    const auto none = bench.plan({});
    QVERIFY(!none && none.error().code == ErrorCode::Refused);
    const auto many = bench.plan(std::vector<std::string>(501, "x"));
    QVERIFY(many.has_value()); // a single id, repeated
    std::vector<std::string> ids;
    for (int i = 0; i < 501; ++i)
        ids.push_back("x" + std::to_string(i));
    const auto tooMany = bench.plan(ids);
    QVERIFY(!tooMany && tooMany.error().code == ErrorCode::Refused);
    const auto other = bench.plan({"*"}); // looks like a filter: not in the list
    QVERIFY(other && other->blast.objects == 0);
    const auto done = bench.run(*other);
    QVERIFY(!done && done.error().code == ErrorCode::Refused);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestActions::limitOfObjects()
{
    for (const int count : {9, 10, 11}) {
        ActionBench bench;
        bench.environment.held["vision"] = 1000;
        const auto plan = bench.plan(bench.addIdle(count));
        QVERIFY(plan.has_value());
        QCOMPARE(plan->blast.needsTypedCount(), count > 10);
        if (count <= 10) {
            QCOMPARE(countOf(bench.run(*plan).value(), ActionState::Verified), count);
            continue;
        }
        for (const std::optional<int> typed : {std::optional<int>(), std::optional(10), std::optional(12)}) {
            const auto refused = bench.run(*plan, typed);
            QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
        }
        QCOMPARE(bench.platform.writes(), 0);
        QCOMPARE(countOf(bench.run(*plan, 11).value(), ActionState::Verified), 11);
    }
}

void TestActions::limitOfATeam()
{
    for (const int count : {1, 2, 3}) { // of 10: a fifth is 2
        ActionBench bench;
        bench.environment.held["vision"] = 10;
        const auto plan = bench.plan(bench.addIdle(count));
        QVERIFY(plan.has_value());
        QCOMPARE(plan->blast.needsTypedCount(), count > 2);
        QCOMPARE(bench.run(*plan).has_value(), count <= 2);
    }
    ActionBench bench; // a team without known GPUs counts as stopped entirely
    bench.environment.held.clear();
    QVERIFY(bench.plan(bench.addIdle(1)).value().blast.needsTypedCount());
}

void TestActions::limitOfAnHour()
{
    for (const int second : {9, 10, 11}) { // 15 before; 25 at most
        ActionBench bench;
        bench.environment.held["vision"] = 1000;
        QVERIFY(bench.stopAll(bench.addIdle(15, "first"), 15).has_value());
        const auto ids = bench.addIdle(second, "second");
        const auto plan = bench.plan(ids).value();
        const int before = bench.platform.writes();
        const auto done = bench.run(plan, second);
        QCOMPARE(done.has_value(), second <= 10);
        if (done)
            continue;
        QVERIFY(done.error().code == ErrorCode::Refused);
        QCOMPARE(bench.platform.writes(), before);
        bench.environment.pass(base::Seconds{3601});
        const auto later = bench.stopAll(ids, second);
        QVERIFY2(later.has_value(), later ? "" : later.error().text.c_str());
    }
}

void TestActions::cooldownOfAnObject()
{
    ActionBench bench;
    const auto ids = bench.addIdle(1);
    const auto first = bench.stopAll(ids).value();
    QVERIFY(bench.undo(first.front().id).has_value());
    bench.environment.pass(base::Seconds{599});
    const auto soon = bench.stopAll(ids);
    QVERIFY(!soon && soon.error().code == ErrorCode::Refused);
    bench.environment.pass(base::Seconds{2});
    const auto later = bench.stopAll(ids);
    QVERIFY2(later.has_value(), later ? "" : later.error().text.c_str());
    QCOMPARE(countOf(*later, ActionState::Verified), 1);
}

// The last check refuses the first one: the next one is alone in its wave as well.
void TestActions::oneAloneUntilVerified()
{
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(7)).value();
    bench.platform.named("train-0")->version += 1;
    bench.platform.named("train-1")->version += 1;
    std::mutex mutex;
    int verified = 0, under = 0;
    bool early = false;
    bench.platform.hook = [&](Call call, const std::string &, bool after) {
        const std::lock_guard guard(mutex);
        if (call != Call::Stop)
            return;
        under += after ? 0 : 1;
        early = early || (!after && under > 1 && verified == 0);
    };
    const auto done = bench.run(plan, {}, {}, [&](const model::ActionRecord &record) {
        const std::lock_guard guard(mutex);
        verified += record.state == ActionState::Verified ? 1 : 0;
    });
    QVERIFY(done.has_value());
    QCOMPARE(countOf(*done, ActionState::Verified), 5);
    QCOMPARE(countOf(*done, ActionState::Refused), 2);
    QVERIFY2(!early, "a second call was sent before the first was verified");
}

void TestActions::neverMoreThanAWaveAtOnce()
{
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(10)).value();
    std::mutex mutex;
    int open = 0, most = 0;
    const auto done = bench.run(plan, {}, {}, [&](const model::ActionRecord &record) {
        const std::lock_guard guard(mutex);
        open += record.state == ActionState::Executing ? 1 : record.state == ActionState::Verified ? -1 : 0;
        most = std::max(most, open);
    });
    QCOMPARE(countOf(done.value(), ActionState::Verified), 10);
    QVERIFY2(most <= 5, std::to_string(most).c_str());
}

void TestActions::haltsAtTheFirstFailure_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<int>("calls");
    QTest::addRow("429") << static_cast<int>(FakeAnswer::TooMany) << 1;
    QTest::addRow("500") << static_cast<int>(FakeAnswer::ServerError) << 1;
    QTest::addRow("time-out") << static_cast<int>(FakeAnswer::TimedOut) << 1;
    QTest::addRow("dropped field") << static_cast<int>(FakeAnswer::Silent) << 1;
}

void TestActions::haltsAtTheFirstFailure()
{
    QFETCH(int, answer);
    QFETCH(int, calls);
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(7)).value();
    bench.platform.script[Call::Stop] = {static_cast<FakeAnswer>(answer)};
    const auto done = bench.run(plan);
    QVERIFY(done.has_value());
    QCOMPARE(bench.platform.writes(), calls);
    QCOMPARE(bench.platform.effects(), 0);
    QCOMPARE(countOf(*done, ActionState::Failed), 1);
    QCOMPARE(countOf(*done, ActionState::Refused), 6);
    QVERIFY(actions::resultOf(done->back()).code == actions::ResultCode::HaltedByOther);
}

// It was stopped, but then the platform can't be read: not verified, so the others are left alone.
void TestActions::haltsWhereNobodyKnows()
{
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(7)).value();
    bench.platform.hook = [&](Call call, const std::string &, bool after) {
        if (call == Call::Stop && after)
            bench.platform.script[Call::Read] = std::deque<FakeAnswer>(1000, FakeAnswer::TimedOut);
    };
    const auto done = bench.run(plan);
    QVERIFY(done.has_value());
    QCOMPARE(bench.platform.writes(), 1);
    QCOMPARE(countOf(*done, ActionState::Executed), 1);
    QCOMPARE(countOf(*done, ActionState::Refused), 6);
}

void TestActions::oneRefusalGoesOnTwoHalt()
{
    ActionBench bench;
    bench.wave = 1;
    const auto plan = bench.plan(bench.addIdle(6)).value();
    bench.platform.script[Call::Stop] = {FakeAnswer::Ok, FakeAnswer::Forbidden, FakeAnswer::Ok, FakeAnswer::Conflict};
    const auto done = bench.run(plan).value();
    QCOMPARE(bench.platform.writes(), 4);
    QCOMPARE(countOf(done, ActionState::Verified), 2);
    QCOMPARE(countOf(done, ActionState::Refused), 4);
}

// At whatever moment the halt comes, no further call is sent.
void TestActions::haltOfTheUser()
{
    for (int at = 0; at < 40; ++at) {
        ActionBench bench;
        bench.wave = 1;
        const auto plan = bench.plan(bench.addIdle(4)).value();
        std::stop_source source;
        int step = 0, before = -1;
        bench.platform.hook = [&](Call, const std::string &, bool) {
            if (step++ == at) {
                source.request_stop();
                before = bench.platform.writes();
            }
        };
        const auto done = bench.run(plan, {}, source.get_token());
        QVERIFY(done.has_value());
        if (before < 0) { // all moments were visited
            QVERIFY(at > 8);
            return;
        }
        QVERIFY2(bench.platform.writes() <= before + 1, "more than one call was sent after the halt");
        for (const auto &record : *done) {
            const bool called = bench.platform.stops(record.intent.key) > 0;
            QVERIFY(called || record.state == ActionState::Refused);
        }
        bench.platform.hook = {};
        QVERIFY(bench.settle().has_value());
        QVERIFY(bench.log->unsettled().value().empty());
    }
}

void TestActions::refusesWhatWasNotShown()
{
    ActionBench bench;
    auto plan = bench.plan(bench.addIdle(2)).value();
    const std::string shown = actions::hashOf(plan.stops);
    actions::ActionContext parts = bench.engine();
    const auto tampered = [&](auto change) {
        actions::Plan other = plan;
        change(other);
        const auto done = actions::runPlan(other, {shown, "", 2}, parts, {});
        return !done && done.error().code == ErrorCode::Refused;
    };
    QVERIFY(tampered([](auto &p) { p.stops.pop_back(); }));
    QVERIFY(tampered([](auto &p) { p.stops[0].target.ref.uid = "another"; }));
    QVERIFY(tampered([](auto &p) { p.stops[0].target.version = "7"; }));
    QVERIFY(tampered([](auto &p) { p.stops[0].target.value = "4"; }));
    QVERIFY(tampered([](auto &p) { p.stops[0].target.stoppedValue = "1"; }));
    QVERIFY(tampered([](auto &p) { p.stops[0].target.verb = StopVerb::Delete; }));
    QVERIFY(tampered([](auto &p) { p.stops[0].items[0].id += 'x'; }));
    QVERIFY(tampered([](auto &p) { p.stops[0].target.isReversible = false; }));
    QVERIFY(tampered([](auto &p) { p.stops[0].target.managers = {"hpa:scaler"}; }));
    QVERIFY(tampered([](auto &p) { std::swap(p.stops[0], p.stops[1]); }));
    QCOMPARE(bench.platform.writes(), 0);
    QVERIFY(bench.log->all().value().empty());
    const auto one = actions::withOnly(plan, {plan.stops[1].target.ref.uid});
    QCOMPARE(countOf(bench.run(one).value(), ActionState::Verified), 1);
}

void TestActions::refusesAnOldPlan()
{
    for (const int age : {600, 601}) {
        ActionBench bench;
        const auto plan = bench.plan(bench.addIdle(1)).value();
        bench.environment.pass(base::Seconds{age});
        const auto done = bench.run(plan);
        QCOMPARE(done.has_value(), age <= 600);
        QCOMPARE(bench.platform.effects(), age <= 600 ? 1 : 0);
    }
}

// The object is the same, but the way to stop it is not.
void TestActions::refusesAnotherWayToStop()
{
    for (int way = 0; way < 3; ++way) {
        ActionBench bench;
        const auto plan = bench.plan(bench.addIdle(1)).value();
        FakeObject &object = *bench.platform.named("train-0");
        if (way == 0)
            object.verb = StopVerb::Annotate;
        else if (way == 1)
            object.stoppedValue = "1";
        else
            object.field = "spec.other";
        const auto done = bench.run(plan).value();
        QCOMPARE(countOf(done, ActionState::Refused), 1);
        QCOMPARE(bench.platform.writes(), 0);
    }
}

void TestActions::jumpOfTheClockBlocks_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<bool>("blocks");
    QTest::addRow("60 s") << 60 << false;
    QTest::addRow("61 s") << 61 << true;
    QTest::addRow("back 60 s") << -60 << false;
    QTest::addRow("back 61 s") << -61 << true;
    QTest::addRow("2 h") << 7200 << true;
    QTest::addRow("back 2 h") << -7200 << true;
    QTest::addRow("400 d") << 400 * 86400 << true;
    QTest::addRow("back 400 d") << -400 * 86400 << true;
}

void TestActions::jumpOfTheClockBlocks()
{
    QFETCH(int, seconds);
    QFETCH(bool, blocks);
    ActionBench bench;
    const auto ids = bench.addIdle(1);
    const auto plan = bench.plan(ids).value();
    const base::UtcTime sample = bench.environment.wall.time;
    bench.environment.wall.time += base::Seconds{seconds};
    if (!blocks) {
        QCOMPARE(bench.plan(ids).value().blast.objects, 1);
        return;
    }
    // A plan from before the jump leads to no call.
    if (const auto done = bench.run(plan); done)
        QCOMPARE(countOf(*done, ActionState::Refused), 1);
    bench.environment.newestSample = sample; // a sample from before the jump
    QCOMPARE(bench.plan(ids).value().blast.objects, 0);
    bench.environment.pass(base::Seconds{3600});
    QCOMPARE(bench.plan(ids).value().blast.objects, 0);
    // One interval is not enough, two are.
    const base::UtcTime noticed = sample + base::Seconds{seconds};
    bench.environment.newestSample = noticed + base::Seconds{599};
    QCOMPARE(bench.plan(ids).value().blast.objects, 0);
    bench.environment.newestSample = noticed + base::Seconds{600};
    QCOMPARE(bench.plan(ids).value().blast.objects, 1);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestActions::refusesMissingTelemetry()
{
    ActionBench bench;
    const auto ids = bench.addIdle(1);
    const auto plan = bench.plan(ids).value();
    bench.environment.isBlind = true;
    QCOMPARE(bench.plan(ids).value().blast.objects, 0);
    QCOMPARE(countOf(bench.run(plan).value(), ActionState::Refused), 1);
    bench.environment.isBlind = false;
    for (const auto kind : {actions::Liveness::Kind::Unseen, actions::Liveness::Kind::Active}) {
        bench.environment.live[ids[0]] = kind;
        QCOMPARE(bench.plan(ids).value().blast.objects, 0);
        QCOMPARE(countOf(bench.run(plan).value(), ActionState::Refused), 1);
    }
    bench.environment.live.clear();
    bench.environment.idle.items.clear();
    bench.environment.idle.unknown.push_back(
        {ids[0], model::SubjectKind::Pod, "train", "vision", "c1", "ml", "n1", {}, 0.89, 0.9, {}});
    QCOMPARE(bench.plan(ids).value().blast.objects, 0);
    bench.environment.idle.unknown.clear();
    insight::IdleItem partly;
    partly.id = ids[0];
    partly.name = "train";
    bench.environment.idle.partly.push_back(partly);
    const auto ofPart = bench.plan(ids).value();
    QCOMPARE(ofPart.blast.objects, 0);
    QVERIFY(ofPart.stops.front().checks.front().why == actions::Why::PartlyIdle);
    bench.environment.idle.partly.clear();
    bench.environment.writes = 2 << 20;
    QCOMPARE(bench.plan(bench.addIdle(1, "other")).value().blast.objects, 0);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestActions::refusesWhatStaleDataSay_data()
{
    // Two sources, one or both of which are stale.
    QTest::addColumn<QByteArray>("own"); // cluster of the first source; "=": that of the workload
    QTest::addColumn<bool>("firstIsStale");
    QTest::addColumn<bool>("secondIsStale"); // of a cluster without this workload
    QTest::addColumn<int>("stoppable");
    QTest::newRow("both are fresh") << QByteArray("=") << false << false << 1;
    QTest::newRow("its own is stale") << QByteArray("=") << true << false << 0;
    QTest::newRow("another is stale") << QByteArray("=") << false << true << 1;
    QTest::newRow("cluster from a label, fresh") << QByteArray("") << false << false << 1;
    QTest::newRow("cluster from a label, stale") << QByteArray("") << true << false << 0;
    QTest::newRow("unknown cluster") << QByteArray("x") << false << true << 0;
}

void TestActions::refusesWhatStaleDataSay()
{
    QFETCH(QByteArray, own);
    QFETCH(bool, firstIsStale);
    QFETCH(bool, secondIsStale);
    QFETCH(int, stoppable);
    ActionBench bench;
    const auto ids = bench.addIdle(1);
    const std::string cluster = own == "=" ? ids[0].substr(0, ids[0].find('/')) : own.toStdString();
    insight::Reach &reach = bench.environment.idle.reach;
    reach.stale = firstIsStale || secondIsStale;
    reach.sources = {{"a", cluster, base::fromUnix(0), {}, firstIsStale},
                     {"b", "elsewhere", base::fromUnix(0), {}, secondIsStale}};
    const auto plan = bench.plan(ids).value();
    QCOMPARE(plan.blast.objects, stoppable);
    if (stoppable == 0) {
        const auto &checks = plan.stops.front().checks;
        QVERIFY(std::any_of(checks.begin(), checks.end(),
                            [](const actions::Check &check) { return check.why == actions::Why::Stale; }));
        bench.environment.idle.items.clear(); // not in the list, which is stale, so it is unknown whether it is idle
        QVERIFY(bench.plan(ids).value().stops.front().checks.front().why == actions::Why::Stale);
    }
}

void TestActions::refusesWithoutTheRight()
{
    ActionBench bench;
    const auto ids = bench.addIdle(1);
    const auto plan = bench.plan(ids).value();
    bench.environment.mayStop = false;
    QCOMPARE(bench.plan(ids).value().blast.objects, 0);
    QCOMPARE(countOf(bench.run(plan).value(), ActionState::Refused), 1);
    bench.environment.mayStop = true;
    for (const Call call : {Call::Permission, Call::Rehearse, Call::Find}) {
        bench.platform.script[call] = {call == Call::Rehearse ? FakeAnswer::Invalid : FakeAnswer::Forbidden};
        QCOMPARE(bench.plan(ids).value().blast.objects, 0);
    }
    QCOMPARE(bench.platform.writes(), 0);
}

// A cluster's machines may be in any region that one of its sources covers.
void TestActions::looksInEveryRegion()
{
    ActionBench bench;
    FakePlatform other("other");
    bench.environment.elsewhere = &other;
    bench.environment.addIdle(other.add("train-0"));
    const auto done = bench.stopAll({bench.environment.idle.items.front().id});
    QVERIFY2(done.has_value(), done ? "" : done.error().text.c_str());
    QCOMPARE(countOf(*done, ActionState::Verified), 1);
    QCOMPARE(done->front().intent.target.source, std::string("other"));
    QCOMPARE(other.effects(), 1);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestActions::refusesWhatTwoRegionsHave_data()
{
    QTest::addColumn<bool>("hasIt");
    QTest::addColumn<FakeAnswer>("answer"); // of the other region
    QTest::addColumn<int>("why");
    QTest::newRow("both") << true << FakeAnswer::Ok << static_cast<int>(actions::Why::Ambiguous);
    QTest::newRow("one can't be asked") << true << FakeAnswer::TimedOut << static_cast<int>(actions::Why::Unreachable);
    QTest::newRow("one may not be asked")
        << true << FakeAnswer::Forbidden << static_cast<int>(actions::Why::Unreachable);
    QTest::newRow("not in the other") << false << FakeAnswer::Ok << static_cast<int>(actions::Why::None);
}

void TestActions::refusesWhatTwoRegionsHave()
{
    QFETCH(bool, hasIt);
    QFETCH(FakeAnswer, answer);
    QFETCH(int, why);
    for (const bool first : {true, false}) {
        ActionBench bench;
        FakePlatform other("other");
        bench.environment.elsewhere = &other;
        FakePlatform &here = first ? bench.platform : other, &there = first ? other : bench.platform;
        bench.environment.addIdle(here.add("train-0"));
        if (hasIt)
            there.add("train-0");
        there.script[Call::Find] = {answer};
        const auto plan = bench.plan({bench.environment.idle.items.front().id});
        QVERIFY(plan.has_value());
        const auto &stop = plan->stops.front();
        QCOMPARE(static_cast<int>(stop.checks.front().why), why);
        QCOMPARE(stop.isStoppable(), why == 0);
        QVERIFY(why == 0 || stop.target.ref.uid.empty());
    }
}

void TestActions::oneAtATime()
{
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(3)).value();
    const auto lock = actions::ActionLock::take(bench.dir.path().toStdString()).value();
    const auto busy = actions::ActionLock::take(bench.dir.path().toStdString());
    QVERIFY2(!busy && busy.error().code == ErrorCode::StorageBusy, "the lock was held twice");
    const auto other = store::LedgerStore::open(bench.dir.path().toStdString()).value();
    FakeEnvironment environment(bench.platform, "kim");
    environment.idle = bench.environment.idle;
    auto log = other->actions();
    actions::ClockWatch clock;
    std::optional<base::Result<Records>> theirs;
    std::thread thread([&] {
        actions::ActionContext parts{environment, log, clock, {}};
        theirs = actions::runPlan(plan, {actions::hashOf(plan.stops), "", {}}, parts, {});
    });
    const auto ours = bench.run(plan);
    thread.join();
    QVERIFY2(ours.has_value() != theirs->has_value(), "exactly one of the two may get the objects");
    QCOMPARE(bench.platform.effects(), 3);
    QCOMPARE(bench.log->all().value().size(), std::size_t(3));
}

void TestActions::longReasonRefused()
{
    ActionBench bench;
    const auto plan = bench.plan(bench.addIdle(1)).value();
    actions::ActionContext parts = bench.engine();
    const auto stop = [&](std::size_t bytes) {
        return actions::runPlan(plan, {actions::hashOf(plan.stops), std::string(bytes, 'x'), {}}, parts, {});
    };
    QVERIFY(!stop(2001));
    const auto done = stop(2000);
    QVERIFY2(done.has_value(), done ? "" : qPrintable(text(done.error())));
    QVERIFY(!actions::runUndo({done->front().id}, std::string(2001, 'x'), parts, {}));
    QCOMPARE(bench.platform.effects(), 1);
}

GPULEDGER_SUITE(TestActions)

} // namespace tst_actions

#include "tst_actions.moc"
