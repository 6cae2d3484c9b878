// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever happens between check and call, in whatever order: a changed object is never stopped.
#include "tests/support/fakes/actionbench.h"
#include "tests/support/suite.h"

#include <QTest>

#include <random>
#include <set>

namespace tst_actionorders {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::ActionState;
using Call = FakePlatform::Call;

namespace {

enum class Change {
    Replaced,
    BecameActive,
    NewOwner,
    Labelled,
    NameSpaceLabelled,
    Leased,
    Scaled,
    StoppedByOthers,
    NewPod
};
constexpr int kChanges = 9;

// The moment of a change. Activity, labels of a namespace and leases can't be part of a precondition of the platform.
enum class Moment { BeforeConfirm, BeforeActivity, BeforeRead, BeforeCall };

bool isGuarded(Change change)
{
    return change == Change::Replaced || change == Change::NewOwner || change == Change::Labelled
        || change == Change::Scaled || change == Change::StoppedByOthers || change == Change::NewPod;
}

void make(Change change, ActionBench &bench, const std::string &name)
{
    const auto guard = bench.platform.lock();
    FakeObject &object = *bench.platform.named(name);
    switch (change) {
    case Change::Replaced:
        bench.platform.replace(name);
        return;
    case Change::BecameActive:
        bench.environment.live[ActionBench::idOf(object)] = actions::Liveness::Kind::Active;
        return;
    case Change::NewOwner:
        object.labels["team"] = "nlp";
        break;
    case Change::Labelled:
        object.labels["gpu-ledger.io/protect"] = "true";
        break;
    case Change::NameSpaceLabelled: // a different object: the version stays the same
        object.nameSpaceLabels["gpu-ledger.io/protect"] = "true";
        return;
    case Change::Leased: {
        model::Lease lease;
        lease.kind = model::Lease::Kind::Protect;
        lease.holder = ActionBench::idOf(object);
        lease.actor = "kim";
        lease.at = bench.environment.wall.time;
        QVERIFY(bench.log->grant(lease));
        return;
    }
    case Change::Scaled:
        object.value = object.value == "3" ? "4" : "3";
        break;
    case Change::StoppedByOthers:
        object.value = object.stoppedValue;
        break;
    case Change::NewPod:
        object.holders.push_back({"c1", "ml", name + "-new", "new-" + object.ref.uid, "n1", {}});
        break;
    }
    object.version += 1;
}

struct Order {
    std::vector<std::pair<Change, Moment>> changes;
    bool preconditions = true, marks = true;
};

Order randomOrder(std::mt19937_64 &random)
{
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Order order;
    order.preconditions = below(4) != 0;
    order.marks = below(2) != 0;
    const int count = 1 + below(3);
    for (int i = 0; i < count; ++i) {
        const auto change = static_cast<Change>(below(kChanges));
        // After its last check only the platform itself can notice a change.
        const int moments = !isGuarded(change) ? 2 : order.preconditions ? 4 : 3;
        order.changes.emplace_back(change, static_cast<Moment>(below(moments)));
    }
    return order;
}

std::string textOf(const Order &order)
{
    std::string text = order.preconditions ? "guarded:" : "unguarded:";
    for (const auto &[change, moment] : order.changes)
        text += ' ' + std::to_string(static_cast<int>(change)) + '@' + std::to_string(static_cast<int>(moment));
    return text;
}

// What was stopped although it had changed; empty if nothing was.
std::string violation(ActionBench &bench, const Order &order, const std::string &name)
{
    bench.platform.preconditions = order.preconditions;
    bench.platform.marks = order.marks;
    bench.environment.idle.items.clear();
    bench.environment.live.clear();
    FakeObject &object = bench.platform.add(name);
    bench.environment.addIdle(object);
    const auto plan = bench.plan({ActionBench::idOf(object)});
    if (!plan || plan->blast.objects != 1)
        return "it was not stoppable at first";
    const int before = bench.platform.effects();
    std::set<std::size_t> made;
    const auto happen = [&](Moment now) {
        for (std::size_t i = 0; i < order.changes.size(); ++i) {
            if (order.changes[i].second == now && made.insert(i).second)
                make(order.changes[i].first, bench, name);
        }
    };
    happen(Moment::BeforeConfirm);
    bench.environment.onLook = [&] { happen(Moment::BeforeActivity); };
    bench.platform.hook = [&](Call call, const std::string &, bool after) {
        if (!after && call == Call::Read)
            happen(Moment::BeforeRead);
        if (!after && call == Call::Stop)
            happen(Moment::BeforeCall);
    };
    const auto done = bench.run(*plan);
    bench.platform.hook = {};
    bench.environment.onLook = {};
    if (!done)
        return done.error().text;
    if (bench.platform.effects() != before)
        return "it was stopped";
    if (done->front().state != ActionState::Refused)
        return "it is " + std::string(toString(done->front().state));
    return {};
}

} // namespace

class TestActionOrders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void neverStopsAChangedObject();
    void stopsAnUnchangedOne();
};

void TestActionOrders::neverStopsAChangedObject()
{
    const int count = qEnvironmentVariableIntValue("GPULEDGER_ACTION_ORDERS") > 0
        ? qEnvironmentVariableIntValue("GPULEDGER_ACTION_ORDERS")
        : 1000;
    std::mt19937_64 random(20261122);
    std::unique_ptr<ActionBench> bench;
    for (int i = 0; i < count; ++i) {
        if (i % 50 == 0) {
            bench = std::make_unique<ActionBench>();
            bench->environment.held["vision"] = 1000;
        }
        const Order order = randomOrder(random);
        const std::string what = violation(*bench, order, "train-" + std::to_string(i));
        QVERIFY2(what.empty(), ("order " + std::to_string(i) + ", " + textOf(order) + ": " + what).c_str());
        bench->environment.pass(base::Seconds{300});
    }
}

// Proves that the test can fail: an unchanged object is stopped.
void TestActionOrders::stopsAnUnchangedOne()
{
    for (const bool preconditions : {false, true}) {
        ActionBench bench;
        QCOMPARE(violation(bench, {{}, preconditions, true}, "train"), std::string("it was stopped"));
    }
}

GPULEDGER_SUITE(TestActionOrders)

} // namespace tst_actionorders

#include "tst_actionorders.moc"
