// SPDX-License-Identifier: GPL-3.0-or-later
// What answers of EC2 and of the price list service become. The way to `compare`:
// tests/integration/run_sourceprices.py.
#include "connectors/aws/prices/ondemandprices.h"
#include "connectors/aws/prices/spothistory.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <tuple>

namespace tst_awsprices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::LeftOut;

namespace {

const aws::KnownMachines kMachines{{"p5.48xlarge", {"H100 SXM", 8'000'000}}, {"g6f.large", {"L4", 125'000}}};
const base::UtcTime kNow = *base::parseTime("2026-11-20T10:00:00Z");

std::string row(const std::string &price, const std::string &time, const std::string &zone = "use1-az1",
                const std::string &type = "p5.48xlarge", const std::string &system = "Linux/UNIX")
{
    return "<item><instanceType>" + type + "</instanceType><productDescription>" + system
        + "</productDescription><spotPrice>" + price + "</spotPrice><timestamp>" + time
        + "</timestamp><availabilityZone>us-east-1a</availabilityZone>"
        + (zone.empty() ? "" : "<availabilityZoneId>" + zone + "</availabilityZoneId>") + "</item>";
}

std::string page(const std::string &rows, const std::string &token = "")
{
    return "<DescribeSpotPriceHistoryResponse><spotPriceHistorySet>" + rows + "</spotPriceHistorySet><nextToken>"
        + token + "</nextToken></DescribeSpotPriceHistoryResponse>";
}

ports::PricesTold told(const std::string &rows)
{
    aws::SpotHistory history(kMachines, base::Currency::usd());
    QTest::qVerify(history.add(page(rows)).has_value(), "read", "", __FILE__, __LINE__);
    return history.take("us-east-1", kNow);
}

using Rate = std::tuple<std::string, std::string, std::string>; // price, unit, begin
std::string product(const std::vector<Rate> &rates, const std::string &type = "p5.48xlarge",
                    const std::string &region = "us-east-1", const std::string &currency = "USD")
{
    nlohmann::json dimensions = nlohmann::json::object();
    for (const auto &[price, unit, begin] : rates)
        dimensions["r" + std::to_string(dimensions.size())] = {
            {"unit", unit}, {"beginRange", begin}, {"endRange", "Inf"}, {"pricePerUnit", {{currency, price}}}};
    return nlohmann::json{{"product", {{"attributes", {{"instanceType", type}, {"regionCode", region}}}}},
                          {"terms", {{"OnDemand", {{"t", {{"priceDimensions", dimensions}}}}}}}}
        .dump();
}

std::string products(const std::vector<std::string> &texts, const std::string &token = "")
{
    return nlohmann::json{{"PriceList", texts}, {"NextToken", token}}.dump();
}

base::Result<model::QuoteList> onDemand(const std::vector<std::string> &texts, const std::string &region = "us-east-1")
{
    aws::OnDemandPrice price("p5.48xlarge", region, kMachines.at("p5.48xlarge"));
    const auto next = price.add(products(texts));
    GPULEDGER_TRY(next);
    model::QuoteList list;
    price.addTo(list);
    return list;
}

} // namespace

class TestAwsPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksForTypesInChunks()
    {
        aws::KnownMachines machines;
        for (std::size_t i = 0; i < 2 * aws::kMostSpotTypes + 1; ++i)
            machines["t" + std::to_string(1000 + i)] = {};
        const auto chunks = aws::chunksOf(machines);
        QCOMPARE(chunks.size(), std::size_t{3});
        QCOMPARE(chunks[2], std::vector<std::string>{"t1100"});
        QVERIFY(aws::chunksOf({}).empty());
        const std::string body = aws::spotHistoryCall({"a", "b"}, kNow, "x").body;
        for (const char *part :
             {"Action=DescribeSpotPriceHistory", "Version=2016-11-15", "StartTime=2026-11-20T10%3A00%3A00Z",
              "Filter.1.Name=instance-type", "Filter.1.Value.1=a", "Filter.1.Value.2=b", "NextToken=x"})
            QVERIFY2(body.find(part) != std::string::npos, (std::string(part) + " in " + body).c_str());
    }

    void theLastStepIsThePrice()
    {
        const auto out =
            told(row("22.5", "2026-11-20T09:00:00.000Z") + row("20", "2026-10-01T00:00:00Z")
                 + row("21.123456", "2026-11-19T09:00:00Z") + row("0.05", "2026-11-19T09:00:00Z", "", "g6f.large")
                 + row("1", "2026-11-19T09:00:00Z", "use1-az1", "m5.large")
                 + row("2", "2026-11-20T09:30:00Z", "use1-az1", "p5.48xlarge", "Windows"));
        QCOMPARE(out.now.quotes.size(), std::size_t{2});
        const model::PriceQuote &part = out.now.quotes[0], &whole = out.now.quotes[1];
        QCOMPARE(part.zone, std::string("us-east-1a"));
        QCOMPARE(part.microGpus, std::int64_t{125'000});
        QCOMPARE(whole.zone, std::string("use1-az1"));
        QCOMPARE(whole.region, std::string("us-east-1"));
        QVERIFY(whole.purchase == model::PurchaseOption::Spot);
        QCOMPARE(whole.perHour, base::Money(22'500'000'000, base::Currency::usd()));
        QCOMPARE(out.begins.size(), std::size_t{4});
        QVERIFY(out.begins[1].from == *base::parseTime("2026-10-01"));
        QCOMPARE(out.begins[2].quote.perHour.nanos(), std::int64_t{21'123'456'000});
        QVERIFY(out.now.leftOut.empty());
    }

    void aPriceThatCanNotBeReadIsNoOtherPrice()
    {
        const auto out = told(row("20", "2026-11-01T00:00:00Z") + row("NaN", "2026-11-19T09:00:00Z")
                              + row("0", "2026-11-01T00:00:00Z", "use1-az2")
                              + row("19", "2026-11-02T00:00:00Z", "use1-az2") + row("5", "yesterday", "use1-az3"));
        QCOMPARE(out.now.quotes.size(), std::size_t{1});
        QCOMPARE(out.now.quotes[0].zone, std::string("use1-az2"));
        QCOMPARE(out.begins.size(), std::size_t{1});
        QCOMPARE(out.now.leftOut.at(LeftOut::Unreadable), std::size_t{3});
    }

    void aStepOfTheFutureIsOne()
    {
        const auto out = told(row("20", "2026-11-01T00:00:00Z") + row("21", "2026-11-20T10:00:09Z"));
        QCOMPARE(out.now.quotes[0].perHour.nanos(), std::int64_t{21'000'000'000});
        QVERIFY(out.begins[1].from == kNow);
    }

    void ofTwoProductsForLinuxThatOfTheNetworkCounts()
    {
        const auto out =
            told(row("20", "2026-11-19T00:00:00Z")
                 + row("21", "2026-11-01T00:00:00Z", "use1-az1", "p5.48xlarge", "Linux/UNIX (Amazon VPC)"));
        QCOMPARE(out.now.quotes.size(), std::size_t{1});
        QCOMPARE(out.now.quotes[0].perHour.nanos(), std::int64_t{21'000'000'000});
        QCOMPARE(out.begins.size(), std::size_t{1});
    }

    void pagesHaveTokens()
    {
        aws::SpotHistory history(kMachines, base::Currency::usd());
        QCOMPARE(history.add(page("", "more")).value(), std::string("more"));
        QCOMPARE(history.add(page(row("1", "2026-11-01"))).value(), std::string());
        for (const char *odd : {"", "<a/>", "<a>", "<DescribeSpotPriceHistoryResponse/>"})
            QVERIFY2(history.add(odd).error().code == ErrorCode::Parse, odd);
    }

    void theOnePriceOnDemand()
    {
        const auto list = onDemand({product({{"55.0400000000", "Hrs", "0"}})});
        QVERIFY(list.has_value());
        QCOMPARE(list->quotes.size(), std::size_t{1});
        QCOMPARE(list->quotes[0].perHour, base::Money(55'040'000'000, base::Currency::usd()));
        QCOMPARE(list->quotes[0].region, std::string("us-east-1"));
        QCOMPARE(list->quotes[0].gpuName, std::string("H100 SXM"));
        QVERIFY(list->quotes[0].zone.empty());
        // Twice the same is one price; a type that the region does not have is none.
        QCOMPARE(onDemand({product({{"5", "Hrs", "0"}}), product({{"5.0", "Hrs", "0"}})})->quotes.size(),
                 std::size_t{1});
        const auto none = onDemand({});
        QVERIFY(none->quotes.empty() && none->leftOut.empty());
        const auto yuan = onDemand({product({{"100", "Hrs", "0"}}, "p5.48xlarge", "cn-north-1", "CNY")}, "cn-north-1");
        QCOMPARE(std::string(yuan->quotes.at(0).perHour.currency().code()), std::string("CNY"));
    }

    void severalPricesAreNone()
    {
        const std::vector<std::vector<std::string>> odd{
            {product({{"5", "Hrs", "0"}}), product({{"6", "Hrs", "0"}})},
            {product({{"5", "Hrs", "0"}, {"4", "Hrs", "100"}})},
            {product({{"5", "Quantity", "0"}})},
            {product({{"5", "Hrs", "10"}})},
            {product({{"-5", "Hrs", "0"}})},
            {product({{"NaN", "Hrs", "0"}})},
            {product({})},
            {product({{"5", "Hrs", "0"}}, "p5.48xlarge", "us-east-1", "EUR")}};
        for (const auto &texts : odd) {
            const auto list = onDemand(texts);
            QVERIFY2(list.has_value() && list->quotes.empty(), texts[0].c_str());
            QCOMPARE(list->leftOut.at(LeftOut::Unreadable), std::size_t{1});
        }
    }

    void refusesWhatIsNoPriceList()
    {
        for (const auto &texts :
             std::vector<std::vector<std::string>>{{"{"},
                                                   {"7"},
                                                   {product({{"5", "Hrs", "0"}}, "p4d.24xlarge")},
                                                   {product({{"5", "Hrs", "0"}}, "p5.48xlarge", "eu-west-1")}})
            QVERIFY2(!onDemand(texts), texts[0].c_str());
        aws::OnDemandPrice price("p5.48xlarge", "us-east-1", {});
        for (const char *odd : {"", "[]", "{}", "{'PriceList':7}", "{'PriceList':[7]}", "{'PriceList':[{}]}"})
            QVERIFY2(price.add(js(odd)).error().code == ErrorCode::Parse, odd);
        QCOMPARE(price.add(products({}, "more")).value(), std::string("more"));
    }

    void asksThePriceListThatIsNear()
    {
        for (const auto &[region, list] :
             {std::pair("us-east-1", "us-east-1"), std::pair("sa-east-1", "us-east-1"),
              std::pair("ca-central-1", "us-east-1"), std::pair("eu-west-3", "eu-central-1"),
              std::pair("me-south-1", "eu-central-1"), std::pair("ap-northeast-2", "ap-south-1"),
              std::pair("cn-north-1", "cn-northwest-1"), std::pair("us-gov-west-1", "")})
            QCOMPARE(aws::priceListRegion(region), std::string(list));
        const aws::Call call = aws::productsCall("p5.48xlarge", "eu-west-1", "x");
        const auto body = nlohmann::json::parse(call.body);
        QCOMPARE(body["NextToken"].get<std::string>(), std::string("x"));
        QCOMPARE(body["Filters"].size(), std::size_t{8});
        QCOMPARE(call.target, std::string("AWSPriceListService.GetProducts"));
    }
};

GPULEDGER_SUITE(TestAwsPrices)

} // namespace tst_awsprices

#include "tst_awsprices.moc"
