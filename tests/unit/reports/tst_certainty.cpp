// SPDX-License-Identifier: GPL-3.0-or-later
// How certain the figures of a statement are, and why.
#include "tests/support/suite.h"
#include "tests/unit/reports/certaintysupport.h"

#include <QTest>

#include <map>

namespace tst_certainty {

using namespace gpuledger;
using namespace gpuledger::tests::certainty;

namespace {

// In the format of doubtDimensions().
LedgerRow doubtOf(LedgerRow row, const std::string &cluster, bool isShared, const std::string &priceDate = {})
{
    row.keys.insert(row.keys.end(), {cluster, isShared ? "equal" : "", priceDate});
    return row;
}

} // namespace

class TestCertainty : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Devices that several teams held at once, split equally: however much each of them used, the truth is in the
    // range.
    void equalSharesMayBeAnythingElse()
    {
        static const std::vector<std::string> kTeams{"vision", "speech", "search"};
        static const std::vector<std::string> kClusters{"east", "west"};
        Random random(2);
        for (int trial = 0; trial < 300; ++trial) {
            std::vector<LedgerRow> rows, doubts;
            std::map<std::string, std::int64_t> truth;
            for (int device = 0; device < 20; ++device) {
                const std::string &cluster = kClusters[static_cast<std::size_t>(pick(random, 0, 2))];
                const std::int64_t each = pick(random, kUnit, 9 * kUnit);
                std::vector<std::string> holders = kTeams;
                std::shuffle(holders.begin(), holders.end(), random);
                holders.resize(static_cast<std::size_t>(pick(random, 1, 4)));
                std::int64_t left = each * static_cast<std::int64_t>(holders.size());
                for (const std::string &team : holders) {
                    const bool isShared = holders.size() > 1;
                    rows.push_back(rowOf(team, "active", each, 1));
                    if (isShared)
                        doubts.push_back(doubtOf(rows.back(), cluster, true));
                    const std::int64_t used = team == holders.back() ? left : pick(random, 0, left + 1);
                    truth[team] += used;
                    left -= used;
                }
            }
            const Statement s = statementOf(std::move(rows), "2026-11-05T00:00:00Z", std::move(doubts));
            QVERIFY(s.knowsDoubts);
            for (const auto &[team, used] : truth) {
                const Range range = reports::rangeOfTotal(s, s.currencies.front(), find(s, team));
                QVERIFY(range.low.nanos() <= used && used <= range.high.nanos());
                QVERIFY(!range.isOpen);
                QVERIFY(range.low.nanos() >= 0);
            }
            QVERIFY(reports::rangeOfTotal(s, s.currencies.front(), nullptr).isSure());
        }
    }

    void sharesOfAnotherClusterAreNobodysDoubt()
    {
        const LedgerRow vision = rowOf("vision", "active", 4 * kUnit, 1), speech = rowOf("speech", "active", kUnit, 1);
        const Statement s = statementOf({vision, speech}, "2026-11-05T00:00:00Z",
                                        {doubtOf(vision, "east", true), doubtOf(speech, "west", true)});
        const Range range = reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        QCOMPARE(range.low.nanos(), 0);
        QCOMPARE(range.high.nanos(), 4 * kUnit);
        QVERIFY(has(range, Uncertainty::Kind::SharedEqually));
    }

