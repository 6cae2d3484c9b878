// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling a pool down, against a simulator that goes node by node, an exhaustive packing, and examples made by hand.
#include "app/savings/capacity/capacity.h"
#include "app/savings/capacity/capacitycurve.h"
#include "app/savings/capacity/capacityoffer.h"
#include "app/savings/proposals/seededrandom.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace tst_capacity {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr int kAbsent = -1, kUnseen = -2;
constexpr std::int64_t kNodeHour = 8000; // nano-units
constexpr std::size_t kWeek = kCapacityHoursPerWeek;

using Hours = std::vector<int>; // GPUs held, kAbsent or kUnseen

CapacityNode nodeOf(const Hours &hours, CapacityTerms terms = CapacityTerms::Ends, std::int64_t nanos = kNodeHour)
{
    CapacityNode node;
    node.terms = terms;
    for (const int held : hours) {
        CapacityHour hour;
        hour.present = held != kAbsent;
        hour.known = held != kUnseen;
        hour.allocated = static_cast<std::int16_t>(std::max(held, 0));
        hour.nanos = hour.present ? nanos : 0;
        node.hours.push_back(hour);
    }
    return node;
}

CapacityHours withPrice(const CapacityHours &hours, std::size_t at, bool priced)
{
    CapacityHours out;
    for (CapacityHour hour : hours) {
        hour.priced = out.size() == at ? priced : hour.priced;
        out.push_back(hour);
    }
    return out;
}

CapacityPool poolOf(int gpus, std::vector<CapacityNode> nodes)
{
    CapacityPool pool;
    pool.id = "prod/a";
    pool.name = "prod: a";
    pool.gpus = gpus;
    pool.hours = nodes.empty() ? 0 : nodes.front().hours.size();
    pool.nodes = std::move(nodes);
    pool.shares.resize(pool.hours);
    for (std::size_t n = 0; n < pool.nodes.size(); ++n) {
        pool.nodes[n].name = "n" + std::to_string(n);
        pool.nodes[n].devices = {std::to_string(n + 1)};
        for (std::size_t h = 0; h < pool.hours; ++h) {
            const CapacityHour hour = pool.nodes[n].hours[h];
            if (hour.known && hour.allocated > 0)
                pool.shares[h].add(static_cast<std::uint16_t>(hour.allocated));
        }
    }
    return pool;
}

CapacityPool randomPool(SeededRandom &random, std::size_t hours)
{
    const int gpus = 1 << random.below(4);
    std::vector<CapacityNode> nodes;
    for (std::int64_t n = 1 + random.below(6); n > 0; --n) {
        Hours held;
        int now = static_cast<int>(random.below(gpus + 1));
        for (std::size_t h = 0; h < hours; ++h) {
            const std::int64_t dice = random.below(20);
            if (dice < 3)
                now = static_cast<int>(random.below(gpus + 1));
            else if (dice < 7)
                now = 0;
            else if (dice == 7)
                now = random.below(2) ? kAbsent : kUnseen;
            held.push_back(now);
        }
        const auto terms = random.below(4) == 0 ? CapacityTerms::Sunk
            : random.below(6) == 0              ? CapacityTerms::Unknown
                                                : CapacityTerms::Ends;
        nodes.push_back(nodeOf(held, terms, 1 + random.below(2 * kNodeHour)));
    }
    return poolOf(gpus, std::move(nodes));
}

CapacityPolicy randomPolicy(SeededRandom &random)
{
    CapacityPolicy policy;
    policy.delayHours = 1 + static_cast<int>(random.below(3));
    policy.headroom = random.below(2) ? 0.99 : 0.5;
    policy.minimum = static_cast<int>(random.below(3));
    return policy;
}

bool isEmpty(const CapacityHour &hour)
{
    return hour.present && hour.known && hour.allocated == 0;
}

struct Simulated {
    std::vector<int> off;
    std::vector<std::int64_t> saved;
    std::int64_t waiting = 0;
};

