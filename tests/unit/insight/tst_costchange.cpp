// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/costchange.h"

#include <QTest>

#include <random>

using namespace gpuledger::insight;

namespace {

constexpr std::int64_t kHour = 2520LL * 3600;
constexpr std::int64_t kUnit = 1'000'000'000;

CostGroup group(std::int64_t hoursBefore, std::int64_t rateBefore, std::int64_t hoursAfter, std::int64_t rateAfter)
{
    return {hoursBefore * kHour, hoursAfter * kHour, hoursBefore * rateBefore * kUnit, hoursAfter * rateAfter * kUnit};
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

    // By hand: H 100 -> 200, rate 1 -> 2, one group: hours and price each get the mean of being first and second.
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
                reversed.push_back({g.hoursAfter, g.hoursBefore, g.costAfter, g.costBefore});
            }
            const CostChange c = explainChange(groups), back = explainChange(reversed);
            QCOMPARE(c.price + c.hours + c.mix, c.after - c.before);
            QVERIFY(std::abs(c.price + back.price) <= 1);
            QVERIFY(std::abs(c.mix + back.mix) <= 1);
        }
    }
};

QTEST_APPLESS_MAIN(TestCostChange)
#include "tst_costchange.moc"
