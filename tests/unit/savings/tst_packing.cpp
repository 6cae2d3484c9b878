// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of GPUs on as few nodes as possible, against an exhaustive search and the algorithm written out.
#include "app/savings/capacity/capacity.h"
#include "app/savings/proposals/seededrandom.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <functional>

namespace tst_packing {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

// Fewest nodes: every item goes to each open node, or to a new one.
int fewest(const std::vector<std::uint16_t> &items, std::size_t next, std::vector<int> &free, int gpus, int best)
{
    if (static_cast<int>(free.size()) >= best)
        return best;
    if (next == items.size())
        return static_cast<int>(free.size());
    for (std::size_t n = 0; n < free.size(); ++n) {
        if (free[n] >= items[next]) {
            free[n] -= items[next];
            best = std::min(best, fewest(items, next + 1, free, gpus, best));
            free[n] += items[next];
        }
    }
    free.push_back(gpus - items[next]);
    best = std::min(best, fewest(items, next + 1, free, gpus, best));
    free.pop_back();
    return best;
}

int fewest(const std::vector<std::uint16_t> &items, int gpus)
{
    std::vector<int> free;
    return fewest(items, 0, free, gpus, static_cast<int>(items.size()) + 1);
}

ShareCounts countsOf(const std::vector<std::uint16_t> &shares)
{
    ShareCounts counts;
    for (const std::uint16_t share : shares)
        counts.add(share);
    return counts;
}

} // namespace

class TestPacking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void packsAsWellAsAnExhaustiveSearch()
    {
        SeededRandom random(2, 0);
        for (int i = 0; i < 1500; ++i) {
            const bool divisible = i % 2 == 0;
            const int gpus = divisible ? 8 : 10;
            std::vector<std::uint16_t> items;
            for (std::int64_t n = random.below(8); n > 0; --n)
                items.push_back(static_cast<std::uint16_t>(divisible ? 1 << random.below(4) : 1 + random.below(gpus)));
            const int best = fewest(items, gpus), packed = packedNodes(countsOf(items), gpus);
            QVERIFY(packed >= best);
            if (divisible)
                QCOMPARE(packed, best);
            else
                QVERIFY(9 * packed <= 11 * best + 6);
        }
        QCOMPARE(packedNodes(countsOf({4, 4, 3, 3, 3, 3}), 10), 3); // 4+4, 3+3+3, 3; the optimum is 4+3+3 twice
        QCOMPARE(fewest({4, 4, 3, 3, 3, 3}, 10), 2);
        QCOMPARE(packedNodes(countsOf({}), 8), 0);
        QCOMPARE(packedNodes(countsOf({0, 0}), 8), 0);
        QCOMPARE(packedNodes(countsOf({9, 1}), 8), 2); // more than a node: a whole one
    }

    // As packedNodes() is defined, share by share.
    void packsLikeFirstFitDecreasing()
    {
        SeededRandom random(4, 0);
        for (int i = 0; i < 300; ++i) {
            const int gpus = 1 + static_cast<int>(random.below(16));
            std::vector<std::uint16_t> shares;
            for (std::int64_t n = random.below(200); n > 0; --n)
                shares.push_back(static_cast<std::uint16_t>(random.below(gpus + 3)));
            std::vector<std::uint16_t> order = shares;
            std::sort(order.begin(), order.end(), std::greater<>());
            std::vector<int> free;
            for (const std::uint16_t share : order) {
                const int size = std::min<int>(share, gpus);
                const auto fits = std::find_if(free.begin(), free.end(), [&](int left) { return left >= size; });
                if (size > 0 && fits == free.end())
                    free.push_back(gpus - size);
                else if (size > 0)
                    *fits -= size;
            }
            QCOMPARE(packedNodes(countsOf(shares), gpus), static_cast<int>(free.size()));
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestPacking)

} // namespace tst_packing

#include "tst_packing.moc"
