// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes kept up by small workloads: against an exhaustive search of all moves, against what packing adds, and by hand.
#include "app/savings/capacity/capacityoffer.h"
#include "app/savings/capacity/smallholds.h"
#include "app/savings/proposals/seededrandom.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace tst_smallholds {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

using Shares = std::vector<std::uint16_t>;

constexpr std::int64_t kNodeCost = 8000; // nano-units an hour
constexpr std::size_t kFourWeeks = 4 * kCapacityHoursPerWeek;

int heldBy(const Shares &shares)
{
    return std::accumulate(shares.begin(), shares.end(), 0);
}

// Each node has work of its own that holds these shares in every hour.
CapacityNode heldNode(CapacityPool &pool, const Shares &shares, std::size_t hours,
                      CapacityTerms terms = CapacityTerms::Ends)
{
    CapacityNode node;
    node.name = "n" + std::to_string(pool.nodes.size());
    node.devices = {node.name};
    node.terms = terms;
    CapacityHour hour;
    hour.present = true;
    hour.nanos = kNodeCost;
    hour.allocated = static_cast<std::int16_t>(heldBy(shares));
    for (std::size_t i = 0; i < hours; ++i)
        node.hours.push_back(hour);
    if (isSmallHold(hour.allocated, pool.gpus)) {
        node.small = {{0, static_cast<std::uint32_t>(hours), shares, {static_cast<std::uint32_t>(pool.work.size())}}};
        pool.work.push_back({"prod/team/Deployment/w" + std::to_string(pool.nodes.size()), "vision"});
    }
    return node;
}

CapacityPool heldPool(int gpus, const std::vector<Shares> &nodes, std::size_t hours = 1)
{
    CapacityPool pool;
    pool.id = "prod/a";
    pool.name = "prod: a";
    pool.gpus = gpus;
    pool.hours = hours;
    pool.shares.resize(hours);
    for (const Shares &shares : nodes) {
        pool.nodes.push_back(heldNode(pool, shares, hours));
        for (ShareCounts &all : pool.shares)
            std::for_each(shares.begin(), shares.end(), [&](std::uint16_t share) { all.add(share); });
    }
    return pool;
}

// Whether the shares from `next` on fit into these free GPUs in any way.
bool fits(const Shares &shares, std::size_t next, std::vector<int> &free)
{
    if (next == shares.size())
        return true;
    for (int &left : free) {
        if (left < shares[next])
            continue;
        left -= shares[next];
        const bool found = fits(shares, next + 1, free);
        left += shares[next];
        if (found)
            return true;
    }
    return false;
}

// Whether all of these nodes can be emptied at once into the others that are in use.
bool canEmpty(const std::vector<Shares> &nodes, const std::set<std::size_t> &emptied, int gpus)
{
    Shares moving;
    std::vector<int> free;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (emptied.contains(i))
            moving.insert(moving.end(), nodes[i].begin(), nodes[i].end());
        else if (heldBy(nodes[i]) > 0)
            free.push_back(gpus - heldBy(nodes[i]));
    }
    return fits(moving, 0, free);
}

std::vector<Shares> randomNodes(SeededRandom &random, int gpus)
{
    std::vector<Shares> nodes;
    for (std::int64_t n = 1 + random.below(6); n > 0; --n) {
        Shares &shares = nodes.emplace_back();
        int left = static_cast<int>(random.below(3) == 0 ? random.below(gpus + 1) : random.below(gpus / 4 + 1));
        if (random.below(4) == 0)
            left = gpus - static_cast<int>(random.below(3));
        while (left > 0) {
            const int share = 1 + static_cast<int>(random.below(left));
            shares.push_back(static_cast<std::uint16_t>(share));
            left -= share;
        }
    }
    return nodes;
}

std::int64_t total(const std::vector<std::int64_t> &values)
{
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

} // namespace

