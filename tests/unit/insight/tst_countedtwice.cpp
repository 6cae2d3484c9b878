// SPDX-License-Identifier: GPL-3.0-or-later
// Accounts that several sources of bills report: only on the days that they share, and with the money of these days.
#include "app/insight/spend/countedtwice.h"
#include "tests/support/suite.h"

#include <QTest>

#include <limits>

namespace tst_countedtwice {

using namespace gpuledger;
using namespace gpuledger::insight;
using model::LedgerAmounts;
using model::LedgerKey;

namespace {

LedgerKey keyOf(const std::string &source, const std::string &account = "a")
{
    LedgerKey key;
    key.currency = base::Currency::usd();
    key.source = source;
    key.account = account;
    return key;
}

LedgerAmounts costing(std::int64_t billed, std::int64_t effective)
{
    LedgerAmounts amounts;
    amounts.billed = billed;
    amounts.effective = effective;
    return amounts;
}

base::Day day(const char *text)
{
    return base::dayOf(base::parseTime(text).value());
}

} // namespace

class TestCountedTwice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsOnlyOfDaysThatBothHave()
    {
        DoubleCounts counts;
        QVERIFY(counts.add(day("2026-10-30"), keyOf("one"), costing(1, 1)));
        QVERIFY(counts.add(day("2026-10-31"), keyOf("one"), costing(2, 3)));
        QVERIFY(counts.add(day("2026-10-31"), keyOf("one"), costing(10, 20))); // another line of that day
        QVERIFY(counts.add(day("2026-11-01"), keyOf("one"), costing(4, 5)));
        QVERIFY(counts.add(day("2026-10-31"), keyOf("two"), costing(6, 7)));
        QVERIFY(counts.add(day("2026-11-01"), keyOf("two"), costing(8, 9)));
        QVERIFY(counts.add(day("2026-11-02"), keyOf("two"), costing(100, 100)));
        const auto found = counts.take();
        QVERIFY(found && found->size() == 2);
        const CountedTwice &november = found->at(0), &october = found->at(1);
        QCOMPARE(toString(november.month), std::string("2026-11"));
        QCOMPARE(toString(october.month), std::string("2026-10"));
        QVERIFY(november.days == 1 && october.days == 1);
        QVERIFY(october.last == day("2026-10-31") && november.last == day("2026-11-01"));
        QCOMPARE(october.parts.size(), std::size_t{2});
        QCOMPARE(october.parts[0].source, std::string("one"));
        QVERIFY(october.parts[0].billed.nanos() == 12 && october.parts[0].effective.nanos() == 23);
        QVERIFY(october.parts[1].billed.nanos() == 6 && november.parts[0].billed.nanos() == 4);
    }

    void accountsAndCurrenciesAreKeptApart()
    {
        DoubleCounts counts;
        LedgerKey euro = keyOf("two");
        euro.currency = base::Currency::parse("EUR").value();
        LedgerKey priced = keyOf("two");
        priced.origin = model::LedgerOrigin::Priced;
        QVERIFY(counts.add(day("2026-10-31"), keyOf("one"), costing(1, 1)));
        QVERIFY(counts.add(day("2026-10-31"), keyOf("two", "b"), costing(1, 1)));
        QVERIFY(counts.add(day("2026-10-31"), euro, costing(1, 1)));
        QVERIFY(counts.add(day("2026-10-31"), priced, costing(1, 1)));
        QVERIFY(counts.add(day("2026-10-30"), keyOf("two"), costing(1, 1))); // another day
        QVERIFY(counts.add(day("2026-10-31"), keyOf("two"), costing(0, 0))); // no money
        const auto found = counts.take();
        QVERIFY(found && found->empty());
    }

    void piecesOfAnAccountAreNotTheSame()
    {
        const std::string account = "/subscriptions/1";
        QVERIFY(
            arePieces(account, {{"one", {account + "/resourcegroups/a"}}, {"two", {account + "/resourcegroups/b"}}}));
        QVERIFY(!arePieces(account, {{"one", {account + "/resourcegroups/a"}}, {"two", {account}}}));
        QVERIFY(
            !arePieces(account, {{"one", {account + "/resourcegroups/a"}}, {"two", {account + "2/resourcegroups/a"}}}));
        QVERIFY(!arePieces(account, {{"one", {account + "/a"}}, {"two", {account + "/a"}}}));
        QVERIFY(!arePieces(account, {{"one", {account + "/a"}}, {"two", {"payer"}}}));
    }

    void sumsThatDoNotFitAreAnError()
    {
        DoubleCounts counts;
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        QVERIFY(counts.add(day("2026-10-30"), keyOf("one"), costing(kMost, 0)));
        QVERIFY(counts.add(day("2026-10-31"), keyOf("one"), costing(kMost, 0)));
        QVERIFY(counts.add(day("2026-10-30"), keyOf("two"), costing(1, 0)));
        QVERIFY(counts.add(day("2026-10-31"), keyOf("two"), costing(1, 0)));
        const auto found = counts.take();
        QVERIFY(!found && found.error().code == base::ErrorCode::Overflow);
    }
};

GPULEDGER_PLAIN_SUITE(TestCountedTwice)

} // namespace tst_countedtwice

#include "tst_countedtwice.moc"
