// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of made-up series, with values that can be computed by hand.
#include "app/alerts/anomaly/anomaly.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tst_anomaly {

using namespace gpuledger;
using namespace gpuledger::alerts;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kDays = 63;

AnomalySeason dailySeason()
{
    AnomalySeason season;
    season.floor = 1;
    return season;
}

// 100 on five days of the week, 20 on two.
std::vector<double> workWeeks(std::size_t days)
{
    std::vector<double> out;
    for (std::size_t i = 0; i < days; ++i)
        out.push_back(i % 7 < 5 ? 100 : 20);
    return out;
}

} // namespace

class tst_anomaly : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void comparesWithTheSameWeekday()
    {
        std::vector<double> values = workWeeks(kDays);
        const std::size_t weekend = 61;
        values[weekend] = 100; // usual on five days, but not on this one
        const auto scores = anomalyScores(values, dailySeason());
        QCOMPARE(scores[weekend], (100.0 - 20) / 5); // the spread is 5 % of 100
        QCOMPARE(scores[weekend - 2], 0.0);
    }

    void spreadIsTheMedianAbsoluteDeviation()
    {
        AnomalySeason season;
        season.floorShare = 0;
        season.floor = 1e-9;
        std::vector<double> values(36, 0);
        values[0] = 1;
        values[7] = 2;
        values[14] = 3;
        values[21] = 4;
        values[28] = 100;
        const auto usual = usualAt(values, 35, season);
        QVERIFY(usual);
        QCOMPARE(usual->median, 3.0); // the distances are 2, 1, 0, 1, 97
        QCOMPARE(usual->spread, 1.4826);
        QCOMPARE(usual->scoreOf(10), 7 / 1.4826);
    }

    void tooLittlePastIsUnknown()
    {
        const std::vector<double> flat(kDays, 10);
        const auto scores = anomalyScores(flat, dailySeason());
        QVERIFY(std::isnan(scores[20])); // two weeks before it
        QCOMPARE(scores[21], 0.0);
        std::vector<double> gaps = flat;
        gaps[56 - 7] = gaps[56 - 14] = kNan;
        for (std::size_t week = 3; week <= 6; ++week)
            gaps[56 - 7 * week] = kNan;
        QVERIFY(std::isnan(anomalyScores(gaps, dailySeason())[56]));
        gaps = flat;
        gaps[56] = kNan;
        QVERIFY(std::isnan(anomalyScores(gaps, dailySeason())[56]));
    }

    void nothingForALongTimeHasAFloor()
    {
        std::vector<double> values(kDays, 0);
        values.back() = 3;
        AnomalySeason season = dailySeason();
        QCOMPARE(anomalyScores(values, season).back(), 3.0);
        season.floor = 0;
        QVERIFY(std::isnan(anomalyScores(values, season).back()));
    }

    void aLevelThatStaysIsTheNewNormal()
    {
        std::vector<double> values(kDays, 100);
        const std::size_t change = 40;
        std::fill(values.begin() + change, values.end(), 200);
        const auto scores = anomalyScores(values, dailySeason());
        for (std::size_t i = change; i < change + 7; ++i)
            QCOMPARE(scores[i], 20.0);
        for (std::size_t i = change + 7; i < kDays; ++i)
            QCOMPARE(scores[i], 0.0);
        const auto shifts = levelShifts(values, kDays, dailySeason());
        QCOMPARE(shifts.size(), std::size_t{1});
        QCOMPARE(shifts.front().index, change);
        QCOMPARE(shifts.front().by, 100.0);
    }

    void aLevelThatFallsIsOneToo()
    {
        std::vector<double> values = workWeeks(kDays);
        for (std::size_t i = 44; i < kDays; ++i)
            values[i] -= 40;
        const auto scores = anomalyScores(values, dailySeason());
        QCOMPARE(scores[44], -40.0 / 5);
        for (std::size_t i = 51; i < kDays; ++i)
            QCOMPARE(scores[i], 0.0);
    }

    void oneDayIsNoNewLevel()
    {
        std::vector<double> values(kDays, 100);
        values[40] = 1000;
        QVERIFY(levelShifts(values, kDays, dailySeason()).empty());
        const auto scores = anomalyScores(values, dailySeason());
        QCOMPARE(scores[40], 180.0);
        QCOMPARE(scores[47], 0.0); // the median ignores it
    }

    // The score of a day must not depend on what comes after it, or a replay would see what nobody could know.
    void looksAtThePastOnly()
    {
        std::mt19937 random(7);
        std::normal_distribution<double> noise(100, 10);
        std::vector<double> values;
        for (std::size_t i = 0; i < 2 * kDays; ++i)
            values.push_back(i % 11 == 3 ? kNan : noise(random) + (i > kDays ? 80 : 0));
        const auto scores = anomalyScores(values, dailySeason());
        for (std::size_t end = 1; end <= values.size(); ++end) {
            const std::vector<double> known(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(end));
            const double last = anomalyScores(known, dailySeason()).back();
            QVERIFY(std::isnan(last) == std::isnan(scores[end - 1]));
            QVERIFY(std::isnan(last) || last == scores[end - 1]);
        }
    }

    // Normal noise has 3 values of 100,000 above 4 standard deviations; a spread that is estimated has more.
    void noiseSeldomScores()
    {
        std::mt19937 random(11);
        std::normal_distribution<double> noise(100, 10);
        std::vector<double> values;
        for (int i = 0; i < 7000; ++i)
            values.push_back(noise(random));
        const auto scores = anomalyScores(values, dailySeason());
        const auto high = std::count_if(scores.begin(), scores.end(), [](double one) { return one > 4; });
        QVERIFY2(high < 35, qPrintable(QString::number(high))); // 0.5 %
    }
};

GPULEDGER_PLAIN_SUITE(tst_anomaly)

} // namespace tst_anomaly

#include "tst_anomaly.moc"
