// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/costchange.h"
#include "tests/support/suite.h"

#include <QTest>

#include <array>
#include <random>

namespace tst_costchange {

using namespace gpuledger::insight;

namespace {

constexpr std::int64_t kHour = 2520LL * 3600;
constexpr std::int64_t kUnit = 1'000'000'000;

CostGroup group(std::int64_t hoursBefore, std::int64_t rateBefore, std::int64_t hoursAfter, std::int64_t rateAfter)
{
    return {hoursBefore * kHour,
            hoursAfter * kHour,
            hoursBefore * rateBefore * kUnit,
            hoursAfter * rateAfter * kUnit,
            0,
            0};
}

} // namespace

class TestCostChange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherRateIsPrice()
    {
        const CostChange c = explainChange({group(100, 2, 100, 3), group(50, 4, 50, 4)});
        QVERIFY((c == CostChange{400 * kUnit, 500 * kUnit, 100 * kUnit, 0, 0}));
    }

    void moreOfTheSameIsHours()
    {
        const CostChange c = explainChange({group(100, 2, 150, 2), group(50, 4, 75, 4)});
        QVERIFY((c == CostChange{400 * kUnit, 600 * kUnit, 0, 200 * kUnit, 0}));
    }

    void dearerKindsAreMix()
    {
        const CostChange c = explainChange({group(100, 2, 50, 2), group(50, 4, 100, 4)});
        QVERIFY((c == CostChange{400 * kUnit, 500 * kUnit, 0, 0, 100 * kUnit}));
    }

    // Computed by hand: H 100 -> 200, rate 1 -> 2, one group: hours and price each get the mean of coming first and
    // second.
    void factorsThatChangeTogetherShareTheirProduct()
    {
        const CostChange c = explainChange({group(100, 1, 200, 2)});
        QVERIFY((c == CostChange{100 * kUnit, 400 * kUnit, 150 * kUnit, 150 * kUnit, 0}));
    }

    void aNewKindIsNeverAChangeOfPrice()
    {
        const CostChange c = explainChange({group(100, 2, 100, 2), group(0, 0, 100, 5)});
        QCOMPARE(c.price, 0);
        QCOMPARE(c.hours + c.mix, 500 * kUnit);
        QVERIFY(c.hours > 0 && c.mix > 0);
    }

    void nothingBeforeIsAllHours()
    {
        const CostChange c = explainChange({group(0, 0, 10, 3)});
        QVERIFY((c == CostChange{0, 30 * kUnit, 0, 30 * kUnit, 0}));
        QVERIFY((explainChange({}) == CostChange{}));
        QVERIFY((explainChange({CostGroup{}}) == CostChange{}));
    }

    // The same work with less idle time: the whole change is efficiency.
    void lessPaidForTheSameWorkIsEfficiency()
    {
        CostGroup g = group(200, 2, 100, 2);
        g.activeBefore = g.activeAfter = 80 * kHour;
        QVERIFY((explainChange({g}) == CostChange{400 * kUnit, 200 * kUnit, 0, 0, 0, -200 * kUnit}));
        g.activeAfter = 40 * kHour; // half the work at the old efficiency
        QVERIFY((explainChange({g}) == CostChange{400 * kUnit, 200 * kUnit, 0, -200 * kUnit, 0, 0}));
    }

    // One cause at a time is planted in a random fleet; it is found, and no other cause is.
    void plantedCausesAreFound_data()
    {
        QTest::addColumn<int>("cause");
        for (int cause = 0; cause < 4; ++cause)
            QTest::addRow("%s", std::array{"price", "work", "mix", "efficiency"}[static_cast<std::size_t>(cause)])
                << cause;
    }
    void plantedCausesAreFound()
    {
        QFETCH(int, cause);
        std::mt19937_64 random(3);
        std::uniform_int_distribution<std::int64_t> any(100, 1000);
        for (int round = 0; round < 200; ++round) {
            std::vector<CostGroup> groups(2 + random() % 4);
            for (CostGroup &g : groups) {
                const std::int64_t hours = 4 * any(random), rate = 12 * any(random);
                g = {hours * kHour,     hours * kHour,    hours * rate * kUnit / 1000, hours * rate * kUnit / 1000,
                     hours * kHour / 2, hours * kHour / 2};
            }
            const auto scale = [](std::int64_t &value, std::int64_t percent) { value = value / 100 * percent; };
            if (cause == 3) { // the same work in three quarters of the time
                for (CostGroup &g : groups) {
                    scale(g.hoursAfter, 75);
                    scale(g.costAfter, 75);
                }
            } else if (cause == 2) { // hours move from the first kind to the second
                const std::int64_t moved = groups[0].hoursAfter / 2;
                const std::int64_t cost = groups[0].costAfter / 2;
                groups[1].costAfter += static_cast<std::int64_t>(static_cast<long double>(groups[1].costAfter)
                                                                 / static_cast<long double>(groups[1].hoursAfter)
                                                                 * static_cast<long double>(moved));
                groups[1].hoursAfter += moved;
                groups[1].activeAfter += moved / 2;
                groups[0].hoursAfter -= moved;
                groups[0].activeAfter -= moved / 2;
                groups[0].costAfter -= cost;
            } else {
                for (CostGroup &g : groups) {
                    scale(g.costAfter, 130);
                    if (cause == 1) {
                        scale(g.hoursAfter, 130);
                        scale(g.activeAfter, 130);
                    }
                }
            }
            const CostChange c = explainChange(groups);
            const std::array parts{c.price, c.hours, c.mix, c.efficiency};
            const std::int64_t all = c.after - c.before;
            QCOMPARE(c.price + c.hours + c.mix + c.efficiency, all);
            for (int i = 0; i < 4; ++i)
                QVERIFY(std::abs(parts[static_cast<std::size_t>(i)] - (i == cause ? all : 0))
                        < 2000); // of 1e9: rounding
        }
    }

    void partsAddUpExactlyAndTurnAroundWithTime()
    {
        std::mt19937_64 random(11);
        std::uniform_int_distribution<std::int64_t> ticks(0, 5'000 * kHour), nanos(-3'000 * kUnit, 90'000 * kUnit);
        for (int round = 0; round < 2000; ++round) {
            std::vector<CostGroup> groups(1 + random() % 6), reversed;
            for (CostGroup &g : groups) {
                g.hoursBefore = random() % 4 == 0 ? 0 : ticks(random);
                g.hoursAfter = random() % 4 == 0 ? 0 : ticks(random);
                g.costBefore = g.hoursBefore == 0 ? 0 : nanos(random);
                g.costAfter = g.hoursAfter == 0 ? 0 : nanos(random);
                if (round % 2 == 0) { // otherwise the work is unknown
                    g.activeBefore = g.hoursBefore / (1 + static_cast<std::int64_t>(random() % 9));
                    g.activeAfter = g.hoursAfter / (1 + static_cast<std::int64_t>(random() % 9));
                }
                reversed.push_back(
                    {g.hoursAfter, g.hoursBefore, g.costAfter, g.costBefore, g.activeAfter, g.activeBefore});
            }
            const CostChange c = explainChange(groups), back = explainChange(reversed);
            QCOMPARE(c.price + c.hours + c.mix + c.efficiency, c.after - c.before);
            QVERIFY(std::abs(c.efficiency + back.efficiency) <= 1);
            QVERIFY(std::abs(c.price + back.price) <= 1);
            QVERIFY(std::abs(c.mix + back.mix) <= 1);
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestCostChange)

} // namespace tst_costchange

#include "tst_costchange.moc"
