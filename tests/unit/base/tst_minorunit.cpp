// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/minorunit.h"
#include "tests/support/suite.h"

#include <QTest>

#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>

namespace tst_minorunit {

using namespace gpuledger::base;

namespace {

const Currency kUsd = Currency::usd();

std::vector<std::int64_t> unitsOf(const std::vector<std::int64_t> &nanos, Currency currency = kUsd)
{
    std::vector<Money> amounts;
    for (const std::int64_t one : nanos)
        amounts.emplace_back(one, currency);
    return inMinorUnits(amounts).value();
}

} // namespace

class TestMinorUnit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knowsDecimalsOfCurrencies()
    {
        QCOMPARE(minorDigits(kUsd), 2);
        QCOMPARE(minorDigits(Currency::parse("JPY").value()), 0);
        QCOMPARE(minorDigits(Currency::parse("KWD").value()), 3);
        QCOMPARE(minorText(123450, kUsd), std::string("1234.50"));
        QCOMPARE(minorText(-5, kUsd), std::string("-0.05"));
        QCOMPARE(minorText(0, kUsd), std::string("0.00"));
        QCOMPARE(minorText(7, Currency::parse("JPY").value()), std::string("7"));
        QCOMPARE(minorText(7, Currency::parse("KWD").value()), std::string("0.007"));
    }

    void roundsByTheLargestRemainder()
    {
        QCOMPARE(unitsOf({}), (std::vector<std::int64_t>{}));
        // 0.006 + 0.006 + 0.003 = 0.015, rounded to 0.02: the first two get a cent each.
        QCOMPARE(unitsOf({6'000'000, 6'000'000, 3'000'000}), (std::vector<std::int64_t>{1, 1, 0}));
        // Three thirds of a cent are one cent; it goes to the first.
        QCOMPARE(unitsOf({3'333'334, 3'333'333, 3'333'333}), (std::vector<std::int64_t>{1, 0, 0}));
        QCOMPARE(unitsOf({-5'000'000}), (std::vector<std::int64_t>{-1})); // half away from zero
        QCOMPARE(unitsOf({5'000'000}), (std::vector<std::int64_t>{1}));
        QCOMPARE(unitsOf({-2'500'000'000, 0, 1}), (std::vector<std::int64_t>{-250, 0, 0}));
        QCOMPARE(unitsOf({1'500'000'000}, Currency::parse("JPY").value()), (std::vector<std::int64_t>{2}));
    }

    void sumIsTheRoundedSumAndNoPartIsAUnitOff()
    {
        std::mt19937_64 random(7);
        for (int round = 0; round < 20'000; ++round) {
            std::vector<std::int64_t> nanos;
            for (auto n = 1 + random() % 12; n > 0; --n)
                nanos.push_back(static_cast<std::int64_t>(random() % 4'000'000'000) - 2'000'000'000);
            const auto units = unitsOf(nanos);
            const std::int64_t whole = std::accumulate(nanos.begin(), nanos.end(), std::int64_t{0});
            const std::int64_t sum = std::accumulate(units.begin(), units.end(), std::int64_t{0});
            QVERIFY(std::abs(sum * 10'000'000 - whole) <= 5'000'000);
            for (std::size_t i = 0; i < units.size(); ++i)
                QVERIFY(std::abs(units[i] * 10'000'000 - nanos[i]) < 10'000'000);
        }
    }

    void largestAmountsDoNotOverflow()
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
        QCOMPARE(unitsOf({kMost}), (std::vector<std::int64_t>{922'337'203'685}));
        QCOMPARE(unitsOf({kLeast}), (std::vector<std::int64_t>{-922'337'203'685}));
        QVERIFY(inMinorUnits(std::vector{Money(kMost, kUsd), Money(1, kUsd)}).error().code == ErrorCode::Overflow);
    }
};

GPULEDGER_PLAIN_SUITE(TestMinorUnit)

} // namespace tst_minorunit

#include "tst_minorunit.moc"
