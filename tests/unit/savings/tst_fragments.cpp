// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces too small for what waited: against a count second by second, hours made by hand, and what the evidence says.
#include "app/savings/capacity/capacityoffer.h"
#include "app/savings/capacity/fragments.h"
#include "app/savings/proposals/seededrandom.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>

namespace tst_fragments {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kStart = 1'700'000'400 / 3600 * 3600;

base::TimeRange seconds(std::int64_t from, std::int64_t to)
{
    return {base::fromUnix(kStart + from), base::fromUnix(kStart + to)};
}

// One GPU is held for each entry of `held` that a node has in an hour; -1: the node is absent, -2: it was not observed.
CapacityPool piecesPool(int gpus, const std::vector<std::vector<int>> &held)
{
    CapacityPool pool;
    pool.id = "prod/a";
    pool.name = "prod: a";
    pool.gpus = gpus;
    pool.hours = held.front().size();
    pool.start = base::fromUnix(kStart);
    pool.shares.resize(pool.hours);
    for (const auto &hours : held) {
        CapacityNode &node = pool.nodes.emplace_back();
        node.name = "n" + std::to_string(pool.nodes.size());
        node.devices = {node.name};
        node.terms = CapacityTerms::Ends;
        for (std::size_t i = 0; i < hours.size(); ++i) {
            CapacityHour hour;
            hour.present = hours[i] != -1;
            hour.known = hours[i] != -2;
            hour.allocated = static_cast<std::int16_t>(std::max(hours[i], 0));
            hour.nanos = hour.present ? 1000 : 0;
            node.hours.push_back(hour);
            if (hours[i] > 0)
                pool.shares[i].add(static_cast<std::uint16_t>(hours[i]));
        }
    }
    return pool;
}

struct Asked {
    std::vector<WaitedFor> waits;
    std::vector<base::TimeRange> known;
};

Asked randomWaits(SeededRandom &random, std::int64_t length)
{
    Asked out;
    for (std::int64_t n = random.below(5); n > 0; --n) {
        const std::int64_t from = random.below(length + 3600) - 1800;
        const base::TimeRange range = seconds(from, from + 1 + random.below(2 * 3600));
        out.waits.push_back({1 + random.below(9), range, random.below(4) > 0});
    }
    for (std::int64_t at = random.below(3) * 1800 - 1800; at < length;) {
        const std::int64_t end = at + 1800 * (1 + random.below(8));
        out.known.push_back(seconds(at, end));
        at = end + 1800 * (1 + random.below(3));
    }
    return out;
}

// Whether the source recorded every second of an hour.
bool isHourKnown(const Asked &asked, std::int64_t hour)
{
    for (std::int64_t s = 0; s < 3600; s += 60) {
        const auto at = base::fromUnix(kStart + hour * 3600 + s);
        if (std::none_of(asked.known.begin(), asked.known.end(), [&](const auto &r) { return r.contains(at); }))
            return false;
    }
    return true;
}

WaitingHour countedHour(const Asked &asked, std::int64_t hour)
{
    WaitingHour out;
    out.known = isHourKnown(asked, hour);
    for (std::int64_t s = 0; out.known && s < 3600; ++s) {
        const auto at = base::fromUnix(kStart + hour * 3600 + s);
        bool any = false, isUnknown = false;
        for (const WaitedFor &wait : asked.waits) {
            if (!wait.range.contains(at))
                continue;
            if (!wait.isOfKind) {
                isUnknown = true;
                continue;
            }
            any = true;
            const auto gpus = static_cast<std::uint16_t>(wait.gpus);
            out.least = out.least == 0 ? gpus : std::min(out.least, gpus);
        }
        out.seconds = static_cast<std::uint16_t>(out.seconds + (any ? 1 : 0));
        out.unknownSeconds = static_cast<std::uint16_t>(out.unknownSeconds + (isUnknown ? 1 : 0));
    }
    return out;
}

const std::string kTooSmall = "GPU-hours free on nodes with too few free GPUs for the jobs that waited";

std::string saidOfPieces(const CapacityPool &pool, const std::string &label = kTooSmall)
{
    const auto offers = offerCapacity(pool, {}, base::Currency::usd()).value();
    return offers.empty() ? "no offer" : tests::evidenceOf(offers.front(), label);
}

} // namespace

