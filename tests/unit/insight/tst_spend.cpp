// SPDX-License-Identifier: GPL-3.0-or-later
// What the ledger reports about a range: nothing is lost or counted twice, and a unit price is compared with the price
// of exactly the same hours.
#include "app/insight/spend/spend.h"
#include "tests/support/suite.h"

#include <QTest>

#include <limits>
#include <random>

namespace tst_spend {

using namespace gpuledger;
using base::GpuTime;
using base::Money;
using insight::LedgerAnswer;
using insight::LedgerRow;
using insight::Spend;

namespace {

const base::Currency kUsd = base::Currency::usd();
constexpr std::int64_t kUnit = 1'000'000'000, kHour = 3600 * GpuTime::kTicksPerSecond;

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

const base::TimeRange kDays{at("2026-11-01T00:00:00Z"), at("2026-11-05T00:00:00Z")};
const base::UtcTime kNow = at("2026-11-05T06:00:00Z");

struct RowText { // defaults, unless a test says otherwise
    std::string day = "2026-11-01", state = "active", category = "gpu", service = "", model = "H100 SXM",
                origin = "billed", team = "vision";
};

LedgerRow row(const RowText &text, std::int64_t units, std::int64_t hours = 0)
{
    LedgerRow out;
    out.keys = {text.day, text.state, text.category, text.service, text.model, text.origin, text.team};
    out.currency = kUsd;
    const bool priced = text.origin == "priced";
    out.effective = Money(priced ? 0 : units * kUnit, kUsd);
    out.priced = Money(priced ? units * kUnit : 0, kUsd);
    out.gpuTime = {hours * kHour};
    out.hasGpuTime = hours > 0;
    return out;
}

Spend spendOf(std::vector<LedgerRow> rows)
{
    LedgerAnswer answer;
    answer.range = kDays;
    answer.rows = std::move(rows);
    return insight::spendOf(answer, kUsd, kNow).value();
}

} // namespace

class TestSpend : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyAmountIsInItsPlace()
    {
        const Spend s =
            spendOf({row({}, 10, 2), row({"2026-11-02", "idle"}, 3, 1), row({"2026-11-02", "", "storage", "S3", ""}, 7),
                     row({"2026-11-02", "", "tax", "", ""}, 2),
                     row({"2026-11-04", "active", "gpu", "", "A100", "priced", "speech"}, 5, 1)});
        QCOMPARE(s.days.size(), std::size_t{4});
        QCOMPARE(s.days[0].parts[insight::SpendActive], 10 * kUnit);
        QCOMPARE(s.days[1].parts[insight::SpendIdle], 3 * kUnit);
        QCOMPARE(s.days[1].parts[insight::SpendOther], 9 * kUnit);
        QCOMPARE(s.days[3].parts[insight::SpendActive], 5 * kUnit);
        QCOMPARE(s.billed.nanos(), 22 * kUnit);
        QCOMPARE(s.estimated.nanos(), 5 * kUnit);
        QCOMPARE(s.teams.at("vision").nanos(), 22 * kUnit);
        QCOMPARE(s.teams.at("speech").nanos(), 5 * kUnit);
        QCOMPARE(s.hidden.size(), std::size_t{2});
        QCOMPARE(s.hidden[0].service, std::string("S3"));
        QCOMPARE(s.hidden[1].category, std::string("tax"));
    }

    // The bill of the last two days may still arrive.
    void youngDaysAreNotFinal()
    {
        const Spend s = spendOf({});
        const std::array final{s.days[0].isFinal, s.days[1].isFinal, s.days[2].isFinal, s.days[3].isFinal};
        QVERIFY((final == std::array{true, true, false, false}));
    }

    void unitPricesAreOfTheSameHours()
    {
        LedgerRow dear = row({}, 24, 2), unseen = row({"2026-11-01", "unobserved"}, 1000, 2);
        dear.replaced = Money(20 * kUnit, kUsd);
        LedgerRow fair = row({"2026-11-01", "active", "gpu", "", "A100"}, 21, 5);
        fair.replaced = Money(20 * kUnit, kUsd);
        const Spend s = spendOf({dear, unseen, fair}); // rows without a price in the price book are not compared
        QCOMPARE(s.prices.size(), std::size_t{2});
        QCOMPARE(s.prices[0].gpuModel, std::string("A100")); // most hours
        QVERIFY(!s.prices[0].isFarOff);
        QCOMPARE(s.prices[1].billed.nanos(), 12 * kUnit);
        QCOMPARE(s.prices[1].listed.nanos(), 10 * kUnit);
        QVERIFY(s.prices[1].isFarOff);
        QCOMPARE(s.prices[1].difference, 0.2);
    }

