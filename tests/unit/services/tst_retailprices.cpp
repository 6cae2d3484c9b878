// SPDX-License-Identifier: GPL-3.0-or-later
// How Azure's retail prices are asked for: page by page, all or none, and never at another server.
#include "app/services/sources/retailprices.h"

#include "app/services/prices/paidprices.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_retailprices {

using namespace gpuledger;
using base::ErrorCode;

namespace {

constexpr const char *kUrl = "https://prices.azure.com/api/retail/prices";

std::string page(const std::string &region, const std::string &next)
{
    return "{\"Items\":[{\"currencyCode\":\"USD\",\"retailPrice\":3.673,\"armRegionName\":\"" + region
        + "\",\"effectiveStartDate\":\"2024-11-01T00:00:00Z\",\"unitOfMeasure\":\"1 Hour\",\"type\":\"Consumption\","
          "\"armSkuName\":\"Standard_NC24ads_A100_v4\"}],\"NextPageLink\":"
        + (next.empty() ? "null" : '"' + next + '"') + "}";
}

// Answers as the test says, and remembers what was asked.
struct Server {
    std::function<base::Result<std::string>(const std::string &url, std::size_t asked)> answer;
    std::vector<std::string> urls;
    std::stop_source stop;

    base::Result<services::RetailPrices> ask(const std::vector<std::string> &regions,
                                             base::Seconds pause = base::Seconds{0})
    {
        static const auto kLists = services::priceLists();
        model::PriceList list;
        list.url = kUrl;
        list.isAzureRetail = true;
        list.regions = regions;
        return services::fetchRetailPrices(
            list, *kLists, base::dayOf(*base::parseTime("2026-11-27")),
            [&](const ports::TextRequest &request, const std::stop_token &) -> base::Result<ports::FetchedText> {
                urls.push_back(request.url);
                auto text = answer(request.url, urls.size());
                GPULEDGER_TRY(text);
                return ports::FetchedText{false, *text, {}, text->size()};
            },
            pause, stop.get_token());
    }
};

base::Result<std::string> busy()
{
    base::Error error = base::Error::make(ErrorCode::RateLimited, "busy");
    error.retryable = true;
    return base::fail(std::move(error));
}

} // namespace

class TestRetailPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEveryPageOfEveryRegion()
    {
        Server server;
        server.answer = [](const std::string &url, std::size_t asked) -> base::Result<std::string> {
            if (url.find("eastus") == std::string::npos && asked > 1)
                return page("westeurope",
                            url.find("skip=2") == std::string::npos
                                ? "https://prices.azure.com:443/api/retail/prices?skip=2"
                                : "");
            return page("eastus", "");
        };
        const auto read = server.ask({"eastus", "westeurope"});
        QVERIFY(read);
        QCOMPARE(server.urls.size(), std::size_t{3});
        QVERIFY(server.urls.front().starts_with(std::string(kUrl) + "?api-version="));
        QCOMPARE(read->quotes.quotes.size(), std::size_t{2}); // one a region: the second page says the same again
        QVERIFY(read->bytes > 3 * page("eastus", "").size());
    }

    void isAskedAgainWhileItIsBusy()
    {
        Server server;
        server.answer = [](const std::string &, std::size_t asked) { return asked < 3 ? busy() : page("eastus", ""); };
        QVERIFY(server.ask({"eastus"}));
        QCOMPARE(server.urls.size(), std::size_t{3});
        server.urls.clear();
        server.answer = [](const std::string &, std::size_t) { return busy(); };
        QVERIFY(server.ask({"eastus"}).error().code == ErrorCode::RateLimited);
        QCOMPARE(server.urls.size(), std::size_t{3});
        server.urls.clear();
        server.stop.request_stop();
        QVERIFY(server.ask({"eastus"}, base::Seconds{3600}).error().code == ErrorCode::Cancelled);
    }

    void failsAsAWhole_data()
    {
        QTest::addColumn<QString>("next");
        QTest::addColumn<QString>("part");
        QTest::newRow("another server") << "https://prices.azure.com.evil.example/api"
                                        << "another server";
        QTest::newRow("without encryption") << "http://prices.azure.com/api/retail/prices?skip=1"
                                            << "another server";
        QTest::newRow("another port") << "https://prices.azure.com:8443/api/retail/prices"
                                      << "another server";
        QTest::newRow("nowhere") << "/api/retail/prices?skip=1"
                                 << "another server";
        QTest::newRow("control characters") << "https://prices.azure.com/\\u001b[2J"
                                            << "another server";
        QTest::newRow("itself") << "https://prices.azure.com/api/retail/prices?skip=1"
                                << "in a circle";
    }
    void failsAsAWhole()
    {
        QFETCH(QString, next);
        QFETCH(QString, part);
        Server server;
        server.answer = [&](const std::string &, std::size_t) { return page("eastus", next.toStdString()); };
        const auto read = server.ask({"eastus"});
        QVERIFY(read.error().code == ErrorCode::InvalidArgument);
        QVERIFY2(read.error().text.find(part.toStdString()) != std::string::npos, read.error().text.c_str());
        QVERIFY(server.urls.size() <= 2);
    }

    void endsAtSomeTime()
    {
        Server server;
        server.answer = [](const std::string &, std::size_t asked) {
            return page("eastus", std::string(kUrl) + "?skip=" + std::to_string(asked));
        };
        QVERIFY(server.ask({"eastus"}).error().code == ErrorCode::TooMuch);
        QCOMPARE(server.urls.size(), std::size_t{200});
        server.answer = [](const std::string &, std::size_t) { return std::string("<html>"); };
        QVERIFY(server.ask({"eastus"}).error().code == ErrorCode::InvalidArgument);
    }
};

GPULEDGER_PLAIN_SUITE(TestRetailPrices)

} // namespace tst_retailprices

#include "tst_retailprices.moc"
