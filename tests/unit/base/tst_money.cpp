// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/money.h"
#include "tests/support/suite.h"

#include <QTest>

#include <rapidcheck.h>

#include <limits>
#include <numeric>

namespace tst_money {

using namespace gpuledger::base;

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

// Small, huge and edge values alike.
rc::Gen<std::int64_t> anyAmount()
{
    return rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(-1000, 1000),
                          rc::gen::element(kMin, kMin + 1, kMax, kMax - 1, std::int64_t{0}));
}

rc::Gen<std::int64_t> anyWeight()
{
    return rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 10), rc::gen::inRange<std::int64_t>(0, kMax),
                          rc::gen::element(std::int64_t{0}, kMax));
}

std::int64_t nanos(std::string_view text)
{
    return Money::parse(text, Currency::usd()).value().nanos();
}

} // namespace

class TestMoney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsAddUpToTheWhole();
    void eachPartIsWithinOneOfItsShare();
    void tiesGoToTheFirst();
    void refusesNoWeightsAndNegativeOnes();
    void printedAmountsAreReadBack();
    void readsDecimals_data();
    void readsDecimals();
    void refusesWhatIsNoAmount_data();
    void refusesWhatIsNoAmount();
    void sumsOverflowAsAnError();
    void currenciesDoNotMix();
    void rateTimesTimeIsRoundedOnce();
    void currencyCodesAreThreeCapitals();
};

void TestMoney::partsAddUpToTheWhole()
{
    QVERIFY(rc::check([] {
        const Money whole{*anyAmount(), Currency::usd()};
        const auto weights = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(anyWeight()));
        const auto parts = whole.allocate(weights);
        RC_ASSERT(parts.has_value());
        Wide sum = 0;
        for (const Money &part : *parts) {
            RC_ASSERT(part.currency() == Currency::usd());
            sum += part.nanos();
        }
        RC_ASSERT(sum == Wide{whole.nanos()});
    }));
}

void TestMoney::eachPartIsWithinOneOfItsShare()
{
    QVERIFY(rc::check([] {
        const std::int64_t whole = *anyAmount();
        const auto weights = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(anyWeight()));
        Wide total = 0;
        for (const std::int64_t w : weights)
            total += w;
        RC_PRE(total > 0);
        const auto parts = allocateInteger(whole, weights);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            // |part x total - whole x weight| < total, without a division
            const Wide difference = Wide{whole} * weights[i] / total - parts[i];
            RC_ASSERT(difference >= -1 && difference <= 1);
            RC_ASSERT(weights[i] != 0 || parts[i] == 0);
        }
    }));
}

void TestMoney::tiesGoToTheFirst()
{
    const std::vector<std::int64_t> equal{1, 1, 1};
    QCOMPARE(allocateInteger(5, equal), (std::vector<std::int64_t>{2, 2, 1}));
    QCOMPARE(allocateInteger(-5, equal), (std::vector<std::int64_t>{-2, -2, -1}));
    QCOMPARE(allocateInteger(0, equal), (std::vector<std::int64_t>{0, 0, 0}));
    QCOMPARE(allocateInteger(7, std::vector<std::int64_t>{0, 0}), (std::vector<std::int64_t>{7, 0}));
    QCOMPARE(allocateInteger(10, std::vector<std::int64_t>{1, 2, 4}), (std::vector<std::int64_t>{1, 3, 6}));
    QVERIFY(allocateInteger(7, {}).empty());
}

void TestMoney::refusesNoWeightsAndNegativeOnes()
{
    const Money one{1, Currency::usd()};
    QVERIFY(one.allocate({}).error().code == ErrorCode::InvalidArgument);
    QVERIFY(one.allocate(std::vector<std::int64_t>{1, -1}).error().code == ErrorCode::InvalidArgument);
}

void TestMoney::printedAmountsAreReadBack()
{
    QVERIFY(rc::check([] {
        const Money amount{*anyAmount(), Currency::usd()};
        const auto back = Money::parse(amount.toDecimal(), Currency::usd());
        RC_ASSERT(back.has_value());
        RC_ASSERT(*back == amount);
    }));
}

