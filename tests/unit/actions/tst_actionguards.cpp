// SPDX-License-Identifier: GPL-3.0-or-later
// What is stopped only if the user types or names it: irreversible stops, and workloads that another controller
// manages.
#include "app/actions/run/actionresult.h"
#include "tests/support/fakes/actionbench.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>

namespace tst_actionguards {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::ActionState;
using model::StopVerb;
using Call = FakePlatform::Call;
using Names = std::vector<std::string>;

namespace {

int countOf(const Records &records, ActionState state)
{
    return static_cast<int>(
        std::count_if(records.begin(), records.end(), [&](const auto &record) { return record.state == state; }));
}

const actions::Check &checkOf(const actions::Plan &plan, actions::CheckName name)
{
    return plan.stops.front().checks.at(static_cast<std::size_t>(name));
}

} // namespace

class TestActionGuards : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void irreversibleIsOffByDefault();
    void irreversibleNeedsItsNameTyped();
    void irreversibleSinceItWasShown();
    void managedByOthers();
    void managedSinceItWasShown();
    void protectMarksByTheirPlace_data();
    void protectMarksByTheirPlace();
};

void TestActionGuards::irreversibleIsOffByDefault()
{
    QVERIFY(!model::Settings().actions.permitsIrreversible);
    for (const bool isMachine : {false, true}) {
        ActionBench bench;
        bench.environment.held["vision"] = 1000;
        FakeObject &object = bench.platform.add("bare", isMachine ? StopVerb::StopInstance : StopVerb::Delete);
        object.isReversible = false;
        bench.environment.addIdle(object);
        int asked = 0;
        bench.platform.hook = [&](Call call, const std::string &, bool) {
            asked += call == Call::Permission || call == Call::Rehearse || call == Call::Stop ? 1 : 0;
        };
        auto plan = bench.plan({ActionBench::idOf(object)}).value();
        const auto &check = checkOf(plan, actions::CheckName::Allowed);
        QVERIFY(check.outcome == actions::Outcome::Failed && check.why == actions::Why::Irreversible);
        QCOMPARE(check.subject, std::string("ml/bare"));
        QVERIFY(!plan.stops.front().isStoppable());
        const auto refused = bench.run(plan, 1, {"ml/bare"});
        QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
        QCOMPARE(asked, 0);
    }
}

void TestActionGuards::irreversibleNeedsItsNameTyped()
{
    ActionBench bench;
    bench.environment.config.actions.permitsIrreversible = true;
    bench.environment.held["vision"] = 1000;
    std::vector<std::string> ids = bench.addIdle(1);
    for (const char *name : {"bare-a", "bare-b"}) {
        FakeObject &object = bench.platform.add(name, StopVerb::Evict);
        bench.environment.addIdle(object);
        ids.push_back(ActionBench::idOf(object));
    }
    const auto plan = bench.plan(ids).value();
    QCOMPARE(plan.blast.objects, 3);
    QVERIFY(plan.blast.irreversible == std::vector<std::string>({"ml/bare-a", "ml/bare-b"}));
    QVERIFY(!plan.blast.needsTypedCount());
    for (const Names &typed : {Names{}, Names{"ml/bare-a"}, Names{"ml/bare-a", "ml/bare-a"}, Names{"bare-a", "bare-b"},
                               Names{"ml/bare-a", "ml/bare-b "}, Names{"ml/bare-a", "ML/BARE-B"},
                               Names{"ml/bare-a", "ml/"}, Names{"", ""}}) {
        const auto refused = bench.run(plan, 3, typed);
        QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
    }
    QCOMPARE(bench.platform.writes(), 0);
    QVERIFY(bench.log->all().value().empty());
    QCOMPARE(countOf(bench.run(plan, {}, Names{"ml/bare-b", "ml/bare-a"}).value(), ActionState::Verified), 3);
    // The same name in two clusters has to be typed twice.
    actions::BlastRadius twins;
    twins.irreversible = {"ml/bare", "ml/bare"};
    QVERIFY(twins.untyped({"ml/bare"}) == Names{"ml/bare"});
    QVERIFY(twins.untyped({"ml/bare", "ml/bare"}).empty());
}