    void oldListPricesAreTold()
    {
        const LedgerRow row = rowOf("vision", "active", 4 * kUnit, 1, "priced");
        const auto doubtAt = [&](const char *date) {
            const Statement s = statementOf({row}, "2026-11-05T00:00:00Z", {doubtOf(row, "east", false, date)});
            return reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        };
        QVERIFY(!has(doubtAt("2026-08-03"), Uncertainty::Kind::OldPrices)); // 90 days before November
        const Range old = doubtAt("2026-08-02");
        QVERIFY(has(old, Uncertainty::Kind::OldPrices) && old.isOpen);
        const auto doubt = std::find_if(old.doubts.begin(), old.doubts.end(), [](const Uncertainty &one) {
            return one.kind == Uncertainty::Kind::OldPrices;
        });
        QCOMPARE(doubt->amount.nanos(), 4 * kUnit);
        QCOMPARE(doubt->date, std::string("2026-08-02"));
        // Billed cost does not become outdated.
        const LedgerRow billed = rowOf("vision", "active", 4 * kUnit, 1);
        const Statement s =
            statementOf({billed}, "2026-11-05T00:00:00Z", {doubtOf(billed, "east", false, "2020-01-01")});
        QVERIFY(reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision")).isSure());
    }

    void allTeamsTogetherAreSure()
    {
        const Statement s =
            statementOf({rowOf("vision", "active", 5 * kUnit, 1), rowOf("unowned", "idle", 3 * kUnit, 1)});
        const auto &currency = s.currencies.front();
        QVERIFY(reports::rangeOfTotal(s, currency, nullptr).isSure());
        const Range nobody = reports::rangeOfTotal(s, currency, find(s, "unowned"));
        QCOMPARE(nobody.low.nanos(), 0);
        QCOMPARE(nobody.high.nanos(), 3 * kUnit);
        const Range vision = reports::rangeOfTotal(s, currency, find(s, "vision"));
        QCOMPARE(vision.low.nanos(), 5 * kUnit);
        QCOMPARE(vision.high.nanos(), 8 * kUnit);
        // The statement of one team has the same doubts.
        const Statement one = reports::ofTeam(s, "vision");
        QVERIFY(reports::rangeOfTotal(one, one.currencies.front(), find(one, "vision")).high == vision.high);
    }

    void sharedCostIsNobodysSecret()
    {
        const Statement s =
            statementOf({rowOf("shared", "unallocated", 5 * kUnit, 1), rowOf("unowned", "active", 3 * kUnit, 1)});
        QVERIFY(reports::rangeOfTotal(s, s.currencies.front(), find(s, "shared")).isSure());
        QVERIFY(reports::rangeOfIdle(s, s.currencies.front(), find(s, "shared")).isSure());
    }

    void creditsNobodyOwnsLowerIt()
    {
        const Statement s = statementOf(
            {rowOf("vision", "active", 5 * kUnit, 1), rowOf("unowned", "", -2 * kUnit, 0, "billed", "credit")});
        const Range vision = reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        QCOMPARE(vision.low.nanos(), 3 * kUnit);
        QCOMPARE(vision.high.nanos(), 5 * kUnit);
        const Range nobody = reports::rangeOfTotal(s, s.currencies.front(), find(s, "unowned"));
        QCOMPARE(nobody.low.nanos(), -2 * kUnit);
        QCOMPARE(nobody.high.nanos(), 0);
    }

    void sumsOutsideOfStatementsHaveARange()
    {
        const Money idle(5 * kUnit, kUsd);
        QVERIFY(reports::rangeOfSum(idle, {}).isSure());
        reports::SumUncertainty doubts;
        doubts.unobserved = Money(2 * kUnit, kUsd);
        const Range bounded = reports::rangeOfSum(idle, doubts);
        QVERIFY(!bounded.isOpen && bounded.low == idle);
        QCOMPARE(bounded.high.nanos(), 7 * kUnit);
        doubts.notFinal = Money(kUnit, kUsd);
        const Range open = reports::rangeOfSum(idle, doubts);
        QVERIFY(open.isOpen && has(open, Uncertainty::Kind::NotFinal));
    }

    void openDoubtsAreNamed()
    {
        LedgerRow unpriced = rowOf("vision", "active", 0, 4, "priced");
        unpriced.unpriced = unpriced.gpuTime;
        const Statement s =
            statementOf({rowOf("vision", "active", 5 * kUnit, 1, "priced"), unpriced}, "2026-10-20T00:00:00Z");
        const Range range = reports::rangeOfTotal(s, s.currencies.front(), find(s, "vision"));
        QVERIFY(range.isOpen);
        for (const auto kind : {Uncertainty::Kind::Estimated, Uncertainty::Kind::Unpriced, Uncertainty::Kind::Running})
            QVERIFY(has(range, kind));
        QVERIFY(!has(range, Uncertainty::Kind::Unowned));
    }
};

GPULEDGER_SUITE(TestCertainty)

} // namespace tst_certainty

#include "tst_certainty.moc"
