// SPDX-License-Identifier: GPL-3.0-or-later
// What Lambda's list of instance types becomes. The way to `compare`: tests/integration/run_sourceprices.py.
#include "connectors/lambda/typeprices.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_lambdaprices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::LeftOut;

namespace {

std::string type(const std::string &name, const std::string &cents, const std::string &gpus,
                 const std::string &regions = "[{'name':'us-east-1','description':'x'}]",
                 const std::string &gpu = "H100 (80 GB SXM5)")
{
    return "'" + name + "':{'instance_type':{'name':'" + name + "','gpu_description':'" + gpu
        + "','price_cents_per_hour':" + cents + ",'specs':{'vcpus':26,'gpus':" + gpus
        + "}},'regions_with_capacity_available':" + regions + "}";
}

base::Result<model::QuoteList> read(const std::string &types)
{
    return lambda::readTypePrices(js("{'data':{" + types + "}}"));
}

} // namespace

class TestLambdaPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsATypeForEachRegion()
    {
        const auto list = read(
            type("gpu_8x_h100_sxm5", "2393", "8", "[{'name':'us-west-2'},{'name':'us-east-1'},{'name':'us-west-2'}]"));
        QVERIFY(list.has_value());
        QCOMPARE(list->quotes.size(), std::size_t{2});
        const model::PriceQuote &quote = list->quotes[0];
        QCOMPARE(quote.region, std::string("us-east-1"));
        QCOMPARE(list->quotes[1].region, std::string("us-west-2"));
        QCOMPARE(quote.machine, std::string("gpu_8x_h100_sxm5"));
        QCOMPARE(quote.gpuName, std::string("H100 (80GB SXM5)"));
        QCOMPARE(quote.microGpus, std::int64_t{8'000'000});
        QCOMPARE(quote.perHour, base::Money(23'930'000'000, base::Currency::usd()));
        QVERIFY(quote.purchase == model::PurchaseOption::OnDemand);
        QVERIFY(!quote.seen);
        QVERIFY(list->leftOut.empty());
    }

    void aTypeWithoutCapacityHasNoRegion()
    {
        for (const char *none : {"[]", "null", "[{}]", "[7]", "[{'name':''}]"}) {
            const auto list = read(type("gpu_1x_a10", "129", "1", none, "A10 (24 GB PCIe)"));
            QVERIFY2(list.has_value(), none);
            QCOMPARE(list->quotes.size(), std::size_t{1});
            QCOMPARE(list->quotes[0].region, std::string());
        }
        QVERIFY(read(type("a", "1", "1", "7")).error().code == ErrorCode::Parse);
    }

    void countsWhatHasNoPrice()
    {
        std::string types = type("good", "100", "1") + ',' + type("cpu", "24", "0") + ',' + type("free", "0", "1");
        int bad = 0;
        for (const char *cents : {"-1", "1.5", "1e2", "1000001", "null", "'x'", "true", "[]", "99999999999999999999"})
            types += ',' + type("cents" + std::to_string(++bad), cents, "1");
        for (const char *gpus : {"-1", "0.5", "1025", "null", "{}"})
            types += ',' + type("gpus" + std::to_string(++bad), "100", gpus);
        types +=
            ",'other':{'instance_type':{'name':'another','price_cents_per_hour':1,'specs':{'gpus':1}}},'none':null";
        const auto list = read(types);
        QVERIFY(list.has_value());
        QCOMPARE(list->quotes.size(), std::size_t{1});
        QCOMPARE(list->leftOut.at(LeftOut::Unreadable), static_cast<std::size_t>(bad + 2));
        QCOMPARE(list->leftOut.at(LeftOut::NoGpu), std::size_t{1});
        QCOMPARE(list->leftOut.at(LeftOut::NoPrice), std::size_t{1});
    }

    void refusesWhatIsNoList()
    {
        for (const char *odd : {"", "{}", "[]", "7", "{'data':[]}", "{'data':7}", "{'data':{", "{'data':{}} x"})
            QVERIFY2(lambda::readTypePrices(js(odd)).error().code == ErrorCode::Parse, odd);
        std::string many;
        for (int i = 0; i <= 2'000; ++i)
            many += (i > 0 ? "," : "") + std::string("'t") + std::to_string(i) + "':{}";
        QVERIFY(read(many).error().code == ErrorCode::TooMuch);
        std::string regions = "[{'name':'0'}";
        for (int i = 1; i <= 500; ++i)
            regions += ",{'name':'" + std::to_string(i) + "'}";
        QVERIFY(read(type("a", "1", "1", regions + ']')).error().code == ErrorCode::TooMuch);
    }
};

GPULEDGER_SUITE(TestLambdaPrices)

} // namespace tst_lambdaprices

#include "tst_lambdaprices.moc"
