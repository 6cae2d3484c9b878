// SPDX-License-Identifier: GPL-3.0-or-later
// How complete bills of an age are, against what the days of the past were made of.
#include "app/alerts/forecast/billages.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cmath>

namespace tst_billages {

using namespace gpuledger;
using namespace gpuledger::alerts;

namespace {

constexpr base::Day kNow{20'000};

// So many days until kNow, each of which has these parts of its final amount from an age on.
std::vector<BilledPast> pastOf(int days, const std::vector<std::pair<std::int32_t, double>> &parts)
{
    std::vector<BilledPast> out;
    for (int i = days; i > 0; --i) {
        BilledPast day{base::Day{kNow.number - i}, {}};
        for (const auto &[age, part] : parts) {
            if (age <= i)
                day.known.push_back({age, part * (1000 + i)});
        }
        out.push_back(day);
    }
    return out;
}

// Pooled with two whole days.
double pooled(double share, double count)
{
    return (count * share + 2) / (count + 2);
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-12;
}

} // namespace

class tst_billages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharesAreThoseOfTheDaysThatAreFinal()
    {
        const SharesByAge shares = sharesByAge(pastOf(30, {{1, 0.5}, {2, 0.9}, {4, 1}}), kNow);
        QCOMPARE(shares.size(), kOpenAges);
        QVERIFY(!shares[0]); // nothing was known on the day itself
        const double days = 21; // 10 to 30 days old
        QVERIFY(isNear(shares[1]->share, pooled(0.5, days)));
        QVERIFY(isNear(shares[2]->share, pooled(0.9, days)));
        QVERIFY(isNear(shares[3]->share, pooled(0.9, days)));
        QVERIFY(shares[4]->isWhole() && shares[9]->isWhole() && !shares[3]->isWhole());
        QVERIFY(isNear(shares[1]->spread, 1.4826 * (pooled(0.5, days) - 0.5)));
    }

    void fewDaysSayNothing()
    {
        QVERIFY(!sharesByAge(pastOf(13, {{1, 0.5}, {4, 1}}), kNow)[1]); // four of them are final
        QVERIFY(sharesByAge(pastOf(14, {{1, 0.5}, {4, 1}}), kNow)[1]);
        QVERIFY(!sharesByAge({}, kNow)[1]);
    }

    // Bills of the past that were imported at once were never seen young.
    void onlyWhatWasSeenAtThatAgeCounts()
    {
        const SharesByAge shares = sharesByAge(pastOf(60, {{7, 1}}), kNow);
        QVERIFY(!shares[6]);
        QVERIFY(shares[7] && shares[7]->isWhole());
    }

    void whatHasNextToNothingTellsNothing()
    {
        const auto share = sharesByAge(pastOf(80, {{1, 0.1}, {4, 1}}), kNow)[1];
        QVERIFY(share && share->share == 0);
    }

    // What is restated after ten days is no growth; a day may also become cheaper.
    void lateChangesDoNotCount()
    {
        const SharesByAge shares = sharesByAge(pastOf(80, {{1, 1.25}, {4, 1}, {12, 5}}), kNow);
        QVERIFY(isNear(shares[1]->share, pooled(1.25, 60)));
    }

    // Half of the days have 0.4, half 0.6: the spread has them.
    void daysThatDifferAreUncertain()
    {
        auto days = pastOf(69, {{1, 0.4}, {4, 1}});
        for (std::size_t i = 0; i < days.size(); i += 2)
            days[i].known.front().amount *= 1.5;
        const auto share = sharesByAge(days, kNow)[1];
        QVERIFY(isNear(share->share, pooled(0.5, 60)));
        QVERIFY(share->spread > 1.4 * 0.1 && share->spread < 1.6 * 0.1);
    }
};

GPULEDGER_PLAIN_SUITE(tst_billages)

} // namespace tst_billages

#include "tst_billages.moc"