void TestActionGuards::irreversibleSinceItWasShown()
{
    for (const bool isForbidden : {true, false}) {
        ActionBench bench;
        bench.environment.config.actions.permitsIrreversible = true;
        const auto ids = bench.addIdle(1);
        bench.platform.named("train-0")->isReversible = !isForbidden;
        const auto plan = bench.plan(ids).value();
        if (isForbidden) // the permission is withdrawn
            bench.environment.config.actions.permitsIrreversible = false;
        else // the user was not shown what would be lost
            bench.platform.named("train-0")->isReversible = false;
        const auto done = bench.run(plan).value();
        QCOMPARE(countOf(done, ActionState::Refused), 1);
        QCOMPARE(bench.platform.writes(), 0);
    }
}

void TestActionGuards::managedByOthers()
{
    ActionBench bench;
    const auto ids = bench.addIdle(1);
    bench.platform.named("train-0")->managers = {"argo-cd:apps", "hpa:scaler"};
    const auto left = [&](const Names &despite) {
        const auto plan = bench.plan(ids, despite).value();
        const auto &check = checkOf(plan, actions::CheckName::Stoppable);
        if (check.outcome == actions::Outcome::Passed)
            return std::string("none");
        return check.why == actions::Why::Managed && !bench.run(plan, 1) ? check.subject : std::string("wrong");
    };
    const std::string both = "argo-cd:apps, hpa:scaler";
    for (const Names &despite : {Names{}, Names{"argo-cd"}, Names{"argo-cd:"}, Names{"argo-cd:app"}, Names{"apps"},
                                 Names{"*"}, Names{""}, Names{both}, Names{"keda:scaler"}})
        QCOMPARE(left(despite), both);
    QCOMPARE(left({"argo-cd:apps"}), std::string("hpa:scaler"));
    QCOMPARE(left({"hpa:scaler"}), std::string("argo-cd:apps"));
    QCOMPARE(bench.platform.writes(), 0);
    QCOMPARE(left({"hpa:scaler", "argo-cd:apps"}), std::string("none"));
    const auto plan = bench.plan(ids, {"hpa:scaler", "argo-cd:apps", "flux:other"}).value();
    QVERIFY(plan.stops.front().despite == Names({"hpa:scaler", "argo-cd:apps"})); // only existing managers
    const auto done = bench.run(plan).value();
    QCOMPARE(countOf(done, ActionState::Verified), 1);
    QVERIFY(done.front().intent.evidence.find("\"despite\":[\"hpa:scaler\",\"argo-cd:apps\"]") != std::string::npos);
}

void TestActionGuards::managedSinceItWasShown()
{
    ActionBench bench;
    const auto ids = bench.addIdle(1);
    bench.platform.named("train-0")->managers = {"argo-cd:apps"};
    const auto plan = bench.plan(ids, {"argo-cd:apps"}).value();
    QCOMPARE(plan.blast.objects, 1);
    bench.platform.named("train-0")->managers = {"argo-cd:apps", "hpa:scaler"};
    const auto done = bench.run(plan).value();
    QCOMPARE(countOf(done, ActionState::Refused), 1);
    const auto result = actions::resultOf(done.front());
    QVERIFY2(result.check && result.check->name == actions::CheckName::Stoppable, done.front().result.c_str());
    QVERIFY(result.check->why == actions::Why::Managed && result.check->subject == "hpa:scaler");
    QCOMPARE(bench.platform.writes(), 0);
}

void TestActionGuards::protectMarksByTheirPlace_data()
{
    QTest::addColumn<int>("place");
    QTest::addColumn<int>("why");
    QTest::newRow("label") << 0 << static_cast<int>(actions::Why::Label);
    QTest::newRow("annotation") << 1 << static_cast<int>(actions::Why::Annotation);
    QTest::newRow("namespace") << 2 << static_cast<int>(actions::Why::Label);
}

void TestActionGuards::protectMarksByTheirPlace()
{
    QFETCH(int, place);
    QFETCH(int, why);
    for (const char *name : {"gpu-ledger.io/protect", "gpuledger.io/protect"}) {
        ActionBench bench;
        const auto ids = bench.addIdle(1);
        FakeObject &object = *bench.platform.named("train-0");
        (place == 0 ? object.labels : place == 1 ? object.annotations : object.nameSpaceLabels)[name] = "true";
        const auto plan = bench.plan(ids).value();
        const auto &check = checkOf(plan, actions::CheckName::NotProtected);
        QCOMPARE(static_cast<int>(check.why), why);
        QCOMPARE(check.subject, std::string(place == 2 ? "ml" : "Deployment ml/train-0"));
        QVERIFY(!plan.stops.front().isStoppable());
    }
}

GPULEDGER_SUITE(TestActionGuards)

} // namespace tst_actionguards

#include "tst_actionguards.moc"