// Takes nodes away one at a time while the rules allow it, those first that nothing arrives at; arrivals at the others
// move to empty nodes that are on.
Simulated simulated(const CapacityPool &pool, const CapacityPolicy &policy, int headroom)
{
    Simulated out;
    std::vector<int> streak(pool.nodes.size(), 0); // hours empty before this one
    for (std::size_t h = 0; h < pool.hours; ++h) {
        int on = 0, emptyOn = 0, off = 0, left = 0, emptyNow = 0;
        std::int64_t cost = 0, costs = 0;
        std::vector<std::int64_t> arriving;
        for (std::size_t n = 0; n < pool.nodes.size(); ++n) {
            const CapacityHour hour = pool.nodes[n].hours[h];
            const bool rented = pool.nodes[n].terms == CapacityTerms::Ends;
            on += hour.present ? 1 : 0;
            emptyOn += hour.present && streak[n] > 0 ? 1 : 0;
            emptyNow += isEmpty(hour) ? 1 : 0;
            if (rented && isEmpty(hour) && streak[n] > 0) {
                cost += hour.nanos;
                ++costs;
            }
            if (hour.known && hour.allocated > 0 && streak[n] > 0)
                arriving.push_back(hour.allocated);
        }
        for (const bool staysEmpty : {true, false}) {
            for (std::size_t n = 0; n < pool.nodes.size(); ++n) {
                const CapacityHour hour = pool.nodes[n].hours[h];
                const bool ready = hour.present && pool.nodes[n].terms == CapacityTerms::Ends
                    && streak[n] >= policy.delayHours && isEmpty(hour) == staysEmpty;
                if (!ready || on - 1 < policy.minimum || (emptyOn - 1) * pool.gpus < headroom)
                    continue;
                --on;
                --emptyOn;
                (staysEmpty ? off : left) += 1;
            }
        }
        const int without = std::max(0, left - (emptyNow - off)); // arrivals without an empty node
        std::sort(arriving.rbegin(), arriving.rend());
        for (int i = 0; i < without && i < static_cast<int>(arriving.size()); ++i)
            out.waiting += arriving[static_cast<std::size_t>(i)] * policy.startUp.count();
        out.off.push_back(off);
        out.saved.push_back(off > 0 ? cost * off / costs : 0);
        for (std::size_t n = 0; n < pool.nodes.size(); ++n)
            streak[n] = isEmpty(pool.nodes[n].hours[h]) ? streak[n] + 1 : 0;
    }
    return out;
}

std::int64_t sum(const std::vector<std::int64_t> &values)
{
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

CapacityNode emptyNode(std::size_t hours, CapacityTerms terms = CapacityTerms::Ends)
{
    return nodeOf(Hours(hours, 0), terms);
}

std::vector<Proposal> offered(const CapacityPool &pool)
{
    return tests::checked(offerCapacity(pool, {}, base::Currency::usd()).value());
}

Proposal onlyOffer(const CapacityPool &pool)
{
    const auto offers = offered(pool);
    return offers.size() == 1 ? offers.front() : Proposal{};
}

} // namespace

