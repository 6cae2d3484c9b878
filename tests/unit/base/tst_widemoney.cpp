// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/money.h"
#include "app/base/money/widemoney.h"
#include "tests/support/suite.h"

#include <QTest>

#include <limits>

namespace tst_widemoney {

using gpuledger::base::WideMoney;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

WideMoney sumOf(std::initializer_list<std::int64_t> amounts)
{
    WideMoney sum;
    for (const std::int64_t one : amounts)
        sum.add(one);
    return sum;
}

} // namespace

class TestWideMoney : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatFitsIsTheSum()
    {
        QVERIFY(WideMoney().fits());
        QCOMPARE(WideMoney().total(), std::optional<std::int64_t>(0));
        QCOMPARE(sumOf({5, -7, 1}).total(), std::optional<std::int64_t>(-1));
        QVERIFY(!sumOf({kMost}).excess() && !sumOf({-kMost}).excess());
        QCOMPARE(sumOf({kMost, -kMost}).total(), std::optional<std::int64_t>(0));
    }

    // Charges beyond the range, offset by credits: adding up the charges first overflows.
    void oneBeyondTheRangeIsSaid()
    {
        const WideMoney charges = sumOf({kMost, 1, -5});
        QVERIFY(!charges.fits());
        QCOMPARE(std::string(charges.excess()->what), std::string("charges"));
        QCOMPARE(charges.excess()->amount, std::string("9223372036.854775808"));
        QCOMPARE(charges.total(), std::optional<std::int64_t>(kMost - 4));
        const WideMoney credits = sumOf({kLeast});
        QCOMPARE(std::string(credits.excess()->what), std::string("credits"));
        QCOMPARE(credits.excess()->amount, std::string("-9223372036.854775808"));
        QVERIFY(!credits.total());
        QCOMPARE(WideMoney::limitText(), gpuledger::base::Money(kMost, {}).toDecimal());
    }

    // Far beyond the range of 64 bits, every digit is right.
    void sumsOfManyAreExact()
    {
        WideMoney sum;
        for (int i = 0; i < 1'000'000; ++i)
            sum.add(kMost);
        QCOMPARE(sum.excess()->amount, std::string("9223372036854775.807000000"));
        QVERIFY(!sum.total());
    }
};

GPULEDGER_SUITE(TestWideMoney)

} // namespace tst_widemoney

#include "tst_widemoney.moc"
