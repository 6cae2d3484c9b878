// SPDX-License-Identifier: GPL-3.0-or-later
// Azure's retail prices: which rows are prices of a machine, on which terms, and what hostile pages do.
#include "app/savings/prices/azureretail.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_azureretail {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kUsd = base::Money::kNanosPerUnit;

// The fields of a row that differ from those of an A100 machine on demand, as JSON members.
std::string row(const std::string &other)
{
    const std::vector<std::pair<std::string, std::string>> usual{
        {"currencyCode", "\"USD\""},
        {"tierMinimumUnits", "0.0"},
        {"retailPrice", "3.673"},
        {"armRegionName", "\"eastus\""},
        {"effectiveStartDate", "\"2024-11-01T00:00:00Z\""},
        {"meterName", "\"NC24ads A100 v4\""},
        {"productName", "\"Virtual Machines NCads A100 v4 Series\""},
        {"skuName", "\"NC24ads A100 v4\""},
        {"unitOfMeasure", "\"1 Hour\""},
        {"type", "\"Consumption\""},
        {"isPrimaryMeterRegion", "true"},
        {"armSkuName", "\"Standard_NC24ads_A100_v4\""}};
    std::string out = "{" + other;
    for (const auto &[key, value] : usual) {
        if (other.find('"' + key + '"') == std::string::npos)
            out += (out.size() > 1 ? ",\"" : "\"") + key + "\":" + value;
    }
    return out + "}";
}

std::string page(const std::vector<std::string> &rows, const std::string &next = "null")
{
    std::string all;
    for (const std::string &one : rows)
        all += (all.empty() ? "" : ",") + one;
    return "{\"BillingCurrency\":\"USD\",\"Items\":[" + all + "],\"NextPageLink\":" + next + ",\"Count\":1}";
}

class Reading {
public:
    Reading()
        : m_catalog(ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value())
        , m_sizes(readMachineSizes(resources::find("prices/instances.csv").value()).value())
        , reader("list", base::Currency::usd(), base::dayOf(*base::parseTime("2026-11-27")), m_catalog, m_sizes)
    {
    }
    QuoteList of(const std::vector<std::string> &rows)
    {
        if (!reader.add(page(rows)))
            qFatal("no page");
        return reader.take();
    }

private:
    ledger::GpuCatalog m_catalog;
    MachineSizes m_sizes;

public:
    AzureRetailReader reader;
};

QuoteList read(const std::vector<std::string> &rows)
{
    return Reading().of(rows);
}

std::size_t leftOut(const QuoteList &list, LeftOut why)
{
    const auto found = list.leftOut.find(why);
    return found == list.leftOut.end() ? 0 : found->second;
}

std::string told(const QuoteList &list)
{
    std::string out;
    for (const PriceQuote &one : list.quotes)
        out += std::string(toString(one.purchase)) + ' ' + one.perHour.toDecimal() + ' ' + one.source + '\n';
    return out;
}

} // namespace

