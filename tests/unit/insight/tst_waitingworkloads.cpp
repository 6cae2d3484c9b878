// SPDX-License-Identifier: GPL-3.0-or-later
// Which jobs wait for idle GPUs, as reported by a cluster's API server: Workloads with several pods, and the quota of
// the job itself.
#include "tests/support/suite.h"
#include "waitingbench.h"

#include <QTest>

namespace tst_waitingworkloads {

using namespace gpuledger;
using namespace gpuledger::tests;

class TestWaitingWorkloads : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The pods of a Workload start together, each on a node with enough room.
    void podsTogether()
    {
        Bench bench;
        bench.node("a", 4);
        bench.node("b", 4);
        bench.hold("x", "a", 2);
        bench.hold("y", "b", 4);
        WaitingWork &gang = bench.wait("gang", 6);
        gang.pods = {{3, kGpu, 2, false, 1 * kCores, kGib, {}, {}}};
        const WaitingItem item = bench.only();
        QVERIFY(item.isServed && item.blocker == Blocker::HeldByIdle);
        QCOMPARE(item.node, std::string("a, b"));
        QVERIFY(namesOf(item) == std::set<std::string>({"x", "y"}) || namesOf(item) == std::set<std::string>({"y"}));
        std::int64_t units = 0;
        for (const auto &part : item.parts)
            units += part.units;
        QCOMPARE(units, std::int64_t{6});
        // One pod more than fits: none of them gets a GPU.
        bench.facts.works.front().pods.front().count = 5;
        bench.facts.works.front().gpus = 10;
        bench.wait("small", 4, 1);
        const WaitingList list = bench.match();
        QVERIFY(!list.items[0].isServed && list.items[0].blocker == Blocker::NoIdleGpu);
        QVERIFY(list.items[1].isServed);
    }

    // Enough in total, but not in pieces of their size.
    void podsThatDoNotFit()
    {
        Bench bench;
        for (const char *name : {"a", "b", "c"}) {
            bench.node(name, 3);
            bench.hold(std::string("idle-") + name, name, 3);
        }
        WaitingWork &gang = bench.wait("gang", 8);
        gang.pods = {{4, kGpu, 2, false, 0, 0, {}, {}}};
        WaitingItem item = bench.only();
        QVERIFY(!item.isServed && item.blocker == Blocker::Scattered && !item.parts.empty());
        bench.facts.works.front().pods = {{3, kGpu, 2, false, 0, 0, {}, {}}, {2, kGpu, 1, false, 0, 0, {}, {}}};
        item = bench.only();
        QVERIFY(item.isServed && namesOf(item).size() == 3);
        bench.facts.works.front().pods.back().selector = {{"zone", "x"}};
        bench.at("a").labels->emplace("zone", "y");
        QVERIFY(!bench.only().isServed);
    }

    // Kueue's own statement about a Workload takes precedence over quotas.
    void quotaOfTheJobItself()
    {
        Bench bench;
        bench.node("a", 1);
        bench.hold("pod", "a", 1);
        WaitingWork &work = bench.wait("job", 1);
        work.kind = WaitingWork::Kind::Workload;
        work.queue = "q";
        work.hasQuota = false;
        QVERIFY(isBlocked(bench.only(), Blocker::Quota, "a"));
        bench.facts.quotas = {{"c", "q", "f", kGpu, 2, 2}};
        bench.facts.works.front().hasQuota = true;
        QVERIFY(bench.only().isServed);
        bench.facts.works.front().hasQuota = false;
        bench.facts.works.front().gpus = 2;
        bench.facts.works.front().pods = {{2, kGpu, 1, false, 0, 0, {}, {}}};
        QVERIFY(!bench.only().isServed && bench.only().blocker == Blocker::Quota);
    }

    void taintsThatNobodyTold()
    {
        Bench bench;
        bench.node("a", 1).areTaintsKnown = false;
        bench.hold("pod", "a", 1);
        bench.wait("job", 1);
        QVERIFY(bench.only().isServed && bench.only().unchecked.tolerations);
    }

    void anIdleOneOfUnknownUid()
    {
        Bench bench;
        bench.node("a", 1);
        bench.hold("pod", "a", 1).id = "c/ns/pod/";
        bench.wait("job", 1);
        QVERIFY(bench.only().isServed);
    }
};

GPULEDGER_SUITE(TestWaitingWorkloads)

} // namespace tst_waitingworkloads

#include "tst_waitingworkloads.moc"