class TestSmallHolds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A single move: the only small node of a pool.
    void movesOneNodeExactlyIfAnExhaustiveSearchCan()
    {
        SeededRandom random(31, 0);
        int can = 0, cannot = 0;
        for (int i = 0; i < 4000; ++i) {
            const int gpus = i % 2 == 0 ? 8 : 16;
            std::vector<Shares> nodes = randomNodes(random, gpus);
            std::erase_if(nodes, [&](const Shares &shares) { return isSmallHold(heldBy(shares), gpus); });
            Shares small{1};
            while (heldBy(small) < gpus / 4 && random.below(3) > 0)
                small.push_back(1);
            if (random.below(2) == 0)
                small = {static_cast<std::uint16_t>(1 + random.below(gpus / 4))};
            const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(nodes.size()) + 1));
            nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(at), small);
            const std::vector<std::size_t> moved = movableNodes(heldPool(gpus, nodes), 0);
            const bool expected = canEmpty(nodes, {at}, gpus);
            QCOMPARE(moved, expected ? std::vector<std::size_t>{at} : std::vector<std::size_t>{});
            (expected ? can : cannot) += 1;
        }
        QVERIFY(can > 300 && cannot > 300);
    }

    // Several at once: what it names fits, none is named that could not move alone, and one is named if any can move.
    void namesOnlyMovesThatFitTogether()
    {
        SeededRandom random(32, 0);
        int several = 0;
        for (int i = 0; i < 4000; ++i) {
            const int gpus = i % 2 == 0 ? 8 : 16;
            const std::vector<Shares> nodes = randomNodes(random, gpus);
            const std::vector<std::size_t> moved = movableNodes(heldPool(gpus, nodes), 0);
            QVERIFY(canEmpty(nodes, {moved.begin(), moved.end()}, gpus));
            bool any = false;
            for (std::size_t n = 0; n < nodes.size(); ++n)
                any = any || (isSmallHold(heldBy(nodes[n]), gpus) && canEmpty(nodes, {n}, gpus));
            QCOMPARE(!moved.empty(), any);
            for (const std::size_t node : moved)
                QVERIFY(isSmallHold(heldBy(nodes[node]), gpus) && canEmpty(nodes, {node}, gpus));
            several += moved.size() > 1 ? 1 : 0;
        }
        QVERIFY(several > 100);
    }

    void movesOnlyWhatIsSmallRentedAndFits()
    {
        using Nodes = std::vector<std::size_t>;
        QCOMPARE(movableNodes(heldPool(8, {{2}, {6}}), 0), Nodes{0});
        QCOMPARE(movableNodes(heldPool(8, {{2}, {7}}), 0), Nodes{}); // one GPU is free
        QCOMPARE(movableNodes(heldPool(8, {{1, 1}, {7}, {7}}), 0), Nodes{0}); // one to each
        QCOMPARE(movableNodes(heldPool(8, {{2}, {7}, {7}}), 0), Nodes{}); // no share is split
        QCOMPARE(movableNodes(heldPool(8, {{3}, {4}}), 0), Nodes{}); // more than a quarter
        QCOMPARE(movableNodes(heldPool(8, {{2}, {}}), 0), Nodes{}); // nothing is gained on an empty node
        QCOMPARE(movableNodes(heldPool(8, {{1}, {1}}), 0).size(), std::size_t{1}); // not each to the other
        QCOMPARE(movableNodes(heldPool(2, {{1}, {1}}), 0), Nodes{}); // half of the GPUs
        CapacityPool pool = heldPool(8, {{2}, {6}});
        pool.nodes[0].terms = CapacityTerms::Sunk;
        QCOMPARE(movableNodes(pool, 0), Nodes{});
        pool.nodes[0].terms = CapacityTerms::Ends;
        CapacityHour unknown = pool.nodes[1].hours[0];
        unknown.known = false; // what is free there is not known
        pool.nodes[1].hours = {};
        pool.nodes[1].hours.push_back(unknown);
        QCOMPARE(movableNodes(pool, 0), Nodes{});
    }

    // The list is a part of what packing adds: by hour and in the sum, hours as well as money.
    void isNeverMoreThanPackingAdds()
    {
        SeededRandom random(33, 0);
        std::int64_t kept = 0, allOfIt = 0;
        for (int i = 0; i < 600; ++i) {
            const int gpus = 8;
            CapacityPool pool = heldPool(gpus, randomNodes(random, gpus), 30);
            for (CapacityNode &node : pool.nodes) {
                for (CapacityHour hour : std::exchange(node.hours, {})) {
                    hour.nanos = random.below(kNodeCost);
                    node.hours.push_back(hour);
                }
            }
            CapacityPolicy policy;
            policy.minimum = static_cast<int>(random.below(3));
            policy.delayHours = 1 + static_cast<int>(random.below(3));
            const CapacityReplay stays = replayCapacity(pool, policy).value();
            const CapacityReplay packed = replayPackedCapacity(pool, policy).value();
            const KeptNodes found = keptNodes(pool, stays, packed).value();
            QVERIFY(found.hours <= found.packedHours);
            QCOMPARE(found.packedHours, packed.offHours - stays.offHours);
            QVERIFY(found.nanos <= total(packed.savedNanos));
            std::int64_t hours = 0, nanos = 0;
            for (std::size_t n = 0; n < found.nodes.size(); ++n) {
                hours += found.nodes[n].hours;
                nanos += found.nodes[n].nanos;
                QVERIFY(n == 0 || found.nodes[n].nanos <= found.nodes[n - 1].nanos);
            }
            QCOMPARE(hours, found.hours);
            QCOMPARE(nanos, found.nanos);
            kept += found.hours;
            allOfIt += found.hours > 0 && found.hours == found.packedHours ? 1 : 0;
        }
        QVERIFY(kept > 1000 && allOfIt > 50);
    }

    void evidenceNamesTheWorkload()
    {
        const CapacityPool pool = heldPool(8, {{2}, {6}}, kFourWeeks);
        const auto offers = tests::checked(offerCapacity(pool, {}, base::Currency::usd()).value());
        QCOMPARE(offers.size(), std::size_t{1}); // packed
        const std::string hours = ui::valueOf(countTerm(static_cast<std::int64_t>(kFourWeeks) - 1)).english();
        QCOMPARE(tests::evidenceOf(offers[0], "node-hours off"), hours);
        QCOMPARE(tests::evidenceOf(offers[0], "node-hours off only if packed"), hours);
        const std::string value = tests::evidenceOf(offers[0], "kept up by prod/team/Deployment/w0 (vision) on n0");
        QVERIFY2(value.starts_with(hours + " node-hours, "), value.c_str());
        QCOMPARE(value, tests::evidenceOf(offers[0], "node-hours kept up by small workloads"));
    }

    // What is configured for one pool is evidence of its proposals, and its assumption has that value.
    void evidenceSaysWhatIsConfiguredForThePool()
    {
        const CapacityPool pool = heldPool(8, {{2}, {6}, {8}}, kFourWeeks);
        CapacityPolicy policy;
        policy.minimum = 1;
        const auto said = [&](const char *label) {
            const auto offers = tests::checked(offerCapacity(pool, policy, base::Currency::usd()).value());
            return offers.empty() ? std::string() : tests::evidenceOf(offers[0], label);
        };
        const char *const minimum = "minimum number of nodes, configured for this pool";
        QCOMPARE(said(minimum), std::string()); // assumed of all pools
        policy.ownMinimum = policy.ownDelay = true;
        policy.delayHours = 2;
        QCOMPARE(said(minimum), std::string("1"));
        QCOMPARE(said("scale-down delay, configured for this pool"),
                 ui::valueOf(durationTerm(base::Seconds{7200})).english());
        QCOMPARE(said("start-up time, configured for this pool"), std::string());
        const auto offers = offerCapacity(pool, policy, base::Currency::usd()).value();
        const auto own = std::find_if(offers[0].assumptions.begin(), offers[0].assumptions.end(),
                                      [](const Assumption &one) { return one.name == "minimum-nodes"; });
        QVERIFY(own != offers[0].assumptions.end() && own->value == "1");
    }

    // Those after the tenth are counted.
    void listsTenAndCountsTheRest()
    {
        std::vector<Shares> nodes(12, Shares{1});
        nodes.push_back({2});
        nodes.push_back({2});
        const CapacityPool pool = heldPool(8, nodes, kFourWeeks);
        const auto replay = replayCapacity(pool, {}).value();
        const KeptNodes kept = keptNodes(pool, replay, replayPackedCapacity(pool, {}).value()).value();
        QVERIFY(kept.nodes.size() > kCapacityKeptListed);
        const auto offers = tests::checked(offerCapacity(pool, {}, base::Currency::usd()).value());
        const auto named = std::count_if(offers[0].evidence.begin(), offers[0].evidence.end(), [](const Evidence &one) {
            return one.label.text == RemarkText::KeptUpOfTeam;
        });
        QCOMPARE(static_cast<std::size_t>(named), kCapacityKeptListed);
        const std::string rest = std::to_string(kept.nodes.size() - kCapacityKeptListed);
        QVERIFY(!tests::evidenceOf(offers[0], "more cases kept up by small workloads: " + rest).empty());
    }
};

GPULEDGER_PLAIN_SUITE(TestSmallHolds)

} // namespace tst_smallholds

#include "tst_smallholds.moc"
