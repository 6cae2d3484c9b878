// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets: what is available, what is reached, what carries over.
#include "app/alerts/budgets/budget.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_budget {

using namespace gpuledger;
using namespace gpuledger::alerts;

namespace {

constexpr std::int64_t kOne = base::Money::kNanosPerUnit;

base::Day budgetDay(const char *date)
{
    return base::dayOf(base::parseTime(date).value());
}

// 10 units a day.
ForecastQuestion tenADay(const char *first, const char *end)
{
    ForecastQuestion question;
    question.currency = base::Currency::usd();
    question.past.first = budgetDay(first);
    for (base::Day day = question.past.first; day < budgetDay(end); ++day.number)
        question.past.days.emplace_back(10 * kOne);
    return question;
}

Budget budgetOfUnits(std::int64_t units, PeriodKind period = PeriodKind::Month)
{
    Budget budget;
    budget.key = "vision";
    budget.period = period;
    budget.amount = base::Money(units * kOne, base::Currency::usd());
    return budget;
}

} // namespace

class tst_budget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thresholdsOfSpendAndOfTheForecast()
    {
        Budget budget = budgetOfUnits(250);
        budget.warn = {0.8, 1.0, 1.5};
        const auto question = tenADay("2026-09-01", "2026-11-21"); // 200 of 250 spent, 300 expected
        auto state = stateOf(budget, question, budgetDay("2026-11-21"));
        QVERIFY(state);
        QCOMPARE(state->forecast.spent.nanos(), 200 * kOne);
        QCOMPARE(*state->share, 0.8);
        QVERIFY(std::abs(*state->forecastShare - 1.2) < 1e-6);
        QCOMPARE(*state->crossed, 0.8);
        QVERIFY(!state->crossedByForecast && !state->carried);
        budget.warnsOfForecast = true;
        state = stateOf(budget, question, budgetDay("2026-11-21"));
        QCOMPARE(*state->crossedByForecast, 1.0);
    }

    void whatIsLeftCarriesOver()
    {
        Budget budget = budgetOfUnits(320);
        budget.carriesOver = true;
        // September 300, October 310: 20 + 10 are left.
        const auto state = stateOf(budget, tenADay("2026-09-01", "2026-11-11"), budgetDay("2026-11-11"));
        QVERIFY(state && state->carried);
        QCOMPARE(state->carried->nanos(), 30 * kOne);
        QCOMPARE(state->available.nanos(), 350 * kOne);
    }

    // However far back the series reaches, so that it does not change within a period.
    void eachYearBeginsAnew()
    {
        Budget budget = budgetOfUnits(320);
        budget.carriesOver = true;
        for (const char *first : {"2026-09-01", "2026-10-15", "2027-01-01"}) {
            const auto january = stateOf(budget, tenADay(first, "2027-01-20"), budgetDay("2027-01-20"));
            QVERIFY(january && !january->carried);
            const auto march = stateOf(budget, tenADay(first, "2027-03-20"), budgetDay("2027-03-20"));
            QVERIFY(march && march->carried); // January 310, February 280
            QCOMPARE(march->carried->nanos(), 50 * kOne);
        }
    }

    void aFiscalYearBeginsAnew()
    {
        Budget budget = budgetOfUnits(320);
        budget.carriesOver = true;
        budget.yearStarts = 2;
        const auto question = tenADay("2026-09-01", "2027-03-20");
        const auto march = stateOf(budget, question, budgetDay("2027-03-20"));
        QVERIFY(march && march->carried); // of February alone
        QCOMPARE(march->carried->nanos(), 40 * kOne);
        const auto january = stateOf(budget, tenADay("2026-09-01", "2027-01-20"), budgetDay("2027-01-20"));
        QVERIFY(january && january->carried); // of September to December
        QCOMPARE(january->carried->nanos(), (20 + 10 + 20 + 10) * kOne);
        budget.period = PeriodKind::Quarter;
        budget.amount = base::Money(1000 * kOne, base::Currency::usd());
        const auto quarter = stateOf(budget, question, budgetDay("2027-01-20"));
        QVERIFY(quarter);
        QCOMPARE(quarter->forecast.period.name(), std::string("2026/27-Q4")); // November to January
        QCOMPARE(quarter->forecast.spent.nanos(), 920 * kOne);
    }

    void whatWasOverspentIsMissing()
    {
        Budget budget = budgetOfUnits(100);
        budget.warn = {1.0};
        budget.carriesOver = true;
        const auto state = stateOf(budget, tenADay("2026-09-15", "2026-11-02"), budgetDay("2026-11-02"));
        QVERIFY(state && state->carried); // of October alone: September is not whole
        QCOMPARE(state->carried->nanos(), -210 * kOne);
        QVERIFY(!state->share && state->crossed); // nothing is available
    }

    void anUnknownPeriodBeginsAnew()
    {
        const auto usd = [](std::int64_t units) { return base::Money(units * kOne, base::Currency::usd()); };
        using Spent = std::vector<std::optional<base::Money>>;
        const auto carried = [&](const Spent &spent) { return carriedFrom(usd(100), spent).value(); };
        QVERIFY(!carried({}));
        QCOMPARE(carried({usd(70), usd(150)})->nanos(), -20 * kOne); // 30, then 130 - 150
        QCOMPARE(carried({usd(70), std::nullopt, usd(90)})->nanos(), 10 * kOne);
        QVERIFY(!carried({usd(70), std::nullopt}));
    }

    void anUnknownDayBeginsAnew()
    {
        Budget budget = budgetOfUnits(320);
        budget.carriesOver = true;
        auto question = tenADay("2026-09-01", "2026-11-11");
        question.past.days[40].reset(); // in October
        const auto state = stateOf(budget, question, budgetDay("2026-11-11"));
        QVERIFY(state && !state->carried);
        QCOMPARE(state->available.nanos(), 320 * kOne);
    }

    void quartersEndWithTheirLastDay()
    {
        const Budget budget = budgetOfUnits(1000, PeriodKind::Quarter);
        const auto last = stateOf(budget, tenADay("2026-09-01", "2026-12-31"), budgetDay("2026-12-31"));
        QVERIFY(last);
        QCOMPARE(last->forecast.spent.nanos(), 910 * kOne); // 92 days, but for the last
        QCOMPARE(last->forecast.expected->nanos(), 920 * kOne);
        const auto next = stateOf(budget, tenADay("2026-09-01", "2027-01-01"), budgetDay("2027-01-01"));
        QVERIFY(next);
        QCOMPARE(next->forecast.period.name(), std::string("2027-Q1"));
        QCOMPARE(next->forecast.spent.nanos(), std::int64_t{0});
    }

    void theSuggestionCoversTheNextPeriod()
    {
        const auto state = stateOf(budgetOfUnits(1), tenADay("2026-09-01", "2026-11-21"), budgetDay("2026-11-21"));
        QVERIFY(state && state->suggested);
        QCOMPARE(state->suggested->nanos(), 310 * kOne); // December, without any error
    }

    void refusesWhatIsNoAmount()
    {
        const auto question = tenADay("2026-09-01", "2026-11-21");
        QVERIFY(stateOf(budgetOfUnits(0), question, budgetDay("2026-11-21")).error().code
                == base::ErrorCode::InvalidArgument);
        Budget euros = budgetOfUnits(1);
        euros.amount = base::Money(kOne, base::Currency::parse("EUR").value());
        QVERIFY(stateOf(euros, question, budgetDay("2026-11-21")).error().code == base::ErrorCode::InvalidArgument);
    }
};

GPULEDGER_PLAIN_SUITE(tst_budget)

} // namespace tst_budget

#include "tst_budget.moc"