    void otherCurrenciesAreLeftOutAndSaid()
    {
        LedgerRow euros = row({}, 9, 1);
        euros.currency = base::Currency::parse("EUR").value();
        euros.effective = Money(9 * kUnit, euros.currency);
        const Spend s = spendOf({euros, row({}, 1, 1)});
        QVERIFY(s.hasOthers);
        QCOMPARE(s.total().nanos(), kUnit);
    }

    void sumsThatDoNotFitAreRefused()
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        const auto of = [](std::int64_t billed, std::int64_t priced) {
            LedgerRow bill = row({}, 0, 1), estimate = row({"2026-11-01", "active", "gpu", "", "A100", "priced"}, 0, 1);
            bill.effective = Money(billed, kUsd);
            estimate.priced = Money(priced, kUsd);
            LedgerAnswer answer;
            answer.range = kDays;
            answer.rows = {bill, estimate};
            return insight::spendOf(answer, kUsd, kNow);
        };
        const auto both = of(kMost, 1);
        QVERIFY(!both && both.error().code == base::ErrorCode::Overflow);
        const auto before = of(kMost - 1, 1), after = of(-2, 0);
        QVERIFY(before && after);
        QCOMPARE(before->total().nanos(), kMost);
        const auto change = insight::changeOf(*before, *after);
        QVERIFY(!change && change.error().code == base::ErrorCode::Overflow);
        QVERIFY(insight::changeOf(*before, *before).has_value());
    }

    void partsOfAnyChangeAddUp()
    {
        std::mt19937_64 random(5);
        const auto any = [&](std::int64_t limit) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
        };
        const auto period = [&] {
            std::vector<LedgerRow> rows;
            for (std::int64_t n = any(30); n >= 0; --n) {
                RowText text;
                text.day = "2026-11-0" + std::to_string(1 + any(4));
                text.state = any(2) == 0 ? "active" : "idle";
                text.category = any(4) == 0 ? "storage" : "gpu";
                text.model = any(2) == 0 ? "H100 SXM" : "A100";
                text.origin = any(5) == 0 ? "priced" : "billed";
                rows.push_back(row(text, any(1000) - 50, text.category == "gpu" ? any(40) : 0));
            }
            return spendOf(std::move(rows));
        };
        for (int i = 0; i < 500; ++i) {
            const Spend before = period(), after = period();
            const auto change = insight::changeOf(before, after).value();
            QCOMPARE(change.gpu.price + change.gpu.hours + change.gpu.mix + change.gpu.efficiency + change.other,
                     after.total().nanos() - before.total().nanos());
            std::int64_t days = 0, teams = 0;
            for (const auto &day : after.days) {
                for (const std::int64_t part : day.parts)
                    days += part;
            }
            for (const auto &[team, amount] : after.teams)
                teams += amount.nanos();
            QCOMPARE(days, after.total().nanos());
            QCOMPARE(teams, after.total().nanos());
        }
    }

    // A month in another time zone covers the same UTC days; two adjacent periods share no day.
    void nearestDays_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("end");
        QTest::newRow("Berlin, October") << QByteArray("2026-09-30T22:00:00Z") << QByteArray("2026-10-31T23:00:00Z")
                                         << QByteArray("2026-10-01") << QByteArray("2026-11-01");
        QTest::newRow("Tokyo, a day") << QByteArray("2026-10-04T15:00:00Z") << QByteArray("2026-10-05T15:00:00Z")
                                      << QByteArray("2026-10-05") << QByteArray("2026-10-06");
        QTest::newRow("Los Angeles, a day") << QByteArray("2026-10-05T07:00:00Z") << QByteArray("2026-10-06T07:00:00Z")
                                            << QByteArray("2026-10-05") << QByteArray("2026-10-06");
        QTest::newRow("one hour") << QByteArray("2026-10-05T09:00:00Z") << QByteArray("2026-10-05T10:00:00Z")
                                  << QByteArray("2026-10-05") << QByteArray("2026-10-06");
    }
    void nearestDays()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, end);
        const auto days = insight::nearestDays({at(from.constData()), at(to.constData())});
        QVERIFY(days.start == at(first.constData()) && days.end == at(end.constData()));
    }
};

GPULEDGER_PLAIN_SUITE(TestSpend)

} // namespace tst_spend

#include "tst_spend.moc"
