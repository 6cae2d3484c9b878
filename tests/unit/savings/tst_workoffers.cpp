// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/workoffers.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <limits>

namespace tst_workoffers {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kWorkUnit = base::Money::kNanosPerUnit;

PriceQuote quoted(const std::string &machine, std::int64_t nanos, PurchaseOption purchase = PurchaseOption::OnDemand,
                  base::Currency currency = base::Currency::usd())
{
    PriceQuote quote;
    quote.provider = "aws";
    quote.region = "us-east-1";
    quote.machine = machine;
    quote.gpuName = "T4";
    quote.microGpus = kMicroOfGpu;
    quote.purchase = purchase;
    quote.perHour = base::Money(nanos, currency);
    quote.source = "test";
    return quote;
}

PublishedSpot published(const std::string &machine, int percent)
{
    PublishedSpot one;
    one.cloud = "aws";
    one.machine = machine;
    one.region = "us-east-1";
    one.band = "<5%";
    one.monthlyShare = 0.025;
    one.savingPercent = percent;
    one.source = "test";
    return one;
}

WorkQuestion tenHours()
{
    WorkQuestion question;
    question.work.work = 10 * 3600;
    question.work.checkpointEvery = 1800;
    question.work.checkpointCost = 60;
    question.work.restart = 300;
    question.paths = 500;
    return question;
}

std::vector<std::string> namesOf(const WorkOffers &found)
{
    std::vector<std::string> names;
    for (const WorkOffer &one : found.offers)
        names.push_back(one.quote.machine + '/' + std::string(toString(one.quote.purchase)));
    return names;
}

} // namespace

class WorkOffersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onDemandIsPriceTimesTime()
    {
        const auto found = offersForWork({quoted("b", 2 * kWorkUnit), quoted("a", kWorkUnit)}, {}, tenHours()).value();
        QCOMPARE(namesOf(found), (std::vector<std::string>{"a/on-demand", "b/on-demand"}));
        for (const auto &cost : found.offers[1].cost)
            QCOMPARE(cost->nanos(), 20 * kWorkUnit);
        for (const auto &hours : found.offers[1].hours)
            QCOMPARE(*hours, 10.0);
        QVERIFY(found.offers[1].suitable() == true);
    }

    void aPublishedDiscountIsAnOffer()
    {
        const auto found =
            offersForWork({quoted("A", kWorkUnit), quoted("b", kWorkUnit)}, {published("a", 60)}, tenHours());
        QCOMPARE(namesOf(*found), (std::vector<std::string>{"A/spot", "A/on-demand", "b/on-demand"}));
        const WorkOffer &spot = found->offers.front();
        QVERIFY(spot.discounted && spot.published && spot.suitable() == true);
        QCOMPARE(spot.quote.perHour.nanos(), kWorkUnit * 40 / 100);
        SpotQuestion same;
        same.work = spot.work;
        same.perHour = hourlySpotRate(0.025);
        same.paths = 500;
        const auto alone = estimateSpot(same).value();
        for (std::size_t i = 0; i < alone.waiting.cost.size(); ++i) {
            QCOMPARE(spot.cost[i]->nanos(), alone.waiting.cost[i]->nanos());
            QCOMPARE(*spot.hours[i], *alone.waiting.hours[i]);
        }
    }

    void aListedSpotPriceGoesBeforeTheDiscount()
    {
        const auto found = offersForWork({quoted("a", kWorkUnit), quoted("a", kWorkUnit / 2, PurchaseOption::Spot)},
                                         {published("a", 60)}, tenHours());
        QCOMPARE(namesOf(*found), (std::vector<std::string>{"a/spot", "a/on-demand"}));
        QVERIFY(!found->offers.front().discounted);
        QCOMPARE(found->offers.front().quote.perHour.nanos(), kWorkUnit / 2);
    }

    void theDiscountIsOfTheLowestPriceOnce()
    {
        const auto found =
            offersForWork({quoted("a", 2 * kWorkUnit), quoted("a", kWorkUnit)}, {published("a", 50)}, tenHours());
        QCOMPARE(namesOf(*found), (std::vector<std::string>{"a/spot", "a/on-demand", "a/on-demand"}));
        QCOMPARE(found->offers.front().quote.perHour.nanos(), kWorkUnit / 2);
    }

    void withoutAPublishedDiscountThereIsNone()
    {
        QCOMPARE(offersForWork({quoted("a", kWorkUnit)}, {published("a", 0)}, tenHours())->offers.size(),
                 std::size_t{1});
        PublishedSpot elsewhere = published("a", 60);
        elsewhere.region = "us-west-2";
        QCOMPARE(offersForWork({quoted("a", kWorkUnit)}, {elsewhere}, tenHours())->offers.size(), std::size_t{1});
    }

    void whatIsNotKnownIsLastAndUnknown()
    {
        const auto found = offersForWork(
            {quoted("a", 1, PurchaseOption::Spot), quoted("b", kWorkUnit), quoted("c", 1, PurchaseOption::Spot)},
            {published("c", 60)}, tenHours());
        QCOMPARE(namesOf(*found), (std::vector<std::string>{"b/on-demand", "a/spot", "c/spot"}));
        QVERIFY(found->offers[1].fit == WorkFit::NoInterruptions);
        QVERIFY(found->offers[2].fit == WorkFit::NoOnDemandPrice);
        for (const std::size_t i : {1, 2}) {
            QVERIFY(!found->offers[i].suitable());
            QVERIFY(!found->offers[i].cost[1]);
        }
    }

    void termsOfTheirOwnAreCounted()
    {
        const auto found = offersForWork({quoted("a", 1, PurchaseOption::OneYear), quoted("b", kWorkUnit),
                                          quoted("c", 1, PurchaseOption::CapacityBlock)},
                                         {}, tenHours());
        QCOMPARE(namesOf(*found), std::vector<std::string>{"b/on-demand"});
        QCOMPARE(found->otherTerms, std::size_t{2});
    }

    void deadlines()
    {
        WorkQuestion question = tenHours();
        question.work.deadline = 9 * 3600;
        const auto found = offersForWork({quoted("a", kWorkUnit)}, {published("a", 60)}, question);
        QCOMPARE(found->offers.size(), std::size_t{2});
        for (const WorkOffer &one : found->offers)
            QVERIFY(one.suitable() == false);
        QVERIFY(!cheapestSuitable(*found, base::Currency::usd()));
    }

    void theCheapestSuitableIsOfTheCurrency()
    {
        const auto euro = base::Currency::parse("EUR").value();
        const auto found = offersForWork(
            {quoted("a", 2 * kWorkUnit), quoted("b", kWorkUnit, PurchaseOption::OnDemand, euro)}, {}, tenHours());
        QCOMPARE(cheapestSuitable(*found, base::Currency::usd())->quote.machine, std::string("a"));
        QCOMPARE(cheapestSuitable(*found, euro)->quote.machine, std::string("b"));
    }

    void aCostThatIsTooLargeSpoilsNoOther()
    {
        const std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 4;
        const auto found = offersForWork({quoted("a", huge), quoted("b", kWorkUnit)}, {published("a", 1)}, tenHours());
        QVERIFY(found.has_value());
        QCOMPARE(found->offers.size(), std::size_t{3});
        QCOMPARE(found->offers[0].quote.machine, std::string("b"));
        QVERIFY(found->offers[1].fit == WorkFit::TooLarge);
        QVERIFY(found->offers[2].fit == WorkFit::TooLarge);
    }

    void noWorkIsRefused() { QVERIFY(!offersForWork({quoted("a", kWorkUnit)}, {}, {}).has_value()); }
};

GPULEDGER_PLAIN_SUITE(WorkOffersTest)

} // namespace tst_workoffers

#include "tst_workoffers.moc"
