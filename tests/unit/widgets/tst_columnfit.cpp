// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/table/columnfit.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <numeric>

namespace tst_columnfit {

using namespace gpuledger::widgets;

namespace {

int sum(const std::vector<int> &widths)
{
    return std::accumulate(widths.begin(), widths.end(), 0);
}

} // namespace

class TestColumnFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesTheRoomToThoseThatStretch()
    {
        QCOMPARE(fitColumns({{100, 50, 480, 1}, {60, 60, 60, 0}, {100, 50, 480, 3}}, 460),
                 (std::vector<int>{150, 60, 250}));
    }

    void leavesRoomRatherThanPullColumnsApart()
    {
        QCOMPARE(fitColumns({{100, 50, 300, 1}, {60, 60, 60, 0}}, 2560), (std::vector<int>{300, 60}));
    }

    void handsOnWhatALimitedColumnCannotTake()
    {
        QCOMPARE(fitColumns({{100, 50, 110, 1}, {100, 50, 900, 1}}, 500), (std::vector<int>{110, 390}));
    }

    // A firm column keeps its width until the others are as narrow as they may be.
    void theOthersGiveWayFirst()
    {
        const auto fit = [](int room) {
            return fitColumns({{100, 60, 480, 1, false}, {200, 70, 480, 0, true}, {300, 60, 480, 1, false}}, room);
        };
        QCOMPARE(fit(600), (std::vector<int>{100, 200, 300}));
        const std::vector<int> tight = fit(400);
        QCOMPARE(tight[1], 200);
        QVERIFY(tight[0] >= 60 && tight[2] >= 60 && tight[0] + tight[2] == 200);
        QCOMPARE(fit(320), (std::vector<int>{60, 200, 60}));
        QCOMPARE(fit(250), (std::vector<int>{60, 130, 60}));
        QCOMPARE(fit(100), (std::vector<int>{60, 70, 60}));
    }

    void shrinksTextButNoFigure()
    {
        const std::vector<int> widths = fitColumns({{300, 100, 480, 1}, {80, 80, 80, 0}, {200, 100, 480, 1}}, 430);
        QCOMPARE(widths[1], 80);
        QCOMPARE(sum(widths), 430);
        QVERIFY(widths[0] > widths[2] && widths[2] >= 100); // in proportion to what each can spare
    }

    void holdsForAnyColumns()
    {
        QRandomGenerator random(5);
        for (int run = 0; run < 2000; ++run) {
            std::vector<ColumnWish> wishes;
            int least = 0;
            int most = 0;
            for (int i = random.bounded(1, 12); i > 0; --i) {
                const int wanted = random.bounded(32, 400);
                wishes.push_back({wanted, random.bounded(20, 420), random.bounded(0, 900), random.bounded(3)});
                least += std::min(wanted, wishes.back().least);
                most += wishes.back().stretch > 0 ? std::max(wanted, wishes.back().most) : wanted;
            }
            const int room = random.bounded(0, 3000);
            const std::vector<int> widths = fitColumns(wishes, room);
            QCOMPARE(widths.size(), wishes.size());
            QCOMPARE(sum(widths), std::clamp(room, least, std::max(least, most)));
            for (std::size_t i = 0; i < widths.size(); ++i) {
                QVERIFY(widths[i] >= std::min(wishes[i].least, wishes[i].wanted));
                QVERIFY(widths[i] <= std::max(wishes[i].wanted, wishes[i].most));
            }
        }
    }
};

GPULEDGER_SUITE(TestColumnFit)

} // namespace tst_columnfit

#include "tst_columnfit.moc"
