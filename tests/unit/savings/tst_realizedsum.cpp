// SPDX-License-Identifier: GPL-3.0-or-later
// The sum of what accepted proposals saved: no money counts twice, and currencies stay apart.
#include "app/savings/realized/realized.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_realizedsum {

using namespace gpuledger;
using namespace gpuledger::savings;

class TestRealizedSum : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumCountsNoMoneyTwice();
    void aStopCountsOnceAndUntilItIsUndone();
};

void TestRealizedSum::sumCountsNoMoneyTwice()
{
    std::vector<Choice> choices;
    std::vector<Realized> realized;
    const auto add = [&](std::int64_t group, std::int64_t units, const char *code = "USD",
                         RealizedState state = RealizedState::Measured) {
        const base::Money amount(units * base::Money::kNanosPerUnit, *base::Currency::parse(code));
        Choice choice;
        choice.id = static_cast<std::int64_t>(choices.size()) + 1;
        choice.projected = MoneyBand{amount, amount, amount};
        Realized one;
        one.choice = choice.id;
        one.group = group;
        one.state = state;
        if (state == RealizedState::Measured)
            one.perMonth = MoneyBand{amount, amount, amount};
        choices.push_back(choice);
        realized.push_back(one);
    };
    add(1, 300);
    add(1, 400); // the same money
    add(3, -50);
    add(0, 7);
    add(0, 8);
    add(1, 5, "EUR");
    add(1, 0, "USD", RealizedState::TooEarly);
    const auto totals = realizedSum(choices, realized);
    QCOMPARE(totals.size(), std::size_t(2));
    QCOMPARE(totals[0].perMonth.p50.toDecimal(), std::string("5.000000000"));
    QCOMPARE(totals[1].perMonth.p10.toDecimal(), std::string("365.000000000"));
    QCOMPARE(totals[1].perMonth.p90.toDecimal(), std::string("365.000000000"));
    QCOMPARE(totals[1].projected->toDecimal(), std::string("365.000000000"));
    QCOMPARE(totals[1].counted, 4);
    QCOMPARE(totals[1].overlapping, 1);
    choices[2].projected.reset();
    QVERIFY(!realizedSum(choices, realized)[1].projected);
    choices.erase(choices.begin() + 1);
    QCOMPARE(realizedSum(choices, realized)[1].perMonth.p50.toDecimal(), std::string("265.000000000"));
    QVERIFY(realizedSum(choices, {}).empty());
}

void TestRealizedSum::aStopCountsOnceAndUntilItIsUndone()
{
    const base::Money amount(9 * base::Money::kNanosPerUnit, base::Currency::usd());
    Choice choice;
    choice.id = 4;
    Realized accepted, stopped;
    accepted.choice = 4;
    accepted.group = stopped.group = 4;
    accepted.state = stopped.state = RealizedState::Measured;
    accepted.perMonth = stopped.perMonth = MoneyBand{amount, amount, amount};
    stopped.choice = -7;
    stopped.stop = Choice();
    stopped.stop->id = -7;
    stopped.stop->stop = DoneStop{7, {}};
    const auto both = realizedSum({choice}, {accepted, stopped});
    QCOMPARE(both.size(), std::size_t(1));
    QCOMPARE(both[0].perMonth.p50.nanos(), amount.nanos());
    QCOMPARE(both[0].overlapping, 1);
    QCOMPARE(both[0].stops, 0);
    const auto alone = realizedSum({}, {stopped}); // nobody accepted it
    QCOMPARE(alone.size(), std::size_t(1));
    QCOMPARE(alone[0].stops, 1);
    const base::UtcTime first = base::fromUnix(0);
    accepted.before = {first, first + 14 * base::kDay};
    stopped.after = {first + 15 * base::kDay, first + 22 * base::kDay};
    QVERIFY(realizedRange({stopped, accepted, Realized()}) == (base::TimeRange{first, stopped.after.end}));
    QVERIFY(realizedRange({}).empty());
    stopped.stop->stop->undone = base::UtcTime{};
    QVERIFY(realizedSum({}, {stopped}).empty());
}

GPULEDGER_PLAIN_SUITE(TestRealizedSum)

} // namespace tst_realizedsum

#include "tst_realizedsum.moc"