void TestMoney::readsDecimals_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("nanos");
    const auto row = [](const char *text, qint64 n) { QTest::newRow(text) << QByteArray(text) << n; };
    row("0", 0);
    row("-0.000", 0);
    row("12.34", 12'340'000'000);
    row("-12.34", -12'340'000'000);
    row("+1", 1'000'000'000);
    row(".5", 500'000'000);
    row("5.", 5'000'000'000);
    row("1e-3", 1'000'000);
    row("1E+3", 1'000'000'000'000);
    row("0.0000000004", 0);
    row("0.0000000005", 1);
    row("-0.0000000005", -1);
    row("0.00000000049999999", 0);
    row("0.00000000009", 0);
    row("1.0000000005", 1'000'000'001);
    row("0.9999999999", 1'000'000'000);
    row("9223372036.854775807", kMax);
    row("-9223372036.854775808", kMin);
    row("1e-9999", 0);
    row("0e9999", 0);
    row("000000000000000000000000000001.5", 1'500'000'000);
}

void TestMoney::readsDecimals()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, nanos);
    const auto amount = Money::parse(text.toStdString(), Currency::usd());
    QVERIFY2(amount.has_value(), amount ? "" : amount.error().text.c_str());
    QCOMPARE(qint64{amount->nanos()}, nanos);
}

void TestMoney::refusesWhatIsNoAmount_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("overflow");
    const auto row = [](const char *text, bool overflow) { QTest::newRow(text) << QByteArray(text) << overflow; };
    for (const char *text : {"", "-", ".", "e5", "1,5", "1.2.3", "12 ", " 12", "0x10", "NaN", "inf", "1e", "1e+-5",
                             "--1", "1e-9223372036854775808", "1e99999999999999999999", "\xEF\xBC\x91"})
        row(text, false);
    for (const char *text : {"9223372036.854775808", "-9223372036.854775809", "1e10", "1e9999", "99999999999999999999"})
        row(text, true);
}

void TestMoney::refusesWhatIsNoAmount()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, overflow);
    const auto amount = Money::parse(text.toStdString(), Currency::usd());
    QVERIFY(!amount.has_value());
    QVERIFY(amount.error().code == (overflow ? ErrorCode::Overflow : ErrorCode::Parse));
}

void TestMoney::sumsOverflowAsAnError()
{
    const Money most{kMax, Currency::usd()}, least{kMin, Currency::usd()}, one{1, Currency::usd()};
    QVERIFY(most.plus(one).error().code == ErrorCode::Overflow);
    QVERIFY(least.minus(one).error().code == ErrorCode::Overflow);
    QVERIFY(Money{}.minus(least).error().code == ErrorCode::Overflow);
    QCOMPARE(most.plus(least)->nanos(), std::int64_t{-1});
    QVERIFY(rc::check([] {
        const std::int64_t a = *anyAmount(), b = *anyAmount();
        const auto sum = Money{a, Currency::usd()}.plus(Money{b, Currency::usd()});
        const Wide exact = Wide{a} + b;
        RC_ASSERT(sum.has_value() == (exact >= kMin && exact <= kMax));
        RC_ASSERT(!sum || Wide{sum->nanos()} == exact);
    }));
}

void TestMoney::currenciesDoNotMix()
{
    const Currency eur = Currency::parse("EUR").value();
    const Money dollar{1, Currency::usd()}, euro{1, eur};
    QVERIFY(dollar.plus(euro).error().code == ErrorCode::InvalidArgument);
    QVERIFY(dollar.minus(euro).error().code == ErrorCode::InvalidArgument);
    QCOMPARE(Money{}.plus(euro).value(), euro);
    QCOMPARE(euro.plus(Money{}).value(), euro);
    QVERIFY(!(Money{0, eur}.plus(dollar)));
}

void TestMoney::rateTimesTimeIsRoundedOnce()
{
    static constexpr std::int64_t kHour = 3600 * GpuTime::kTicksPerSecond;
    const Rate rate{7, Currency::usd()};
    QCOMPARE(rate.times(GpuTime{kHour})->nanos(), std::int64_t{7});
    QCOMPARE((Rate{1, Currency::usd()}.times(GpuTime{kHour / 2})->nanos()), std::int64_t{1}); // half away from zero
    QCOMPARE((Rate{-1, Currency::usd()}.times(GpuTime{kHour / 2})->nanos()), std::int64_t{-1});
    QCOMPARE((Rate{1, Currency::usd()}.times(GpuTime{kHour / 2 - 1})->nanos()), std::int64_t{0});
    QVERIFY((Rate{kMax, Currency::usd()}.times(GpuTime{kMax}).error().code == ErrorCode::Overflow));
    QVERIFY((Rate{kMin, Currency::usd()}.times(GpuTime{kMax}).error().code == ErrorCode::Overflow));
    QCOMPARE((Rate{kMin, Currency::usd()}.times(GpuTime{kHour})->nanos()), kMin);
    QVERIFY(rc::check([] {
        const std::int64_t n = *anyAmount();
        const std::int64_t t = *rc::gen::inRange<std::int64_t>(0, 10 * kHour);
        const auto cost = Rate{n, Currency::usd()}.times(GpuTime{t});
        const Wide product = Wide{n} * t;
        if (!cost) {
            RC_ASSERT(product / kHour > Wide{kMax} - 1 || product / kHour < Wide{kMin} + 1);
            return;
        }
        const Wide twice = 2 * (Wide{cost->nanos()} * kHour - product);
        RC_ASSERT(twice <= kHour && twice >= -Wide{kHour});
    }));
}

void TestMoney::currencyCodesAreThreeCapitals()
{
    QCOMPARE(Currency::parse("EUR")->code(), std::string_view("EUR"));
    for (const char *bad : {"", "EU", "EURO", "eur", "E1R", "\xC3\x84UR"})
        QVERIFY(Currency::parse(bad).error().code == ErrorCode::Parse);
    QCOMPARE(Currency().code(), std::string_view());
    QCOMPARE(nanos("1"), Money::kNanosPerUnit);
}

GPULEDGER_PLAIN_SUITE(TestMoney)

} // namespace tst_money

#include "tst_money.moc"