class TestAzureRetail : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAMachineOnDemand()
    {
        const QuoteList list = read({row("")});
        QCOMPARE(list.quotes.size(), std::size_t{1});
        const PriceQuote &quote = list.quotes.front();
        QCOMPARE(quote.provider, std::string("azure"));
        QCOMPARE(quote.region, std::string("eastus"));
        QCOMPARE(quote.machine, std::string("Standard_NC24ads_A100_v4"));
        QCOMPARE(quote.microGpus, kMicroOfGpu);
        QVERIFY2(quote.gpu.model.find("A100") != std::string::npos, quote.gpu.model.c_str());
        QCOMPARE(quote.gpu.memoryMib.value_or(0), std::int64_t{80 * 1024});
        QCOMPARE(quote.perHour.nanos(), 3'673 * (kUsd / 1000));
        QVERIFY(quote.purchase == PurchaseOption::OnDemand && !quote.seen && !quote.termMonths);
        QVERIFY(list.leftOut.empty());
    }

    // A third of a GPU, in any case of letters.
    void knowsPartsOfGpus()
    {
        const QuoteList list = read({row("\"armSkuName\":\"STANDARD_NV12ads_A10_v5\",\"retailPrice\":0.908")});
        QCOMPARE(list.quotes.size(), std::size_t{1});
        QCOMPARE(list.quotes.front().microGpus, std::int64_t{333'333});
        QVERIFY(list.quotes.front().isPartOfGpu());
    }

    void readsTheTerms()
    {
        const QuoteList list = read(
            {row("\"retailPrice\":3.673,\"savingsPlan\":[{\"unitPrice\":9,\"retailPrice\":2.571,\"term\":\"1 Year\"},"
                 "{\"retailPrice\":1.836,\"term\":\"3 Years\"},{\"retailPrice\":1,\"term\":\"9 Years\"}]"),
             row("\"meterName\":\"NC24ads A100 v4 Spot\",\"retailPrice\":0.955"),
             row("\"type\":\"Reservation\",\"reservationTerm\":\"1 Year\",\"retailPrice\":21900"),
             row("\"type\":\"Reservation\",\"reservationTerm\":\"3 Years\",\"retailPrice\":39420"),
             row("\"type\":\"Reservation\",\"reservationTerm\":\"5 Years\",\"retailPrice\":50000")});
        QCOMPARE(told(list),
                 std::string("on-demand 3.673000000 list\nspot 0.955000000 list\n"
                             "1-year 2.500000000 list, reservation\n3-years 1.500000000 list, reservation\n"
                             "1-year 2.571000000 list, savings plan\n3-years 1.836000000 list, savings plan\n"));
        QCOMPARE(list.quotes[2].termMonths.value_or(0), std::int64_t{12});
        QCOMPARE(list.quotes[5].termMonths.value_or(0), std::int64_t{36});
        QVERIFY(list.leftOut.empty());
    }

    // Should Azure state the price of an hour, it isn't divided by those of a year.
    void reservationsByTheHour()
    {
        const std::string hourly = row("\"type\":\"Reservation\",\"reservationTerm\":\"1 Year\",\"retailPrice\":2.5");
        QCOMPARE(told(read({row(""), hourly})),
                 std::string("on-demand 3.673000000 list\n1-year 2.500000000 list, reservation\n"));
    }

    void leavesOutOtherThings()
    {
        for (const char *other :
             {"\"productName\":\"Virtual Machines NCads A100 v4 Series Windows\"",
              "\"meterName\":\"NC24ads A100 v4 Low Priority\"", "\"productName\":\"NCads A100 v4 Dedicated Host\"",
              "\"productName\":\"NC Series Cloud Services\"", "\"type\":\"DevTestConsumption\"", "\"retailPrice\":0",
              "\"effectiveStartDate\":\"2026-11-28T00:00:00Z\"", "\"skuName\":\"NC24ads A100 v4 Expired\"",
              "\"tierMinimumUnits\":100.0"}) {
            const QuoteList list = read({row(other)});
            QVERIFY2(list.quotes.empty() && list.leftOut.empty(), other);
        }
    }

    void countsWhatItCannotRead()
    {
        for (const char *other : {"\"currencyCode\":\"EUR\"", "\"unitOfMeasure\":\"1 GB\"", "\"retailPrice\":\"3.673\"",
                                  "\"retailPrice\":1e300", "\"armSkuName\":\"\"", "\"armSkuName\":\"a\\u001b[31mb\"",
                                  "\"armRegionName\":7", "\"effectiveStartDate\":\"soon\""}) {
            const QuoteList list = read({row(other)});
            QVERIFY2(list.quotes.empty() && leftOut(list, LeftOut::Unreadable) == 1, other);
        }
        QCOMPARE(leftOut(read({"7", "null", "[]"}), LeftOut::Unreadable), std::size_t{3});
        QCOMPARE(leftOut(read({row("\"armSkuName\":\"Standard_NX1\""),
                               row("\"armSkuName\":\"Standard_NX1\",\"retailPrice\":9")}),
                         LeftOut::UnknownType),
                 std::size_t{1});
    }

    void ofTwoPricesTakesTheOneThatCounts()
    {
        const std::string older = row("\"retailPrice\":4,\"effectiveStartDate\":\"2023-01-01T00:00:00Z\""),
                          elsewhere = row("\"retailPrice\":5,\"isPrimaryMeterRegion\":false"), same = row(""),
                          other = row("\"retailPrice\":6");
        for (const auto &rows :
             {std::vector{older, same, elsewhere}, std::vector{elsewhere, same, older}, std::vector{same, same}})
            QCOMPARE(told(read(rows)), std::string("on-demand 3.673000000 list\n"));
        const QuoteList doubtful = read({same, other, older});
        QVERIFY(doubtful.quotes.empty());
        QCOMPARE(leftOut(doubtful, LeftOut::Unreadable), std::size_t{1});
        const QuoteList ceiling = read({same, row("\"skuName\":\"NC24ads A100 v4 Spot\"")});
        QCOMPARE(told(ceiling), std::string("on-demand 3.673000000 list\n"));
        QCOMPARE(leftOut(ceiling, LeftOut::SpotCeiling), std::size_t{1});
    }

    void followsPages()
    {
        Reading reading;
        QCOMPARE(
            reading.reader.add(page({row("")}, "\"https://prices.azure.com:443/api/retail/prices?$skip=1\"")).value(),
            std::string("https://prices.azure.com:443/api/retail/prices?$skip=1"));
        QCOMPARE(reading.reader.add(page({})).value(), std::string());
        QCOMPARE(reading.reader.take().quotes.size(), std::size_t{1});
        for (const std::string &hostile :
             {std::string(), std::string("<html>"), std::string("[]"), std::string("{\"Items\":7}"),
              std::string("{\"Items\":[{}"), std::string(1'000'000, '['), std::string("{}")})
            QVERIFY(!reading.reader.add(hostile));
    }

    void asksForOneRegion()
    {
        const std::string query = azureRetailQuery("eastus", base::Currency::parse("EUR").value());
        QCOMPARE(QUrl::fromPercentEncoding(QByteArray::fromStdString(query)),
                 QStringLiteral("?api-version=2023-01-01-preview&currencyCode='EUR'&$filter=serviceName eq 'Virtual "
                                "Machines' and armRegionName eq 'eastus' and contains(armSkuName,'Standard_N')"));
        QVERIFY(query.find(' ') == std::string::npos);
    }
};

GPULEDGER_PLAIN_SUITE(TestAzureRetail)

} // namespace tst_azureretail

#include "tst_azureretail.moc"
