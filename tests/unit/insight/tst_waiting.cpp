// SPDX-License-Identifier: GPL-3.0-or-later
// Which jobs wait for idle GPUs: one planted case for each blocker, and small random clusters compared with a matcher
// that tries everything.
#include "tests/support/suite.h"
#include "waitingbench.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

namespace tst_waiting {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

// A random cluster with a brute-force matcher: which idle pods of one node suffice, and how few GPUs that frees.
struct Trial {
    std::map<std::string, std::int64_t> open, cpu; // by node
    std::map<std::string, std::vector<const HeldRoom *>> idle;

    explicit Trial(const Bench &bench)
    {
        for (const NodeRoom &room : bench.facts.nodes) {
            const auto used = room.gpusUsed.find(kGpu);
            open[room.name] = room.gpus.at(kGpu) - (used == room.gpusUsed.end() ? 0 : used->second);
            cpu[room.name] = *room.cpuMilli - *room.cpuMilliUsed;
        }
        for (const IdleItem &item : bench.idle.items) {
            for (const HeldRoom &held : bench.facts.holders) {
                if ("c/ns/" + held.name + "/u" == item.id && item.protection.empty())
                    idle[held.node].push_back(&held);
            }
        }
    }
    // The fewest GPUs to free on the node for this; std::nullopt if the node can't serve it.
    std::optional<std::int64_t> fewest(const std::string &node, const WaitingWork &work) const
    {
        std::optional<std::int64_t> best;
        const auto found = idle.find(node);
        const std::vector<const HeldRoom *> none;
        const auto &all = found == idle.end() ? none : found->second;
        for (unsigned choice = 0; choice < (1u << all.size()); ++choice) {
            std::int64_t gpus = 0, cores = 0;
            for (unsigned i = 0; i < all.size(); ++i) {
                gpus += (choice >> i & 1) ? all[i]->gpus.at(kGpu) : 0;
                cores += (choice >> i & 1) ? all[i]->cpuMilli : 0;
            }
            if (open.at(node) + gpus >= *work.gpus && cpu.at(node) + cores >= *work.cpuMilli)
                best = std::min(best.value_or(gpus), gpus);
        }
        return best;
    }
    void apply(const WaitingItem &item)
    {
        for (const auto &name : namesOf(item)) {
            auto &all = idle[item.node];
            const auto held =
                std::find_if(all.begin(), all.end(), [&](const HeldRoom *one) { return one->name == name; });
            if (held == all.end())
                continue; // freed for an older job
            open[item.node] += (*held)->gpus.at(kGpu);
            cpu[item.node] += (*held)->cpuMilli;
            all.erase(held);
        }
        open[item.node] -= *item.work.gpus;
        cpu[item.node] -= *item.work.cpuMilli;
    }
};

Bench randomBench(unsigned seed)
{
    std::mt19937 random(seed);
    const auto upTo = [&](int most) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(most + 1)); };
    Bench bench;
    for (int n = 0; n < 3; ++n) {
        const std::string name = "n" + std::to_string(n);
        bench.node(name, 8).cpuMilli = 20 * kCores;
        std::int64_t left = 8;
        for (int p = 0; left > 0 && p < 5; ++p) {
            const std::int64_t gpus = std::min<std::int64_t>(left, 1 + upTo(3));
            const std::string pod = name + "p" + std::to_string(p);
            left -= gpus;
            if (upTo(2) == 0) {
                bench.busy(pod, name, gpus, kGpu, upTo(4) * kCores);
            } else if (IdleItem &item = bench.hold(pod, name, gpus, kGpu, upTo(4) * kCores); upTo(4) == 0) {
                item.protection = "label";
            }
            if (upTo(3) == 0)
                break; // the rest stays free
        }
    }
    for (int j = 0; j < 6; ++j)
        bench.wait("j" + std::to_string(j), 1 + upTo(5), 1 + upTo(20)).cpuMilli = upTo(12) * kCores;
    return bench;
}

} // namespace

class WaitingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void heldByIdle()
    {
        Bench bench;
        bench.node("a", 8);
        bench.busy("works", "a", 4);
        bench.hold("big", "a", 3);
        bench.hold("small", "a", 1);
        bench.wait("job", 1);
        const WaitingList list = bench.match();
        const WaitingItem &item = list.items.front();
        QVERIFY(item.isServed && item.blocker == Blocker::HeldByIdle && item.obstacles.empty());
        QCOMPARE(namesOf(item), std::set<std::string>{"small"}); // the fewest GPUs are freed
        QCOMPARE(*item.perHour, dollars(2));
        QCOMPARE(*item.perMonth, dollars(1460)); // 730 hours
        QCOMPARE(*item.lost, dollars(8)); // four hours during which it waited and the other one was idle
        const auto &sum = sumOf(list, Blocker::HeldByIdle);
        QCOMPARE(sum.jobs, std::size_t{1});
        QCOMPARE(sum.units, std::int64_t{1});
        QCOMPARE(*sum.perMonth, dollars(1460).nanos());
        QCOMPARE(*sum.lost, dollars(8).nanos());
    }

    void whatIsFreedServesTheNext()
    {
        Bench bench;
        bench.node("a", 4);
        bench.hold("big", "a", 4);
        bench.wait("second", 1, 2);
        bench.wait("first", 3, 5);
        const WaitingList list = bench.match();
        QCOMPARE(list.items[0].work.name, std::string("first"));
        QVERIFY(list.items[0].isServed && list.items[1].isServed);
        QCOMPARE(namesOf(list.items[1]), std::set<std::string>{"big"});
        QCOMPARE(*list.items[0].perHour, dollars(6)); // three of four GPUs
        QCOMPARE(*list.items[1].perHour, dollars(2));
        QCOMPARE(sumOf(list, Blocker::HeldByIdle).units, std::int64_t{4});
        QCOMPARE(*sumOf(list, Blocker::HeldByIdle).perMonth, dollars(8 * 730).nanos()); // the cost of "big", once
    }

    void unpricedStaysUnknown()
    {
        Bench bench;
        bench.node("a", 1);
        bench.hold("pod", "a", 1).ratePerHour.reset();
        bench.wait("job", 1);
        const WaitingList list = bench.match();
        QVERIFY(list.items.front().isServed);
        QVERIFY(!list.items.front().perMonth && !list.items.front().lost);
        const auto &sum = sumOf(list, Blocker::HeldByIdle);
        QVERIFY(!sum.perMonth && !sum.lost);
        QCOMPARE(sum.unpriced, std::int64_t{1});
    }

    void quota()
    {
        Bench bench;
        bench.node("a", 1);
        bench.hold("pod", "a", 1);
        bench.wait("job", 1).queue = "q";
        bench.facts.quotas = {{"c", "q", "spot", kGpu, 4, 4}, {"c", "other", "spot", kGpu, 4, 0}};
        QVERIFY(isBlocked(bench.only(), Blocker::Quota, "a"));
        QVERIFY(bench.only().obstacles == std::vector{Blocker::Quota});
        bench.facts.quotas.push_back({"c", "q", "reserved", kGpu, 2, 1}); // a flavour with room
        QVERIFY(bench.only().isServed);
    }

    void queueOfUnknownSize()
    {
        Bench bench;
        bench.node("a", 1);
        bench.hold("pod", "a", 1);
        WaitingWork &work = bench.wait("q", 1);
        work.kind = WaitingWork::Kind::Queue;
        work.gpus.reset();
        work.resource.clear();
        work.queue = "q";
        work.count = 7;
        QVERIFY(isBlocked(bench.only(), Blocker::SizeUnknown, ""));
        bench.facts.quotas = {{"c", "q", "f", kGpu, 2, 2}};
        const WaitingList list = bench.match();
        QVERIFY(list.items.front().blocker == Blocker::Quota);
        QCOMPARE(sumOf(list, Blocker::Quota).jobs, std::size_t{7});
        QVERIFY(!sumOf(list, Blocker::Quota).perMonth);
    }

    void taint()
    {
        Bench bench;
        bench.node("a", 1).taints = {{"team", "x", "NoSchedule"}};
        bench.hold("pod", "a", 1);
        WaitingWork &work = bench.wait("job", 1);
        QVERIFY(isBlocked(bench.only(), Blocker::Taint, "a"));
        work.tolerations = {{"team", "Equal", "y", ""}};
        QVERIFY(isBlocked(bench.only(), Blocker::Taint, "a"));
        for (const model::Toleration &one : std::vector<model::Toleration>{{"team", "Equal", "x", "NoSchedule"},
                                                                           {"team", "", "x", ""},
                                                                           {"team", "Exists", "", ""},
                                                                           {"", "Exists", "", ""}}) {
            work.tolerations = {one};
            QVERIFY(bench.only().isServed);
        }
        work.tolerations = {{"team", "Exists", "", "NoExecute"}};
        QVERIFY(isBlocked(bench.only(), Blocker::Taint, "a"));
        bench.at("a").taints.front().effect = "PreferNoSchedule";
        QVERIFY(bench.only().isServed);
        bench.at("a").isCordoned = true;
        QVERIFY(isBlocked(bench.only(), Blocker::Taint, "a"));
    }

    void unknownTolerationsAreNoObstacle()
    {
        Bench bench;
        bench.node("a", 1).taints = {{"team", "x", "NoSchedule"}};
        bench.hold("pod", "a", 1);
        bench.wait("job", 1).tolerations.reset();
        QVERIFY(bench.only().isServed);
        QVERIFY(bench.only().unchecked.tolerations);
    }

    void noCpu()
    {
        Bench bench;
        bench.node("a", 2).cpuMilli = 10 * kCores;
        bench.busy("eats", "a", 1, kGpu, 8 * kCores);
        bench.rates[{"c", "a"}] = dollars(3);
        WaitingWork &work = bench.wait("job", 1);
        work.cpuMilli = 4 * kCores;
        const WaitingItem item = bench.only();
        QVERIFY(isBlocked(item, Blocker::NoCpu, "a"));
        QVERIFY(item.parts.size() == 1 && item.parts.front().idle.empty()); // the free one
        QCOMPARE(*item.perMonth, dollars(3 * 730));
        QVERIFY(!item.lost); // it is unknown since when it is free
        work.cpuMilli = 2 * kCores;
        QVERIFY(bench.only().blocker == Blocker::NotSeen);
    }

    void cpuThatAnIdleOneGivesBack()
    {
        Bench bench;
        bench.node("a", 2).cpuMilli = 10 * kCores;
        bench.hold("pod", "a", 1, kGpu, 8 * kCores);
        bench.wait("job", 1).cpuMilli = 6 * kCores; // a GPU is free; the CPU is not
        QVERIFY(bench.only().isServed);
        QCOMPARE(namesOf(bench.only()), std::set<std::string>{"pod"});
    }

    void noMemory()
    {
        Bench bench;
        bench.node("a", 1).memoryBytes = 10 * kGib;
        bench.wait("job", 1).memoryBytes = 11 * kGib;
        QVERIFY(isBlocked(bench.only(), Blocker::NoMemory, "a"));
        bench.at("a").memoryBytes.reset();
        QVERIFY(bench.only().blocker == Blocker::NotSeen);
        QVERIFY(bench.only().unchecked.memory);
    }

    void migLeftovers()
    {
        Bench bench;
        bench.node("a", 7, "nvidia_com_mig_1g_10gb");
        bench.hold("pod", "a", 1, "nvidia_com_mig_1g_10gb");
        bench.wait("job", 1).resource = "nvidia_com_mig_3g_40gb";
        const WaitingItem item = bench.only();
        QVERIFY(isBlocked(item, Blocker::MigLeftovers, "a"));
        QVERIFY(!item.perMonth); // a free slice has no price of its own
    }

    void flavour()
    {
        Bench bench;
        bench.node("a", 2, "amd_com_gpu");
        WaitingWork &work = bench.wait("job", 1);
        QVERIFY(isBlocked(bench.only(), Blocker::Flavour, "a"));
        bench.node("b", 2);
        bench.at("b").labels = model::Labels{{"nvidia_com_gpu_product", "L4"}};
        work.selector = model::Labels{{"nvidia_com_gpu_product", "H100"}};
        QVERIFY(bench.only().blocker == Blocker::Flavour);
        work.selector = model::Labels{{"nvidia_com_gpu_product", "L4"}};
        QVERIFY(bench.only().blocker == Blocker::NotSeen);
        QVERIFY(!bench.only().unchecked.selector);
        work.selector = model::Labels{{"pool", "x"}}; // no node has this label
        QVERIFY(bench.only().blocker == Blocker::NotSeen);
        QVERIFY(bench.only().unchecked.selector);
    }

    void protectedOnes()
    {
        Bench bench;
        bench.node("a", 1);
        bench.hold("pod", "a", 1).protection = "label";
        bench.wait("job", 1);
        const WaitingList list = bench.match();
        QVERIFY(isBlocked(list.items.front(), Blocker::Protected, "a"));
        QCOMPARE(namesOf(list.items.front()), std::set<std::string>{"pod"});
        QCOMPARE(*sumOf(list, Blocker::Protected).perMonth, dollars(1460).nanos());
    }

    void scattered()
    {
        Bench bench;
        bench.node("a", 2);
        bench.node("b", 3);
        bench.hold("one", "a", 2);
        bench.hold("two", "b", 3);
        bench.wait("job", 4);
        QVERIFY(isBlocked(bench.only(), Blocker::Scattered, "b"));
        bench.facts.works.front().gpus = 6; // more than the idle ones
        QVERIFY(isBlocked(bench.only(), Blocker::NoIdleGpu, ""));
    }

    void noIdleGpu()
    {
        Bench bench;
        bench.node("a", 4);
        bench.busy("works", "a", 4);
        bench.wait("job", 1);
        QVERIFY(isBlocked(bench.only(), Blocker::NoIdleGpu, ""));
        QVERIFY(bench.only().parts.empty());
        bench.node("elsewhere", 4).cluster = "d"; // GPUs of another cluster do not help
        QVERIFY(isBlocked(bench.only(), Blocker::NoIdleGpu, ""));
    }

    void nothingSeen()
    {
        Bench bench;
        bench.node("a", 2);
        bench.wait("job", 2);
        QVERIFY(isBlocked(bench.only(), Blocker::NotSeen, "a"));
        QVERIFY(bench.only().obstacles.empty());
    }

    // A GPU that could serve three blocked jobs costs once.
    void moneyCountsEachUnitOnce()
    {
        Bench bench;
        bench.node("a", 1).isCordoned = true;
        bench.hold("pod", "a", 1);
        for (const char *name : {"x", "y", "z"})
            bench.wait(name, 1);
        const WaitingList list = bench.match();
        QCOMPARE(*list.items[2].perMonth, dollars(1460));
        QCOMPARE(sumOf(list, Blocker::Taint).jobs, std::size_t{3});
        QCOMPARE(sumOf(list, Blocker::Taint).units, std::int64_t{1});
        QCOMPARE(*sumOf(list, Blocker::Taint).perMonth, dollars(1460).nanos());
    }

    void anIdleOneThatEndedSince()
    {
        Bench bench;
        bench.node("a", 1);
        bench.hold("pod", "a", 1);
        bench.facts.holders.clear();
        bench.wait("job", 1);
        QVERIFY(isBlocked(bench.only(), Blocker::NoIdleGpu, ""));
    }

    void unknownIsNotNone()
    {
        Bench bench;
        bench.node("a", 1);
        bench.wait("job", 1);
        bench.facts.isKnown = false;
        const WaitingList list = bench.match();
        QVERIFY(!list.isKnown);
        QVERIFY(list.items.empty());
    }

    void keepsTheChosen()
    {
        Bench bench;
        bench.node("a", 2);
        bench.hold("pod", "a", 2);
        bench.wait("x", 1, 9);
        bench.wait("y", 1, 8);
        WaitingList list = bench.match();
        insight::keep(list, [](const WaitingItem &item) { return item.work.name == "y"; });
        QCOMPARE(list.items.size(), std::size_t{1});
        QCOMPARE(*sumOf(list, Blocker::HeldByIdle).perMonth, dollars(1460).nanos());
    }

    void tooMany()
    {
        Bench bench;
        bench.node("a", 1);
        for (std::size_t i = 0; i < insight::kMostJobs + 3; ++i)
            bench.wait(std::to_string(i), 1, static_cast<std::int64_t>(i));
        const WaitingList list = bench.match();
        QCOMPARE(list.leftOut, std::size_t{3});
        QCOMPARE(list.items.size(), insight::kMostJobs);
        QCOMPARE(list.items.front().work.name, std::to_string(insight::kMostJobs + 2)); // the oldest
    }

    void manyIdleOnOneNode() // too many to try every combination
    {
        Bench bench;
        bench.node("a", 30);
        for (int i = 0; i < 15; ++i)
            bench.hold("p" + std::to_string(i), "a", 2);
        bench.wait("job", 5);
        const WaitingItem item = bench.only();
        QVERIFY(item.isServed);
        QCOMPARE(namesOf(item).size(), std::size_t{3}); // not more than needed
    }

    void randomClusters_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 400; ++seed)
            QTest::addRow("%u", seed) << seed;
    }
    void randomClusters()
    {
        QFETCH(unsigned, seed);
        const Bench bench = randomBench(seed);
        const WaitingList list = bench.match();
        QCOMPARE(list.items.size(), bench.facts.works.size());
        Trial trial(bench);
        for (std::size_t i = 1; i < list.items.size(); ++i)
            QVERIFY(*list.items[i - 1].work.since <= *list.items[i].work.since);
        for (const WaitingItem &item : list.items) {
            std::optional<std::int64_t> best;
            for (const NodeRoom &room : bench.facts.nodes) {
                if (const auto fewest = trial.fewest(room.name, item.work))
                    best = std::min(best.value_or(*fewest), *fewest);
            }
            const bool isPlaced = item.isServed || item.blocker == Blocker::NotSeen;
            QCOMPARE(isPlaced, best.has_value()); // served if any node could
            if (!isPlaced)
                continue;
            QVERIFY(trial.fewest(item.node, item.work) == best); // on a node where the fewest are freed
            std::int64_t given = 0;
            for (const auto &part : item.parts)
                given += part.units;
            QCOMPARE(given, *item.work.gpus);
            trial.apply(item);
            QVERIFY(trial.open[item.node] >= 0); // no GPU is assigned twice
            QVERIFY(trial.cpu[item.node] >= 0);
        }
        for (const WaitingItem &item : list.items) // what remains idle helps none of the others
            QVERIFY(item.isServed || item.blocker == Blocker::NotSeen || !item.obstacles.empty());
        // No idle workload's cost counts twice.
        std::int64_t all = 0, told = 0;
        for (const IdleItem &item : bench.idle.items)
            all += item.ratePerHour->nanos() * insight::kIdleHoursPerMonth;
        for (const auto &sum : list.sums)
            told += sum.perMonth.value_or(0);
        QVERIFY(told <= all);
        const WaitingList again = bench.match();
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            QCOMPARE(again.items[i].node, list.items[i].node);
            QVERIFY(namesOf(again.items[i]) == namesOf(list.items[i]));
        }
    }
};

GPULEDGER_PLAIN_SUITE(WaitingTest)

} // namespace tst_waiting

#include "tst_waiting.moc"
