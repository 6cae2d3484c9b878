// SPDX-License-Identifier: GPL-3.0-or-later
// How the bench judges forecasts, on series of which the errors are known.
#include "tests/support/calibration/forecastcalibration.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

namespace tst_forecastcalibration {

using namespace gpuledger;
using tests::CostSeries;
using tests::SeriesPeriod;

namespace {

CostSeries steadySeries(const char *first, std::size_t days, double cost)
{
    return {"steady", base::dayOf(base::parseTime(first).value()), alerts::Values(days, cost)};
}

} // namespace

class tst_forecastcalibration : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWholeMonthsCount()
    {
        const auto months = wholeMonths(steadySeries("2026-08-15", 17 + 30 + 31 + 29, 1)); // until 29 November
        QCOMPARE(months.size(), std::size_t{2});
        QCOMPARE(months[0].from, std::size_t{17});
        QCOMPARE(months[0].to, std::size_t{47});
        QCOMPARE(months[1].to, std::size_t{78});
    }

    void aSteadyCostIsForetoldByAll()
    {
        const CostSeries series = steadySeries("2026-08-01", 92, 10);
        const auto trial = rollForecasts(series, wholeMonths(series));
        QCOMPARE(trial.periods, std::size_t{3});
        QCOMPARE(trial.trials, std::size_t{15});
        QVERIFY(trial.meanOf(trial.ours) < 1e-6 && trial.meanOf(trial.runRate) < 1e-6);
        QVERIFY(trial.meanOf(trial.seasonalNaive) < 1e-6);
        QCOMPARE(trial.withBand, std::size_t{13}); // but for the first two, with fewer than 14 days
        QCOMPARE(trial.within, trial.withBand);
    }

    // After 5 days at 10, 23 at 20: the run rate says 230 of them, and they cost 460 of 510.
    void errorsAreSharesOfTheWholePeriod()
    {
        CostSeries series = steadySeries("2026-02-01", 28, 20);
        std::fill(series.days.begin(), series.days.begin() + 5, 10.0);
        const auto trial = rollForecasts(series, {SeriesPeriod{0, 28}});
        QCOMPARE(trial.trials, std::size_t{5});
        // After 10, 15, 20 and 25 days: 15, 50/3, 17.5 and 18 a day, for 18, 13, 8 and 3 days at 20.
        const double missed = 23 * 10 + 18 * 5 + 13 * (20 - 50.0 / 3) + 8 * 2.5 + 3 * 2;
        QVERIFY(std::abs(trial.runRate - missed / 510) < 1e-9);
    }

    void periodsWithManyUnknownDaysAreLeftOut()
    {
        CostSeries series = steadySeries("2026-11-01", 30, 10);
        series.days[20] = series.days[21] = series.days[22] = alerts::kUnknownDay;
        QCOMPARE(rollForecasts(series, {SeriesPeriod{0, 30}}).periods, std::size_t{1});
        series.days[23] = alerts::kUnknownDay;
        QCOMPARE(rollForecasts(series, {SeriesPeriod{0, 30}}).trials, std::size_t{0});
        QCOMPARE(rollForecasts(steadySeries("2026-11-01", 30, 0), {SeriesPeriod{0, 30}}).trials, std::size_t{0});
    }
};

GPULEDGER_PLAIN_SUITE(tst_forecastcalibration)

} // namespace tst_forecastcalibration

#include "tst_forecastcalibration.moc"
