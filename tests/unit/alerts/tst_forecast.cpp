// SPDX-License-Identifier: GPL-3.0-or-later
// The forecast, against closed forms and against noise of which the truth is known.
#include "app/alerts/forecast/backtest.h"
#include "app/alerts/forecast/baselines.h"
#include "app/alerts/forecast/forecast.h"
#include "app/alerts/forecast/levelshift.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tst_forecast {

using namespace gpuledger;
using namespace gpuledger::alerts;

namespace {

constexpr std::int64_t kUnit = base::Money::kNanosPerUnit;

base::Day dayAt(const char *date)
{
    return base::dayOf(base::parseTime(date).value());
}

// Amounts of a week from Monday on, in units.
std::int64_t patternOn(base::Day day)
{
    static constexpr std::int64_t kPattern[] = {100, 110, 120, 130, 140, 40, 30};
    return kPattern[(day.number + 3) % 7] * kUnit; // 1970-01-01 was a Thursday
}

ForecastQuestion patternFrom(const char *first, const char *end)
{
    ForecastQuestion question;
    question.currency = base::Currency::usd();
    question.past.first = dayAt(first);
    for (base::Day day = question.past.first; day < dayAt(end); ++day.number)
        question.past.days.emplace_back(patternOn(day));
    return question;
}

std::int64_t patternSum(const Period &period)
{
    std::int64_t sum = 0;
    for (base::Day day = period.begin; day < period.end; ++day.number)
        sum += patternOn(day);
    return sum;
}

bool isNear(const std::optional<base::Money> &amount, std::int64_t nanos, double units = 0.001)
{
    return amount && std::abs(static_cast<double>(amount->nanos() - nanos)) <= units * static_cast<double>(kUnit);
}

// Numbers between -1 and 1 that no library changes: the sum of four uniform ones, about normally distributed.
class Noise {
public:
    explicit Noise(std::uint64_t seed)
        : m_state(seed * 2654435761u + 1)
    {
    }
    double next()
    {
        double sum = 0;
        for (int i = 0; i < 4; ++i) {
            m_state = m_state * 6364136223846793005u + 1442695040888963407u;
            sum += static_cast<double>(m_state >> 33) / static_cast<double>(1u << 31) - 0.5;
        }
        return sum / 2;
    }

private:
    std::uint64_t m_state;
};

} // namespace

