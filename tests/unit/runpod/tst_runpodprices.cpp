// SPDX-License-Identifier: GPL-3.0-or-later
// What RunPod's catalogue of GPUs becomes. The way to `compare`: tests/integration/run_sourceprices.py.
#include "connectors/runpod/gpuprices.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_runpodprices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::LeftOut;

namespace {

std::string gpu(const std::string &id, const std::string &secure, const std::string &community,
                const std::string &more = "")
{
    return "{'id':'" + id + "','name':'x','memory':80,'price':{'secure':" + secure + ",'community':" + community
        + ",'serverless':4.18}" + more + "}";
}

base::Result<model::QuoteList> read(const std::string &gpus)
{
    return runpod::readGpuPrices(js("{'gpus':[" + gpus + "]}"));
}

} // namespace

class TestRunpodPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsThePriceOfEachCloud()
    {
        const auto list = read(gpu("NVIDIA H100 80GB HBM3", "2.69", "2.389999999"));
        QVERIFY(list.has_value());
        QCOMPARE(list->quotes.size(), std::size_t{2});
        QCOMPARE(list->quotes[0].machine, std::string("1x NVIDIA H100 80GB HBM3 (secure)"));
        QCOMPARE(list->quotes[0].perHour, base::Money(2'690'000'000, base::Currency::usd()));
        QCOMPARE(list->quotes[1].machine, std::string("1x NVIDIA H100 80GB HBM3 (community)"));
        QCOMPARE(list->quotes[1].perHour, base::Money(2'389'999'999, base::Currency::usd()));
        for (const model::PriceQuote &quote : list->quotes) {
            QCOMPARE(quote.gpuName, std::string("NVIDIA H100 80GB HBM3"));
            QCOMPARE(quote.microGpus, std::int64_t{1'000'000});
            QCOMPARE(quote.gpu.memoryMib, std::optional<std::int64_t>(80 * 1024));
            QVERIFY(quote.purchase == model::PurchaseOption::OnDemand);
            QVERIFY(quote.region.empty() && quote.zone.empty());
        }
    }

    void noPriceIsNone()
    {
        const auto list = read(gpu("a", "null", "0.5") + ',' + gpu("b", "0", "0.0") + ','
                               + gpu("c", "1", "1", ",'secure':true,'community':false") + ",{'id':'d'}");
        QVERIFY(list.has_value());
        QCOMPARE(list->quotes.size(), std::size_t{2});
        QCOMPARE(list->quotes[0].machine, std::string("1x a (community)"));
        QCOMPARE(list->quotes[1].machine, std::string("1x c (secure)"));
        QCOMPARE(list->leftOut.at(LeftOut::NoPrice), std::size_t{2});
        QVERIFY(!list->leftOut.contains(LeftOut::Unreadable));
    }

    void countsWhatCanNotBeRead()
    {
        std::string gpus = gpu("good", "1", "2");
        int bad = 0;
        for (const char *price : {"-0.01", "1e30", "'NaN'", "''", "true", "[]", "{}"})
            gpus += ',' + gpu(std::to_string(++bad), price, "null");
        const auto list = read(gpus + ",7,null,{},{'id':7.5,'price':{'secure':[]}}");
        QVERIFY(list.has_value());
        QCOMPARE(list->quotes.size(), std::size_t{2});
        QCOMPARE(list->leftOut.at(LeftOut::Unreadable), static_cast<std::size_t>(bad + 4));
    }

    void refusesWhatIsNoList()
    {
        for (const char *odd : {"", "{}", "[]", "7", "{'gpus':{}}", "{'gpus':[", "{'gpus':[]} x"})
            QVERIFY2(runpod::readGpuPrices(js(odd)).error().code == ErrorCode::Parse, odd);
        QVERIFY(read(gpu("a", "1", "1") + ',' + gpu("a", "1", "1")).error().code == ErrorCode::Parse);
        std::string many = "{}";
        for (int i = 0; i < 2'000; ++i)
            many += ",{}";
        QVERIFY(read(many).error().code == ErrorCode::TooMuch);
        QVERIFY(read("").value().quotes.empty());
    }
};

GPULEDGER_SUITE(TestRunpodPrices)

} // namespace tst_runpodprices

#include "tst_runpodprices.moc"
