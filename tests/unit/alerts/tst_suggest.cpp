// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets that follow from the past, against numbers computed by hand.
#include "app/alerts/budgets/suggest.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <limits>
#include <map>

namespace tst_suggest {

using namespace gpuledger;
using namespace gpuledger::alerts;

namespace {

constexpr std::int64_t kOneUsd = base::Money::kNanosPerUnit;

// Each month's amount, in nano-units, is all on its first day.
DailySeries monthsOf(const char *first, const char *end, const std::map<std::string, std::int64_t> &months)
{
    DailySeries series;
    series.first = base::dayOf(base::parseTime(first).value());
    const base::Day last = base::dayOf(base::parseTime(end).value());
    for (base::Day day = series.first; day < last; ++day.number) {
        const Period month = Period::around(PeriodKind::Month, day);
        const auto found = months.find(month.name());
        series.days.emplace_back(found != months.end() && day == month.begin ? found->second : 0);
    }
    return series;
}

std::optional<SuggestedAmount> suggested(const DailySeries &series, PeriodKind kind = PeriodKind::Month)
{
    const auto answer = suggestedFromHistory(series, kind, base::Currency::usd());
    return answer ? *answer : std::nullopt;
}

DailySeries untilNovember()
{
    return monthsOf("2026-07-01", "2026-11-11",
                    {{"2026-07", 90'000 * kOneUsd}, // a fourth month does not count
                     {"2026-08", 1'000 * kOneUsd},
                     {"2026-09", 1'300 * kOneUsd},
                     {"2026-10", 1'110 * kOneUsd},
                     {"2026-11", 70'000 * kOneUsd}}); // not over
}

} // namespace

class tst_suggest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Median 1,110; distances 110, 190, 0, of which 80 % need the largest: 1,300.
    void medianAndSpreadOfThreeMonths()
    {
        const auto answer = suggested(untilNovember());
        QVERIFY(answer);
        QCOMPARE(answer->amount, base::Money(1'300 * kOneUsd, base::Currency::usd()));
        QCOMPARE(answer->from.size(), std::size_t{3});
        QCOMPARE(answer->from.front().name(), std::string("2026-08"));
        QCOMPARE(answer->from.back().name(), std::string("2026-10"));
    }

    void aLowMonthWidensAsMuchAsAHighOne()
    {
        // Median 1,000, distances 400, 0, 10: 1,400.
        const auto answer = suggested(
            monthsOf("2026-08-01", "2026-11-01",
                     {{"2026-08", 600 * kOneUsd}, {"2026-09", 1'000 * kOneUsd}, {"2026-10", 1'010 * kOneUsd}}));
        QVERIFY(answer);
        QCOMPARE(answer->amount.nanos(), 1'400 * kOneUsd);
    }

    void roundsUpToTwoDigits_data()
    {
        QTest::addColumn<qint64>("nanos");
        QTest::addColumn<qint64>("rounded");
        QTest::newRow("two digits") << qint64{93} * kOneUsd << qint64{93} * kOneUsd;
        QTest::newRow("a nano more") << qint64{93} * kOneUsd + 1 << qint64{94} * kOneUsd;
        QTest::newRow("to three digits") << qint64{99} * kOneUsd + 1 << qint64{100} * kOneUsd;
        QTest::newRow("thousands") << qint64{12'345} * kOneUsd << qint64{13'000} * kOneUsd;
        QTest::newRow("cents") << qint64{123'000'000} << qint64{130'000'000};
        QTest::newRow("nanos") << qint64{7} << qint64{7};
    }
    void roundsUpToTwoDigits()
    {
        QFETCH(qint64, nanos);
        QFETCH(qint64, rounded);
        const auto answer = suggested(
            monthsOf("2026-08-01", "2026-11-01", {{"2026-08", nanos}, {"2026-09", nanos}, {"2026-10", nanos}}));
        QVERIFY(answer);
        QCOMPARE(qint64{answer->amount.nanos()}, rounded);
    }

    // Median of 1,000 and 1,110: 1,055; both are 55 away.
    void aMonthWithAnUnknownDayIsLeftOut()
    {
        DailySeries series = untilNovember();
        series.days[70].reset(); // in September
        const auto answer = suggested(series);
        QVERIFY(answer);
        QCOMPARE(answer->from.size(), std::size_t{2});
        QCOMPARE(answer->amount.nanos(), 1'200 * kOneUsd); // 1,110, rounded up
    }

    void oneMonthSuggestsNothing()
    {
        DailySeries series = untilNovember();
        series.days[40].reset(); // in August
        series.days[70].reset(); // in September
        QVERIFY(!suggested(series));
        QVERIFY(!suggested(DailySeries{}));
    }

    void whatCostNothingOrHasCreditsGetsNone()
    {
        QVERIFY(!suggested(monthsOf("2026-08-01", "2026-11-01", {})));
        QVERIFY(!suggested(monthsOf("2026-08-01", "2026-11-01", {{"2026-08", -5}, {"2026-09", -5}, {"2026-10", -5}})));
    }

    void quarters()
    {
        const auto answer = suggested(monthsOf("2026-01-01", "2026-11-11",
                                               {{"2026-02", 1'000 * kOneUsd},
                                                {"2026-05", 2'000 * kOneUsd},
                                                {"2026-09", 3'000 * kOneUsd},
                                                {"2026-10", 50'000 * kOneUsd}}),
                                      PeriodKind::Quarter);
        QVERIFY(answer);
        QCOMPARE(answer->from.front().name(), std::string("2026-Q1"));
        QCOMPARE(answer->amount.nanos(), 3'000 * kOneUsd); // median 2,000, both others 1,000 away
    }

    void whatDoesNotFitIsAnError()
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        const auto answer = suggestedFromHistory(
            monthsOf("2026-08-01", "2026-11-01", {{"2026-08", kMost}, {"2026-09", kMost}, {"2026-10", kMost}}),
            PeriodKind::Month, base::Currency::usd());
        QVERIFY(!answer && answer.error().code == base::ErrorCode::Overflow);
    }
};

GPULEDGER_PLAIN_SUITE(tst_suggest)

} // namespace tst_suggest

#include "tst_suggest.moc"