class TestCapacity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Amounts that stay for some hours or change in each, and days that begin before the range or are missing.
    void hoursAreThoseThatWereAdded()
    {
        SeededRandom random(5, 0);
        for (int i = 0; i < 200; ++i) {
            std::vector<CapacityHour> want(static_cast<std::size_t>(random.below(200)));
            CapacityHours got;
            std::int64_t nanos = 0;
            for (std::int64_t first = random.below(24) - 24; first < std::ssize(want); first += 24) {
                if (random.below(5) == 0)
                    continue;
                std::vector<CapacityHour> day(24);
                for (std::int64_t h = 0; h < 24; ++h) {
                    nanos = random.below(4) == 0 ? random.below(3) - 1 : nanos;
                    day[static_cast<std::size_t>(h)] = {nanos, static_cast<std::int16_t>(random.below(3)),
                                                        random.below(2) == 0, random.below(2) == 0,
                                                        random.below(2) == 0};
                    if (first + h >= 0 && first + h < std::ssize(want))
                        want[static_cast<std::size_t>(first + h)] = day[static_cast<std::size_t>(h)];
                }
                got.addDay(first, day, want.size());
            }
            got.padTo(want.size());
            QCOMPARE(got.size(), want.size());
            std::size_t h = 0;
            for (const CapacityHour hour : got) {
                QVERIFY(hour == want[h] && got[h] == want[h] && got.isEmpty(h) == isEmpty(want[h]));
                ++h;
            }
        }
    }

    void agreesWithASimulatorOfSingleNodes()
    {
        SeededRandom random(1, 0);
        std::int64_t off = 0, waiting = 0;
        for (int i = 0; i < 2000; ++i) {
            const CapacityPool pool = randomPool(random, 30);
            const CapacityPolicy policy = randomPolicy(random);
            const CapacityReplay replay = replayCapacity(pool, policy).value();
            const Simulated expected = simulated(pool, policy, replay.headroom);
            for (std::size_t h = 0; h < pool.hours; ++h)
                QCOMPARE(replay.present[h] - replay.needed[h], expected.off[h]);
            QCOMPARE(replay.savedNanos, expected.saved);
            QCOMPARE(replay.waitingSeconds, expected.waiting);
            off += replay.offHours;
            waiting += replay.waitingSeconds;
        }
        QVERIFY(off > 1000 && waiting > 0); // the pools are not trivial
    }

    void moreDelayHeadroomOrMinimumNeverSavesMore()
    {
        SeededRandom random(3, 0);
        int less = 0;
        for (int i = 0; i < 1000; ++i) {
            const CapacityPool pool = randomPool(random, 30);
            const CapacityPolicy policy = randomPolicy(random);
            CapacityPolicy slower = policy, larger = policy, wider = policy;
            ++slower.delayHours;
            ++larger.minimum;
            wider.headroom = 1;
            for (const auto replayed : {replayCapacity, replayPackedCapacity}) {
                const std::int64_t saved = sum(replayed(pool, policy).value().savedNanos);
                for (const CapacityPolicy &stricter : {slower, larger, wider}) {
                    const std::int64_t then = sum(replayed(pool, stricter).value().savedNanos);
                    QVERIFY(then <= saved);
                    less += then < saved ? 1 : 0;
                }
            }
        }
        QVERIFY(less > 100);
    }

    void savesNeverMoreThanEmptyNodesCost()
    {
        SeededRandom random(4, 0);
        for (int i = 0; i < 500; ++i) {
            const CapacityPool pool = randomPool(random, 14 * 24);
            const CapacityReplay replay = replayCapacity(pool, {}).value();
            const CapacityReplay packed = replayPackedCapacity(pool, {}).value();
            for (std::size_t h = 0; h < pool.hours; ++h) {
                std::int64_t empty = 0, rented = 0;
                for (const CapacityNode &node : pool.nodes) {
                    if (node.terms != CapacityTerms::Ends)
                        continue;
                    empty += isEmpty(node.hours[h]) ? node.hours[h].nanos : 0;
                    rented += node.hours[h].nanos;
                }
                QVERIFY(replay.savedNanos[h] >= 0 && replay.savedNanos[h] <= empty);
                QVERIFY(packed.savedNanos[h] >= 0 && packed.savedNanos[h] <= rented);
            }
            const auto offers = offered(pool);
            for (const Proposal &offer : offers) {
                if (!offer.perMonth)
                    continue;
                QVERIFY(offer.perMonth->p10.nanos() <= offer.perMonth->p50.nanos());
                QVERIFY(offer.perMonth->p50.nanos() <= offer.perMonth->p90.nanos());
                QVERIFY(offer.perMonth->p90.nanos() <= offer.avoidable->nanos());
            }
        }
    }

    void workThatFindsNoNodeWaitsForTheStart()
    {
        Hours held(20, 0);
        held[0] = held[10] = 4;
        const CapacityPool pool = poolOf(4, {nodeOf(held)});
        CapacityPolicy policy;
        policy.headroom = 0.9; // of 19 hours one has an arrival
        const CapacityReplay replay = replayCapacity(pool, policy).value();
        QCOMPARE(replay.headroom, 0);
        QCOMPARE(replay.offHours, 16); // 2 to 9 and 12 to 19
        QCOMPARE(sum(replay.savedNanos), 16 * kNodeHour);
        QCOMPARE(replay.waitingSeconds, 4 * 600);
        policy.delayHours = 3;
        QCOMPARE(replayCapacity(pool, policy).value().offHours, 12);
        policy.delayHours = 1;
        policy.minimum = 1;
        QCOMPARE(replayCapacity(pool, policy).value().offHours, 0);
    }

    void headroomKeepsWholeNodesForArrivals()
    {
        Hours held(20, 0);
        held[10] = 4;
        const CapacityPool pool = poolOf(4, {nodeOf(held), nodeOf(Hours(20, 0)), nodeOf(Hours(20, 4))});
        const CapacityReplay replay = replayCapacity(pool, {}).value();
        QCOMPARE(capacityArrivals(pool)[9], 4);
        QCOMPARE(replay.headroom, 4);
        // One of the two empty nodes stays on; while the first is in use, the second one stays for the next arrival
        // only from the hour after on.
        QCOMPARE(replay.waitingSeconds, 0);
        QCOMPARE(replay.needed[5], 2);
        QCOMPARE(replay.needed[10], 2); // the arrival takes the spare node
        QCOMPARE(replay.needed[11], 3);
        QCOMPARE(replay.offHours,
                 18); // all but the first hour, in which nothing is known, and the one after the arrival
    }

    void whatIsNotKnownToBeEmptyStays()
    {
        Hours unseen(48, 0);
        for (std::size_t h = 10; h < 20; ++h)
            unseen[h] = kUnseen;
        const CapacityReplay replay = replayCapacity(poolOf(8, {nodeOf(unseen)}), {}).value();
        QCOMPARE(replay.offHours, 9 + 27); // 1 to 9, 21 to 47
        Hours late(48, kAbsent);
        std::fill(late.begin() + 40, late.end(), 0);
        QCOMPARE(replayCapacity(poolOf(8, {nodeOf(late)}), {}).value().offHours, 7);
        QCOMPARE(replayCapacity(poolOf(8, {}), {}).value().offHours, 0);
    }

    void packingFreesNodesWithFragments()
    {
        const CapacityPool pool = poolOf(8,
                                         {nodeOf(Hours(4 * kWeek, 2)), nodeOf(Hours(4 * kWeek, 3)),
                                          nodeOf(Hours(4 * kWeek, 3), CapacityTerms::Sunk)});
        QCOMPARE(replayCapacity(pool, {}).value().offHours, 0);
        const CapacityReplay packed = replayPackedCapacity(pool, {}).value();
        QCOMPARE(packed.needed.back(), 1);
        QCOMPARE(packed.offHours, static_cast<std::int64_t>(2 * (4 * kWeek - 1)));
        const Proposal offer = onlyOffer(pool);
        QVERIFY(QString::fromStdString(offer.id).endsWith(QStringLiteral("/packed")));
        QVERIFY(tests::isExcludedBy(offer, RemarkText::WorkMoves));
        QCOMPARE(tests::evidenceOf(offer, "node-hours with at most a quarter of the GPUs held"),
                 std::to_string(4 * kWeek));
        QCOMPARE(tests::evidenceOf(offer, "GPU-hours free on nodes in use"), std::to_string((6 + 5 + 5) * 4 * kWeek));
        // What waited is not recorded: unknown, not zero; and nothing is said where no GPU was free on a node in use.
        const std::string tooSmall = "GPU-hours free on nodes with too few free GPUs for the jobs that waited";
        QVERIFY(tests::evidenceOf(offer, tooSmall).starts_with("unknown"));
        QCOMPARE(tests::evidenceOf(onlyOffer(poolOf(8, {emptyNode(4 * kWeek)})), tooSmall), std::string());
    }

    void sunkMoneyIsNeverASaving()
    {
        const CapacityPool sunk = poolOf(8, {emptyNode(4 * kWeek, CapacityTerms::Sunk)});
        QCOMPARE(replayCapacity(sunk, {}).value().offHours, 0);
        QCOMPARE(replayPackedCapacity(sunk, {}).value().offHours, 0);
        Proposal offer = onlyOffer(sunk);
        QCOMPARE(offer.perMonth->p90.nanos(), 0);
        QCOMPARE(offer.avoidable->nanos(), 0);
        QVERIFY(offer.how.empty()); // there is nothing to gain by it
        QVERIFY(tests::isExcludedBy(offer, RemarkText::EmptyNodesSunk));
        offer = onlyOffer(poolOf(8, {emptyNode(4 * kWeek, CapacityTerms::Unknown)}));
        QVERIFY(!offer.perMonth && !offer.avoidable); // unknown, not zero
        QVERIFY(tests::isExcludedBy(offer, RemarkText::EmptyNodesOfUnknownTerms));
        const CapacityPool mixed =
            poolOf(8, {emptyNode(4 * kWeek, CapacityTerms::Sunk), emptyNode(4 * kWeek), nodeOf(Hours(4 * kWeek, 8))});
        const auto offers = offered(mixed);
        QCOMPARE(offers.size(), std::size_t{2}); // packed, the work moves to the node that is paid for anyway
        QCOMPARE(tests::evidenceOf(offers[1], "nodes that sufficed (median)"), std::string("1"));
        offer = offers[0];
        std::int64_t off = 0;
        for (const base::GpuTime hour : offer.frees->front().hours)
            off += hour.ticks;
        QVERIFY(off > 0);
        QCOMPARE(tests::evidenceOf(offer, "node-hours off"),
                 ui::valueOf(countTerm(off / base::GpuTime::wholeDevice(base::Seconds{3600}).ticks)).english());
        QCOMPARE(tests::evidenceOf(offer, "nodes that sufficed (median)"), std::string("2"));
        QVERIFY(!offer.excludedBy);
        QVERIFY(QString::fromStdString(offer.how).contains(QStringLiteral("--scale-down-unneeded-time=1h")));
        CapacityPool other = mixed;
        other.group = "gpu";
        other.scaler = CapacityScaler::Karpenter;
        const auto how = [&] {
            return QString::fromStdString(offerCapacity(other, {}, base::Currency::usd()).value().front().how);
        };
        QVERIFY(how().contains(QStringLiteral("NodePool gpu"))
                && how().contains(QStringLiteral("consolidateAfter: 1h")));
        other.group = "gpu\nspec: {}"; // a name that anybody may write stays in its comment
        QVERIFY(how().startsWith(QStringLiteral("# Karpenter, NodePool gpu spec: {}\nspec:\n")));
        other.scaler = CapacityScaler::Slurm;
        QVERIFY(how().startsWith(QStringLiteral("# slurm.conf, for the nodes of gpu spec: {}; needs")));
        QVERIFY(how().contains(QStringLiteral("SuspendTime=3600\n")));
        QCOMPARE(offer.resources, std::vector<std::string>{"2"});
        QCOMPARE(offer.avoidable->nanos(), 2 * kNodeHour * kHoursPerMonth);
    }

    void saysWhyAPoolDoesNotCount()
    {
        const auto reason = [](const CapacityPool &pool) {
            return QString::fromStdString(tests::said(onlyOffer(pool).excludedBy));
        };
        CapacityPool pool = poolOf(8, {emptyNode(4 * kWeek)});
        QCOMPARE(reason(pool), QString());
        pool.nodes[0].hours = withPrice(pool.nodes[0].hours, 7, false);
        QCOMPARE(reason(pool), QStringLiteral("node-hours without a price: 1 of 672"));
        QVERIFY(!onlyOffer(pool).perMonth);
        pool.nodes[0].hours = withPrice(pool.nodes[0].hours, 7, true);
        pool.standalone = true;
        QVERIFY(reason(pool).contains(QStringLiteral("in no cluster")));
        QVERIFY(onlyOffer(pool).how.empty());
        QCOMPARE(reason(poolOf(8, {emptyNode(14 * 24 - 1)})), QStringLiteral("whole days of data: 13, needed: 14"));
        QCOMPARE(reason(poolOf(8, {emptyNode(14 * 24)})), QString());
        Hours arrivals(4 * kWeek, 0); // in one hour of fifty a whole node
        for (std::size_t h = 0; h < arrivals.size(); h += 50)
            arrivals[h] = 8;
        QVERIFY(reason(poolOf(8, {nodeOf(arrivals)})).contains(QStringLiteral("headroom (GPUs: 8)")));
        QVERIFY(offerCapacity(poolOf(8, {nodeOf(Hours(4 * kWeek, 8))}), {}, base::Currency::usd()).value().empty());
    }

    // Packing frees a node in use; the empty one is paid for anyway.
    void packedPoolIsNotAboutItsEmptyNodes()
    {
        const CapacityPool pool = poolOf(
            8, {emptyNode(4 * kWeek, CapacityTerms::Sunk), nodeOf(Hours(4 * kWeek, 1)), nodeOf(Hours(4 * kWeek, 1))});
        const auto offers = offerCapacity(pool, {}, base::Currency::usd()).value();
        QCOMPARE(offers.size(), std::size_t{2});
        QVERIFY(tests::isExcludedBy(offers[0], RemarkText::EmptyNodesSunk));
        QVERIFY(tests::isExcludedBy(offers[1], RemarkText::WorkMoves));
    }

    void spreadComesFromWholeWeeks()
    {
        std::vector<std::int64_t> saved(4 * kWeek + 5, 1'000'000); // the five oldest hours are left out
        CapacityBand band = capacityBand(saved).value();
        QCOMPARE(band.p10, 730 * 1'000'000);
        QCOMPARE(band.p90, 730 * 1'000'000);
        std::fill(saved.begin() + 5, saved.begin() + 5 + kWeek, 0); // one week of four
        band = capacityBand(saved).value();
        QVERIFY(band.p10 < band.p50 && band.p50 < band.p90);
        QCOMPARE(band.p50, 730 * 750'000);
        QCOMPARE(band.p90, 730 * 1'000'000); // 32 % of the draws have none of the bad week
        QCOMPARE(band.p10, 730 * 500'000); // 26 % have at least two of it, 5 % at least three
        saved.assign(kWeek * 3 - 1, 0);
        saved.back() = 1'000'000;
        band = capacityBand(saved).value();
        QCOMPARE(band.p10, 730 * 1'000'000 / 503);
        QCOMPARE(band.p90, band.p10);
        QCOMPARE(capacityBand({}).value().p50, 0);
        QVERIFY(!capacityBand(std::vector<std::int64_t>(4, std::numeric_limits<std::int64_t>::max())));
    }

    void creditsAndOverflowsAreNoSaving()
    {
        const CapacityPool credited = poolOf(8, {nodeOf(Hours(48, 0), CapacityTerms::Ends, -kNodeHour)});
        QCOMPARE(sum(replayCapacity(credited, {}).value().savedNanos), 0);
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const CapacityPool huge = poolOf(
            8, {nodeOf(Hours(48, 0), CapacityTerms::Ends, most), nodeOf(Hours(48, 0), CapacityTerms::Ends, most)});
        QVERIFY(!replayCapacity(huge, {}));
        QVERIFY(!capacityAvoidable(huge));
    }

    // Hourly and, of a longer past, by day: the area between the lines is what would have been off.
    void areaBetweenTheLinesIsWhatWasOff()
    {
        SeededRandom random(9, 0);
        for (const std::size_t hours : {std::size_t{30}, kHourlyCapacityCurve, kHourlyCapacityCurve + 5 * 24}) {
            const CapacityPool pool = randomPool(random, hours);
            const base::UtcTime start = base::fromUnix(1'000'000);
            for (const bool packed : {false, true}) {
                const auto replay = packed ? replayPackedCapacity(pool, {}).value() : replayCapacity(pool, {}).value();
                const auto curve = capacityCurve(pool, {}, packed, start).value();
                QVERIFY(curve.has_value());
                const double step = hours <= kHourlyCapacityCurve ? 1 : 24;
                QCOMPARE(static_cast<double>(curve->x.size()) * step, static_cast<double>(hours));
                QCOMPARE(curve->x.front(), 1'000'000.0);
                QCOMPARE(curve->lines.size(), std::size_t{2});
                double off = 0;
                for (std::size_t i = 0; i < curve->x.size(); ++i)
                    off += (curve->lines[0].y[i] - curve->lines[1].y[i]) * step;
                QVERIFY(std::abs(off - static_cast<double>(replay.offHours)) < 1e-6);
            }
        }
        QVERIFY(!capacityCurve(poolOf(8, {}), {}, false, {}).value());
    }

    void isTheSameForTheSamePast()
    {
        SeededRandom random(5, 0);
        const CapacityPool pool = randomPool(random, 4 * kWeek);
        const auto first = offerCapacity(pool, {}, base::Currency::usd()).value();
        const auto second = offerCapacity(pool, {}, base::Currency::usd()).value();
        QCOMPARE(first.size(), second.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            QVERIFY(first[i].perMonth->p10 == second[i].perMonth->p10);
            QVERIFY(first[i].perMonth->p90 == second[i].perMonth->p90);
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestCapacity)

} // namespace tst_capacity

#include "tst_capacity.moc"