class TestFragments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithACountSecondBySecond()
    {
        constexpr std::size_t kHours = 6;
        SeededRandom random(77, 0);
        int waited = 0, unknown = 0, ofNoKind = 0;
        for (int i = 0; i < 150; ++i) {
            const Asked asked = randomWaits(random, kHours * 3600);
            const auto hours = waitingHours(asked.waits, asked.known, base::fromUnix(kStart), kHours);
            QCOMPARE(hours.size(), kHours);
            std::vector<std::vector<int>> held(3);
            for (auto &node : held) {
                for (std::size_t h = 0; h < kHours; ++h)
                    node.push_back(static_cast<int>(random.below(11)) - 2);
            }
            CapacityPool pool = piecesPool(8, held);
            pool.waiting = hours;
            PoolPieces want;
            for (std::size_t h = 0; h < kHours; ++h) {
                const WaitingHour hour = countedHour(asked, static_cast<std::int64_t>(h));
                QCOMPARE(hours[h].known, hour.known);
                QCOMPARE(hours[h].seconds, hour.seconds);
                QCOMPARE(hours[h].least, hour.least);
                QCOMPARE(hours[h].unknownSeconds, hour.unknownSeconds);
                ofNoKind += hour.unknownSeconds > 0 ? 1 : 0;
                waited += hour.least > 0 ? 1 : 0;
                unknown += hour.known ? 0 : 1;
                bool any = false;
                for (const auto &node : held) {
                    if (node[h] < 0)
                        continue;
                    any = true;
                    want.freeSeconds += (8 - node[h]) * hour.seconds;
                    want.unknownSeconds += (8 - node[h]) * hour.unknownSeconds;
                    want.tooSmallSeconds += 8 - node[h] < hour.least ? (8 - node[h]) * hour.seconds : 0;
                }
                want.hours += any;
                want.knownHours += any && hour.known;
                if (any && hour.least > 0)
                    want.smallest = want.smallest == 0 ? hour.least : std::min<std::int64_t>(want.smallest, hour.least);
            }
            const PoolPieces got = poolPieces(pool);
            QCOMPARE(got.hours, want.hours);
            QCOMPARE(got.knownHours, want.knownHours);
            QCOMPARE(got.freeSeconds, want.freeSeconds);
            QCOMPARE(got.tooSmallSeconds, want.tooSmallSeconds);
            QCOMPARE(got.smallest, want.smallest);
            QCOMPARE(got.unknownSeconds, want.unknownSeconds);
            QVERIFY(got.tooSmallSeconds <= got.freeSeconds);
        }
        QVERIFY(waited > 100 && unknown > 100 && ofNoKind > 50);
    }

    // Two nodes with 2 and 6 free GPUs; for half an hour a job of 4 GPUs waits, then with it one of 2.
    void aSmallRequestMakesThePieceFit()
    {
        CapacityPool pool = piecesPool(8, {{6, 6, 6}, {2, 2, 2}});
        const std::vector<base::TimeRange> known{seconds(0, 3 * 3600)};
        const std::vector<WaitedFor> waits{{4, seconds(1800, 2 * 3600)}, {2, seconds(3600, 3600 + 900)}};
        pool.waiting = waitingHours(waits, known, pool.start, pool.hours);
        PoolPieces pieces = poolPieces(pool);
        QCOMPARE(pieces.freeSeconds, std::int64_t{8 * 1800 + 8 * 3600});
        QCOMPARE(pieces.tooSmallSeconds, std::int64_t{2 * 1800});
        QCOMPARE(pieces.smallest, std::int64_t{2});
        pool.waiting = waitingHours({waits[0]}, known, pool.start, pool.hours);
        QCOMPARE(poolPieces(pool).tooSmallSeconds, std::int64_t{2 * (1800 + 3600)});
        pool.waiting = waitingHours({{100'000, seconds(0, 60)}}, known, pool.start, pool.hours);
        pieces = poolPieces(pool);
        QCOMPARE(pieces.tooSmallSeconds, pieces.freeSeconds); // no node is large enough
    }

    void theEvidenceSaysWhatIsKnown()
    {
        const std::size_t hours = 4 * kCapacityHoursPerWeek;
        const auto length = static_cast<std::int64_t>(hours) * 3600;
        CapacityPool pool = piecesPool(8, {std::vector<int>(hours, 5), std::vector<int>(hours, 0)});
        const std::string recorded = "hours with a record of what waited";
        QVERIFY(saidOfPieces(pool).starts_with("unknown"));
        const std::vector<base::TimeRange> all{seconds(0, length)}, half{seconds(0, length / 2)};
        pool.waiting = waitingHours({{4, seconds(-7200, 0)}}, all, pool.start, pool.hours);
        QCOMPARE(saidOfPieces(pool), std::string("none, because no job waited for such GPUs"));
        QCOMPARE(saidOfPieces(pool, recorded), std::string());
        pool.waiting = waitingHours({{4, seconds(0, 7200)}}, half, pool.start, pool.hours);
        const PoolPieces pieces = poolPieces(pool);
        QCOMPARE(pieces.tooSmallSeconds, std::int64_t{3 * 7200});
        QCOMPARE(pieces.freeSeconds, std::int64_t{11 * 7200});
        const auto shown = [](double value) { return ui::valueOf(hoursTerm(value)).english(); };
        QCOMPARE(saidOfPieces(pool),
                 shown(6) + " of the " + shown(22)
                     + " that were free while jobs waited; GPUs requested by the smallest job: 4");
        QCOMPARE(saidOfPieces(pool, recorded), std::string("336 of 672"));
        // A request for an unknown kind of GPU is said beside it, and makes no piece fit.
        const std::string unknownKind = "GPU-hours free while jobs waited that asked for an unknown kind of GPU";
        const std::string before = saidOfPieces(pool);
        QCOMPARE(saidOfPieces(pool, unknownKind), std::string());
        pool.waiting =
            waitingHours({{4, seconds(0, 7200)}, {1, seconds(0, 3600), false}}, half, pool.start, pool.hours);
        QCOMPARE(saidOfPieces(pool), before);
        QCOMPARE(saidOfPieces(pool, unknownKind), shown(11));
        pool.waiting = waitingHours({{1, seconds(0, 3600), false}}, half, pool.start, pool.hours);
        QCOMPARE(saidOfPieces(pool),
                 std::string("unknown: nothing shows which kind of GPU the jobs that waited asked for"));
    }
};

GPULEDGER_SUITE(TestFragments)

} // namespace tst_fragments

#include "tst_fragments.moc"