class tst_forecast : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPureWeeklyPatternIsExact_data()
    {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("end");
        for (const char *end : {"2026-11-05", "2026-11-17", "2026-11-30", "2026-12-01", "2027-02-10", "2028-02-29"})
            QTest::newRow(end) << QStringLiteral("2026-10-01") << QString::fromLatin1(end);
        QTest::newRow("14 days") << QStringLiteral("2026-10-20") << QStringLiteral("2026-11-03");
    }
    void aPureWeeklyPatternIsExact()
    {
        QFETCH(QString, first);
        QFETCH(QString, end);
        const auto question = patternFrom(first.toLatin1().constData(), end.toLatin1().constData());
        const Period month = Period::around(PeriodKind::Month, question.past.end());
        const auto forecast = forecastPeriod(question, month);
        QVERIFY(forecast);
        QVERIFY(forecast->method == ForecastMethod::Weekly);
        QVERIFY(isNear(forecast->expected, patternSum(month)));
        // Early forecasts of a short past did not know yet that the pattern is exact.
        const std::int64_t truth = patternSum(month), low = forecast->low->nanos(), high = forecast->high->nanos();
        const std::int64_t most = question.past.days.size() < 100 ? truth / 3 : 2'000'000;
        QVERIFY(low <= truth + 1'000'000 && high >= truth - 1'000'000);
        QVERIFY2(high - low <= most,
                 qPrintable(QString::number(static_cast<double>(high - low) / static_cast<double>(truth))));
        QCOMPARE(forecast->unknownDays, std::size_t{0});
    }

    // A contract ends: five days later the forecast knows nothing but the new level, with the season of before.
    void aShiftIsFollowed_data()
    {
        QTest::addColumn<double>("to");
        QTest::newRow("down") << 0.4;
        QTest::newRow("up") << 2.5;
        QTest::newRow("by 10 %") << 0.9;
    }
    void aShiftIsFollowed()
    {
        QFETCH(double, to);
        constexpr std::size_t kDays = 120, kSince = 5, kAhead = 23;
        Noise noise(7);
        Values past;
        for (std::size_t i = 0; i < kDays; ++i) {
            const double level = (i < kDays - kSince ? 1000 : 1000 * to) * (i % 7 < 5 ? 1 : 0.5);
            past.push_back(level * (1 + 0.01 * noise.next()));
        }
        QCOMPARE(lastShift(past, weekdayFactors(past)), kDays - kSince);
        double truth = 0;
        for (std::size_t i = kDays; i < kDays + kAhead; ++i)
            truth += 1000 * to * (i % 7 < 5 ? 1 : 0.5);
        const auto ahead = forecastAhead(past, kAhead);
        QVERIFY(ahead && std::abs(ahead->sum - truth) < 0.02 * truth);
    }

    // Noise, a trend, a single day and a season have none.
    void noShiftIsFoundWhereThereIsNone()
    {
        int found = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            Noise noise(seed);
            Values past;
            for (std::size_t i = 0; i < 126; ++i) {
                const auto day = static_cast<double>(i);
                past.push_back((1000 + (seed % 2 == 0 ? 3 * day : 0)) * (i % 7 < 5 ? 1 : 0.7)
                               * (1 + 0.1 * noise.next()));
            }
            past[60] *= seed % 3 == 0 ? 1.8 : 1;
            found += lastShift(past, weekdayFactors(past)) > 0 ? 1 : 0;
        }
        QVERIFY2(found <= 4, std::to_string(found).c_str()); // of 25,000 days
    }

    void unknownDaysAreNoShift()
    {
        std::array<double, kWeek> ones{};
        ones.fill(1);
        QCOMPARE(lastShift({}, ones), std::size_t(0));
        QCOMPARE(lastShift(Values(30, kUnknownDay), ones), std::size_t(0));
        Values past(30, 100);
        past[28] = past[29] = 10; // two days could be anything
        QCOMPARE(lastShift(past, ones), std::size_t(0));
        past[26] = kUnknownDay;
        past[27] = 10;
        QCOMPARE(lastShift(past, ones), std::size_t(27));
    }

    void theLastThreeMonthsAreJudged()
    {
        const auto forecast = forecastPeriod(patternFrom("2026-06-01", "2026-11-11"),
                                             Period::around(PeriodKind::Month, dayAt("2026-11-11")));
        QVERIFY(forecast && forecast->error);
        QCOMPARE(forecast->errorMonths, std::size_t{3});
        QVERIFY(*forecast->error < 1e-6);
    }

    void fewerThanFourteenDaysAreARunRate()
    {
        ForecastQuestion question = patternFrom("2026-11-01", "2026-11-14"); // 13 days
        std::int64_t spent = 0;
        for (const auto &day : question.past.days)
            spent += *day;
        const auto forecast = forecastPeriod(question, Period::around(PeriodKind::Month, dayAt("2026-11-14")));
        QVERIFY(forecast);
        QVERIFY(forecast->method == ForecastMethod::RunRate);
        QCOMPARE(forecast->spent.nanos(), spent);
        QVERIFY(isNear(forecast->expected, spent / 13 * 30));
        QVERIFY(!forecast->low && !forecast->high && !forecast->error);
    }

    void nothingKnownIsNoForecast()
    {
        ForecastQuestion question;
        question.currency = base::Currency::usd();
        question.past = {dayAt("2026-11-01"), {std::nullopt, std::nullopt}};
        const auto forecast = forecastPeriod(question, Period::around(PeriodKind::Month, dayAt("2026-11-03")));
        QVERIFY(forecast);
        QVERIFY(forecast->method == ForecastMethod::None);
        QVERIFY(!forecast->expected);
        QCOMPARE(forecast->unknownDays, std::size_t{2});
    }

    void aPartOfTodayCountsOnce()
    {
        ForecastQuestion question = patternFrom("2026-09-01", "2026-11-30");
        question.today = PartDay{patternOn(dayAt("2026-11-30")) / 4, 0.25};
        const Period month = Period::around(PeriodKind::Month, dayAt("2026-11-30"));
        const auto forecast = forecastPeriod(question, month);
        QVERIFY(forecast);
        QVERIFY(isNear(forecast->expected, patternSum(month)));
        QCOMPARE(forecast->spent.nanos(), patternSum(month) - patternOn(dayAt("2026-11-30")) / 4 * 3);
    }

    void unknownDaysAreNotZero()
    {
        ForecastQuestion question = patternFrom("2026-09-01", "2026-11-20");
        for (const std::size_t i : {65, 70}) // in November
            question.past.days[i].reset();
        const Period month = Period::around(PeriodKind::Month, dayAt("2026-11-20"));
        const auto forecast = forecastPeriod(question, month);
        QVERIFY(forecast);
        QCOMPARE(forecast->unknownDays, std::size_t{2});
        QVERIFY(isNear(forecast->expected, patternSum(month), 1));
        QVERIFY(forecast->spent.nanos() < patternSum(month) - 200 * kUnit);
    }

    void whatIsKnownOfAnUnknownDayIsSpent()
    {
        ForecastQuestion question = patternFrom("2026-09-01", "2026-11-20");
        const Period month = Period::around(PeriodKind::Month, dayAt("2026-11-20"));
        const auto whole = forecastPeriod(question, month);
        question.past.partly.assign(question.past.days.size(), 7 * kUnit);
        question.past.days[70].reset(); // 10 November
        const auto partly = forecastPeriod(question, month);
        QVERIFY(whole && partly);
        QCOMPARE(whole->spent.nanos() - partly->spent.nanos(), patternOn(dayAt("2026-11-10")) - 7 * kUnit);
        QVERIFY(isNear(partly->expected, patternSum(month), 1));
        // Asked about an earlier day: what is known of later ones is not spent yet.
        question.past.days.resize(60); // until 30 October
        QCOMPARE(forecastPeriod(question, month)->spent.nanos(), std::int64_t{0});
    }

    void aOneOffDoesNotRecur()
    {
        ForecastQuestion question = patternFrom("2026-09-01", "2026-11-20");
        *question.past.days[75] += 50'000 * kUnit;
        const Period month = Period::around(PeriodKind::Month, dayAt("2026-11-20"));
        const auto forecast = forecastPeriod(question, month);
        QVERIFY(forecast);
        QVERIFY(isNear(forecast->expected, patternSum(month) + 50'000 * kUnit, 60));
    }

    void aCreditIsCountedAndNotRepeated()
    {
        ForecastQuestion question = patternFrom("2026-09-01", "2026-11-20");
        *question.past.days[75] = -5'000 * kUnit;
        const Period month = Period::around(PeriodKind::Month, dayAt("2026-11-20"));
        const auto forecast = forecastPeriod(question, month);
        QVERIFY(forecast);
        const std::int64_t truth = patternSum(month) - patternOn(dayAt("2026-11-15")) - 5'000 * kUnit;
        QVERIFY(isNear(forecast->expected, truth, 60));
    }

    void aTeamThatDoubledStaysDoubled()
    {
        ForecastQuestion question = patternFrom("2026-08-01", "2026-11-20");
        const Period month = Period::around(PeriodKind::Month, dayAt("2026-11-20"));
        for (base::Day day = dayAt("2026-10-20"); day < dayAt("2026-11-20"); ++day.number)
            question.past.days[static_cast<std::size_t>(day.number - question.past.first.number)] = 2 * patternOn(day);
        const auto forecast = forecastPeriod(question, month);
        QVERIFY(forecast && forecast->expected);
        const double truth = 2 * static_cast<double>(patternSum(month));
        QVERIFY(std::abs(static_cast<double>(forecast->expected->nanos()) / truth - 1) < 0.03);
    }

    void unfinishedDaysAreCompletedOnlyIfTheirGrowthIsKnown()
    {
        ForecastQuestion question = patternFrom("2026-09-01", "2026-11-20");
        *question.past.days.back() /= 2;
        const Period month = Period::around(PeriodKind::Month, dayAt("2026-11-20"));
        const auto asItIs = forecastPeriod(question, month);
        const base::Day last = dayAt("2026-11-19");
        QCOMPARE(question.past.end().number, last.number + 1);
        question.open = {{last, std::nullopt}};
        const auto unknown = forecastPeriod(question, month);
        QVERIFY(unknown && unknown->expected->nanos() == asItIs->expected->nanos());
        QCOMPARE(unknown->openDays, std::size_t{1});
        QCOMPARE(unknown->completedDays, std::size_t{0});
        question.open = {{last, alerts::DayShare{0.5, 0}}};
        const auto completed = forecastPeriod(question, month);
        QVERIFY(asItIs && completed && asItIs->expected);
        QCOMPARE(completed->openDays, std::size_t{0});
        QCOMPARE(completed->completedDays, std::size_t{1});
        // 0.1 of 0.5 is a fifth of the day: the band has 1.28 of it beside the error of the rest, which is none.
        question.open = {{last, alerts::DayShare{0.5, 0.1}}};
        const auto wider = forecastPeriod(question, month);
        const double day = 2 * static_cast<double>(*question.past.days.back());
        const auto half = [](const auto &f) { return static_cast<double>(f->high->nanos() - f->expected->nanos()); };
        QVERIFY(std::abs(half(wider) - std::hypot(half(completed), 1.2816 * 0.2 * day)) < 1e-6 * day);
        QVERIFY(wider->expected->nanos() == completed->expected->nanos());
        question.open = {{last, alerts::DayShare{0, 0}}}; // it tells nothing
        QCOMPARE(forecastPeriod(question, month)->unknownDays, std::size_t{1});
        QVERIFY(isNear(completed->expected, patternSum(month)));
        QVERIFY(asItIs->expected->nanos() < completed->expected->nanos());
        QCOMPARE(completed->spent.nanos(), asItIs->spent.nanos());
    }

    // A series that never moved may do what others did.
    void bandsLearnFromOtherSeries()
    {
        const Values calm(40, 100);
        std::vector<Values> all{calm};
        for (int seed = 1; seed <= 2; ++seed) {
            Noise noise(static_cast<std::uint64_t>(seed));
            Values &days = all.emplace_back();
            for (std::size_t i = 0; i < calm.size(); ++i)
                days.push_back(1000 + 500 * noise.next());
        }
        const auto others = missedByAll(all, 5);
        QVERIFY(others && others->share > 0.001 && others->share < 0.5);
        const auto alone = forecastAhead(calm, 5), pooled = forecastAhead(calm, 5, others);
        QVERIFY(alone && pooled);
        QVERIFY(alone->error < 1e-6 && pooled->error > 1 && pooled->error < 500 * 1.25 * others->share);
        QVERIFY(std::abs(pooled->sum - alone->sum) < 1e-9);
        QVERIFY(forecastAhead(calm, 6, others)->error < 1e-6); // asked for other days
        all.pop_back();
        QVERIFY(!missedByAll(all, 5)); // too few
    }

    // Weekly season, noise of about a tenth of the level; several sums ahead after 90 days.
    void theBandHoldsFourOfFive()
    {
        constexpr int kSeeds = 200;
        int inside = 0, trials = 0;
        double ours = 0, rate = 0, naive = 0;
        for (const std::size_t days : {5u, 10u, 15u, 20u}) {
            for (int seed = 1; seed <= kSeeds; ++seed) {
                Noise noise(static_cast<std::uint64_t>(seed));
                Values all;
                for (std::size_t i = 0; i < 90 + days; ++i)
                    all.push_back((i % kWeek < 5 ? 1000 : 400) + 300 * noise.next());
                double truth = 0;
                for (std::size_t i = 90; i < all.size(); ++i)
                    truth += all[i];
                all.resize(90);
                const auto ahead = forecastAhead(all, days);
                QVERIFY(ahead);
                ++trials;
                inside += std::abs(ahead->sum - truth) <= ahead->error ? 1 : 0;
                ours += std::abs(ahead->sum - truth);
                rate += std::abs(runRate(std::span(all).subspan(75), days).value() - truth);
                naive += std::abs(seasonalNaive(all, days).value() - truth);
            }
        }
        QVERIFY2(inside >= 0.75 * trials && inside <= 0.85 * trials, std::to_string(inside).c_str());
        QVERIFY(ours < rate && ours < naive);
    }

    // Days of one series, one after another, as an alert rule asks them; some are unknown, and one is corrected later.
    void aMemoChangesNothing()
    {
        Noise noise(7);
        Values all;
        for (std::size_t i = 0; i < 300; ++i)
            all.push_back(i % 41 == 40 ? kUnknownDay : (i % kWeek < 5 ? 1000 : 400) + 300 * noise.next());
        FitMemo memo;
        for (std::size_t end = 120; end <= all.size(); end += 9) {
            const std::span past = std::span(all).first(end);
            for (const std::size_t days : {1u, 12u, 31u, 200u}) {
                const auto with = forecastAhead(past, days, std::nullopt, AheadParts::All, &memo),
                           without = forecastAhead(past, days);
                QVERIFY(with && without);
                QCOMPARE(with->sum, without->sum);
                QCOMPARE(with->error, without->error);
                QCOMPARE(forecastAhead(past, days, std::nullopt, AheadParts::Sum, &memo)->sum, without->sum);
            }
            all[end - 2] = 3000; // the next past differs in a day that was fitted
        }
    }

    // What is older than kMostLookedAt changes nothing, so that a value does not depend on what else is asked for.
    void oldDaysChangeNothing()
    {
        Noise noise(8);
        Values all;
        for (std::size_t i = 0; i < kMostLookedAt + 70; ++i)
            all.push_back((i % kWeek < 5 ? 1000 : 400) + 300 * noise.next());
        const auto whole = forecastAhead(all, 20);
        const auto late = forecastAhead(std::span(all).last(kMostLookedAt), 20);
        QVERIFY(whole && late);
        QVERIFY(std::abs(whole->sum - late->sum) < 1e-6 && std::abs(whole->error - late->error) < 1e-6);
    }

    void baselinesAreWhatTheySay()
    {
        const Values past{1, 2, 3, 4, 5, 6, 7, kUnknownDay, 9};
        QCOMPARE(*runRate(past, 8), 37.0);
        QCOMPARE(*seasonalNaive(past, 7), 3.0 + 4 + 5 + 6 + 7 + 1 + 9);
        QVERIFY(!runRate(Values{kUnknownDay}, 1) && !seasonalNaive(Values{}, 1));
    }

    void periodsAreCalendarPeriods()
    {
        const auto days = [](PeriodKind kind, const char *date) { return Period::around(kind, dayAt(date)).days(); };
        QCOMPARE(days(PeriodKind::Month, "2026-02-28"), std::size_t{28});
        QCOMPARE(days(PeriodKind::Month, "2028-02-01"), std::size_t{29});
        QCOMPARE(days(PeriodKind::Month, "2026-12-31"), std::size_t{31});
        QCOMPARE(days(PeriodKind::Quarter, "2026-03-31"), std::size_t{90});
        QCOMPARE(days(PeriodKind::Year, "2028-06-01"), std::size_t{366});
        QCOMPARE(Period::around(PeriodKind::Quarter, dayAt("2026-12-31")).name(), std::string("2026-Q4"));
        QCOMPARE(Period::around(PeriodKind::Quarter, dayAt("2026-12-31")).after().name(), std::string("2027-Q1"));
        QCOMPARE(Period::around(PeriodKind::Month, dayAt("2027-01-01")).before().name(), std::string("2026-12"));
    }

    // Every day lies in exactly one year and quarter, which begin where the month says.
    void fiscalYearsBeginInAnyMonth()
    {
        constexpr std::array<std::size_t, 2> kYears{365, 366};
        for (int starts = 1; starts <= 12; ++starts) {
            for (base::Day day = dayAt("2027-01-01"); day < dayAt("2029-01-01"); ++day.number) {
                const Period year = Period::around(PeriodKind::Year, day, starts);
                const Period quarter = Period::around(PeriodKind::Quarter, day, starts);
                QVERIFY(year.begin <= quarter.begin && quarter.begin <= day && day < quarter.end);
                QVERIFY(quarter.end <= year.end);
                QVERIFY(std::find(kYears.begin(), kYears.end(), year.days()) != kYears.end());
                QCOMPARE(Period::around(PeriodKind::Month, year.begin).name().substr(5),
                         (starts < 10 ? "0" : "") + std::to_string(starts));
                QVERIFY(year.after().begin == year.end && year.after().before() == year);
                QVERIFY(Period::around(PeriodKind::Month, day, starts) == Period::around(PeriodKind::Month, day));
            }
        }
        const auto name = [](PeriodKind kind, const char *date, int starts) {
            return Period::around(kind, dayAt(date), starts).name();
        };
        QCOMPARE(name(PeriodKind::Year, "2026-04-01", 4), std::string("2026/27"));
        QCOMPARE(name(PeriodKind::Year, "2027-03-31", 4), std::string("2026/27"));
        QCOMPARE(name(PeriodKind::Year, "2099-12-01", 10), std::string("2099/00"));
        QCOMPARE(name(PeriodKind::Year, "2026-04-01", 1), std::string("2026"));
        QCOMPARE(name(PeriodKind::Quarter, "2026-04-01", 4), std::string("2026/27-Q1"));
        QCOMPARE(name(PeriodKind::Quarter, "2027-01-01", 4), std::string("2026/27-Q4"));
        QCOMPARE(name(PeriodKind::Quarter, "2026-01-31", 2), std::string("2025/26-Q4"));
        const Period winter = Period::around(PeriodKind::Quarter, dayAt("2027-01-31"), 12);
        QVERIFY(winter.begin == dayAt("2026-12-01") && winter.end == dayAt("2027-03-01"));
    }
};

GPULEDGER_PLAIN_SUITE(tst_forecast)

} // namespace tst_forecast

#include "tst_forecast.moc"
