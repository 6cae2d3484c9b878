// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/decimal.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <rapidcheck.h>

#include <limits>

namespace tst_decimal {

using namespace gpuledger::base;

namespace {

std::string text(std::string_view spelled)
{
    const auto number = Decimal::parse(spelled);
    return number ? number->toText() : std::string(toString(number.error().code));
}

std::int64_t nanos(std::string_view spelled)
{
    return Decimal::parse(spelled).value().toMoney(Currency::usd()).value().nanos();
}

} // namespace

class TestDecimal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAndPrintsEverySpelling()
    {
        QCOMPARE(text("0"), std::string("0"));
        QCOMPARE(text("-0.000"), std::string("0"));
        QCOMPARE(text("000012.340"), std::string("12.34"));
        QCOMPARE(text("-12.34"), std::string("-12.34"));
        QCOMPARE(text("+1"), std::string("1"));
        QCOMPARE(text(".5"), std::string("0.5"));
        QCOMPARE(text("1.5E-7"), std::string("0.00000015"));
        QCOMPARE(text("1E+3"), std::string("1000"));
        QCOMPARE(text("0.000000000000000001"), std::string("0.000000000000000001"));
        QCOMPARE(text("1e-18"), std::string("0.000000000000000001"));
        QCOMPARE(text("1e-9999"), std::string("0"));
        QCOMPARE(text("0e9999"), std::string("0"));
        QCOMPARE(text("99999999999999999999.999999999999999999"),
                 std::string("99999999999999999999.999999999999999999"));
        QCOMPARE(text("-99999999999999999999.999999999999999999"),
                 std::string("-99999999999999999999.999999999999999999"));
    }

    void cutsBehindTheEighteenthDigit()
    {
        QCOMPARE(text("0.0000000000000000019"), std::string("0.000000000000000001"));
        QCOMPARE(text("1." + std::string(5000, '9')), "1." + std::string(18, '9'));
        QCOMPARE(text(std::string(5000, '0') + "1.5" + std::string(5000, '0')), std::string("1.5"));
    }

    void refusesWhatIsNoNumberOrTooLarge()
    {
        for (const char *bad : {"", "-", ".", "e5", "1,5", "1.2.3", "12 ", " 12", "0x10", "NaN", "inf", "1e", "1e+-5"})
            QCOMPARE(text(bad), std::string("parse"));
        for (const char *large : {"100000000000000000000", "-1e20", "1e9999", "9e38", "1e19999"})
            QVERIFY2(text(large) == "overflow" || text(large) == "parse", large);
        QCOMPARE(text("1e20"), std::string("overflow"));
        QCOMPARE(text("123456789012345678901234567890123456789012345"), std::string("overflow"));
    }

    // Half at the ninth digit is recognized whatever follows it, and nothing below half rounds up.
    void roundsToMoneyOnceHalfAwayFromZero()
    {
        QCOMPARE(nanos("0.0000000005"), std::int64_t{1});
        QCOMPARE(nanos("-0.0000000005"), std::int64_t{-1});
        QCOMPARE(nanos("0.00000000049999999999999999999999"), std::int64_t{0});
        QCOMPARE(nanos("-0.00000000049999999999999999999999"), std::int64_t{0});
        QCOMPARE(nanos("0.000000000999999999999999999999999"), std::int64_t{1});
        QCOMPARE(nanos("9223372036.8547758074999"), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(nanos("-9223372036.8547758084999"), std::numeric_limits<std::int64_t>::min());
        QVERIFY(!Decimal::parse("9223372036.8547758075")->toMoney(Currency::usd()));
        QVERIFY(!Decimal::parse("-9223372036.8547758085")->toMoney(Currency::usd()));
    }

    void sumsAreExactAndChecked()
    {
        const Decimal most = Decimal::parse("99999999999999999999.999999999999999999").value();
        const Decimal least = Decimal::parse("-99999999999999999999.999999999999999999").value();
        const Decimal tiny = Decimal::parse("1e-18").value();
        QVERIFY(most.plus(tiny).error().code == ErrorCode::Overflow);
        QVERIFY(least.minus(tiny).error().code == ErrorCode::Overflow);
        QVERIFY(most.plus(most).error().code == ErrorCode::Overflow);
        QVERIFY(least.plus(least).error().code == ErrorCode::Overflow);
        QCOMPARE(most.plus(least)->toText(), std::string("0"));
        Decimal sum;
        for (int i = 0; i < 10; ++i)
            sum = sum.plus(Decimal::parse("0.1").value()).value();
        QCOMPARE(sum, Decimal::parse("1").value());
    }

    void printedNumbersAndMoneyAreReadBack()
    {
        QVERIFY(rc::check([] {
            const Money amount{*rc::gen::arbitrary<std::int64_t>(), Currency::usd()};
            const Decimal exact = Decimal::of(amount);
            RC_ASSERT(exact.toMoney(Currency::usd()).value() == amount);
            RC_ASSERT(Decimal::parse(exact.toText()).value() == exact);
            RC_ASSERT(Decimal::parse(amount.toDecimal()).value() == exact);
            const int zeros = *rc::gen::inRange(0, 30);
            const std::string padded = exact.toText();
            const bool point = padded.find('.') != std::string::npos;
            RC_ASSERT(
                Decimal::parse(padded + (point ? "" : ".") + std::string(static_cast<std::size_t>(zeros), '0')).value()
                == exact);
        }));
    }
};

GPULEDGER_PLAIN_SUITE(TestDecimal)

} // namespace tst_decimal

#include "tst_decimal.moc"
