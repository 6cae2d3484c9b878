// SPDX-License-Identifier: GPL-3.0-or-later
// What spot proposals say of the chance of getting the machines, and which rating is a market's.
#include "app/services/savingsinputs/spot/spotratings.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"
#include "tests/unit/savings/spotpast.h"

#include <QtTest>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tst_spotplacement {

using namespace gpuledger;
using namespace gpuledger::savings;
using namespace gpuledger::tests;
using model::PlacementRating;

namespace {

const std::string kChance = "chance of getting spot machines, by the cloud (1 to 10)";
const std::string kChanceDate = "date of this chance";

base::UtcTime noon(const char *day)
{
    return base::parseTime(day).value() + base::Seconds{12 * 3600};
}

PlacementRating rating(std::map<std::string, int> zones = {{"use1-az1", 9}, {"use1-az4", 3}})
{
    return {"aws",
            "us-east-1",
            {{"p4d.24xlarge", "p4de.24xlarge", "p5.48xlarge"}, 4},
            std::move(zones),
            noon("2026-11-20")};
}

Proposal with(const std::optional<PlacementRating> &placement)
{
    return checked(changed([&](SpotPast &past) { past.markets.front().placement = placement; }));
}

// What is said of the types that were asked for, of which there are as many.
std::string saidOfTypes(std::size_t count)
{
    PlacementRating one = rating({{"z", 5}});
    one.asked = {{}, 1};
    for (std::size_t i = 1; i <= count; ++i)
        one.asked.machines.push_back("t" + std::to_string(i));
    return evidenceOf(with(one), kChance);
}

} // namespace

class TestSpotPlacement : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theEvidenceHasTheZonesAndTheQuestion()
    {
        const Proposal told = with(rating());
        QCOMPARE(evidenceOf(told, kChance),
                 std::string("use1-az1: 9, use1-az4: 3 (4 machines of p4d.24xlarge, p4de.24xlarge or p5.48xlarge)"));
        QCOMPARE(evidenceOf(told, kChanceDate), std::string("2026-11-20"));
        QVERIFY(!risks(told, RemarkText::SpotRiskPlacement));
    }

    void theBestZoneComesFirst()
    {
        const std::string said = evidenceOf(with(rating({{"a", 2}, {"b", 10}, {"c", 2}})), kChance);
        QVERIFY2(said.starts_with("b: 10, a: 2, c: 2 ("), said.c_str());
    }

    void manyNamesAreCutShort()
    {
        QCOMPARE(saidOfTypes(1), std::string("z: 5 (one machine of t1)"));
        QCOMPARE(saidOfTypes(2), std::string("z: 5 (one machine of t1 or t2)"));
        QCOMPARE(saidOfTypes(3), std::string("z: 5 (one machine of t1, t2 or t3)"));
        QCOMPARE(saidOfTypes(4), std::string("z: 5 (one machine of t1, t2, t3 and one other)"));
        QCOMPARE(saidOfTypes(12), std::string("z: 5 (one machine of t1, t2, t3 and 9 others)"));
        std::map<std::string, int> zones;
        for (int i = 10; i < 30; ++i)
            zones["z" + std::to_string(i)] = 5;
        const std::string said = evidenceOf(with(rating(zones)), kChance);
        QVERIFY2(said.starts_with("z10: 5, ") && said.find("z17: 5 and 12 others (") != std::string::npos,
                 said.c_str());
    }

    void namesFromOutsideAreShownSafely()
    {
        PlacementRating odd = rating({{"z\n\x1b[31m", 9}});
        odd.asked.machines = {std::string(5000, 'x')};
        const std::string said = evidenceOf(with(odd), kChance);
        QVERIFY(said.size() < 400 && said.find('\n') == std::string::npos && said.find('\x1b') == std::string::npos);
    }

    void nothingIsSaidWithoutARating()
    {
        for (const auto &none : {std::optional<PlacementRating>(), std::optional(rating({}))}) {
            const Proposal silent = with(none);
            QVERIFY(!evidence(silent, RemarkText::SpotPlacement) && !evidence(silent, RemarkText::SpotPlacementDate));
            QVERIFY(!risks(silent, RemarkText::SpotRiskPlacement));
        }
    }

    void aLowChanceIsARisk()
    {
        QVERIFY(risks(with(rating({{"a", 3}, {"b", 1}})), RemarkText::SpotRiskPlacement));
        QVERIFY(!risks(with(rating({{"a", 4}, {"b", 1}})), RemarkText::SpotRiskPlacement));
        PlacementRating few = rating({{"a", 3}});
        few.asked.machines.pop_back();
        QVERIFY(risks(with(few), RemarkText::SpotRiskPlacementFew));
        QVERIFY(!risks(with(few), RemarkText::SpotRiskPlacement));
    }

    // It enters no figure.
    void theAmountsAreTheSame()
    {
        const Proposal without = with(std::nullopt);
        for (const int best : {1, 10}) {
            const Proposal told = with(rating({{"a", best}}));
            QVERIFY(without.perMonth && told.perMonth && without.avoidable && told.avoidable);
            QVERIFY(told.perMonth->p10 == without.perMonth->p10 && told.perMonth->p50 == without.perMonth->p50
                    && told.perMonth->p90 == without.perMonth->p90);
            QVERIFY(*told.avoidable == *without.avoidable);
            QCOMPARE(told.excludedBy.has_value(), without.excludedBy.has_value());
            QCOMPARE(told.evidence.size(), without.evidence.size() + 2);
            QCOMPARE(told.how, without.how);
        }
    }

    void theNewestOfItsPlaceAndTypeCounts()
    {
        const base::UtcTime at = noon("2026-11-21");
        const SpotMarket market{"AWS", "US-East-1", "P4d.24xlarge", std::nullopt, {}};
        PlacementRating older = rating({{"a", 1}}), newer = rating({{"a", 2}}), elsewhere = newer, other = newer,
                        cloud = newer;
        older.at -= base::Seconds{60};
        elsewhere.region = "us-west-2";
        other.asked.machines = {"p5.48xlarge"};
        cloud.cloud = "gcp";
        for (PlacementRating *one : {&elsewhere, &other, &cloud})
            one->at += base::Seconds{60};
        QVERIFY(services::ratingOf({older, newer, elsewhere, other, cloud}, market, at) == newer);
        QVERIFY(services::ratingOf({newer, older}, market, at) == newer);
        QVERIFY(!services::ratingOf({elsewhere, other, cloud}, market, at));
        QVERIFY(!services::ratingOf({}, market, at));
    }

    void whatIsOlderThanAWeekDoesNotCount()
    {
        const SpotMarket market{"aws", "us-east-1", "p4d.24xlarge", std::nullopt, {}};
        const PlacementRating one = rating();
        QVERIFY(services::ratingOf({one}, market, one.at + services::kRatingGood));
        QVERIFY(!services::ratingOf({one}, market, one.at + services::kRatingGood + base::Seconds{1}));
        QVERIFY(services::ratingOf({one}, market, one.at - base::kDay)); // the data end before it was asked for
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotPlacement)

} // namespace tst_spotplacement

#include "tst_spotplacement.moc"
