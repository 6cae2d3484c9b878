// SPDX-License-Identifier: GPL-3.0-or-later
// Azure's retail prices as the kind `azure` reads them. The way to `compare`: tests/integration/run_azureprices.py.
#include "app/savings/prices/azureretail.h"
#include "connectors/azure/prices/azureprices.h"
#include "resources/resources.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <functional>
#include <random>
#include <set>

namespace tst_azureprices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::LeftOut;

namespace {

const azure::KnownMachines kMachines{{"standard_nc24ads_a100_v4", {"A100 80GB", 1'000'000}},
                                     {"standard_nv12ads_a10_v5", {"A10", 333'333}}};
using Options = std::map<std::string, std::string>;
const base::UtcTime kNow = *base::parseTime("2026-11-20T10:00:00Z");
constexpr const char *kSubscription = "11111111-2222-3333-4444-555555555555";

// The members of a row that differ from those of an A100 machine on demand.
std::string row(const std::string &other = {})
{
    const std::vector<std::pair<std::string, std::string>> usual{{"currencyCode", "'USD'"},
                                                                 {"tierMinimumUnits", "0.0"},
                                                                 {"retailPrice", "3.673"},
                                                                 {"armRegionName", "'eastus'"},
                                                                 {"effectiveStartDate", "'2024-11-01T00:00:00Z'"},
                                                                 {"meterId", "'m'"},
                                                                 {"meterName", "'NC24ads A100 v4'"},
                                                                 {"productName", "'NCads A100 v4 Series'"},
                                                                 {"skuName", "'NC24ads A100 v4'"},
                                                                 {"unitOfMeasure", "'1 Hour'"},
                                                                 {"type", "'Consumption'"},
                                                                 {"isPrimaryMeterRegion", "true"},
                                                                 {"armSkuName", "'Standard_NC24ads_A100_v4'"}};
    std::string out = "{" + other;
    for (const auto &[key, value] : usual) {
        if (other.find('\'' + key + '\'') == std::string::npos)
            out += (out.size() > 1 ? ",'" : "'") + key + "':" + value;
    }
    return js(out + "}");
}

std::string page(const std::vector<std::string> &rows, const std::string &next = "null")
{
    std::string all;
    for (const std::string &one : rows)
        all += (all.empty() ? "" : ",") + one;
    return js("{'Items':[") + all + js("],'NextPageLink':" + next + "}");
}

model::QuoteList read(const std::vector<std::string> &rows)
{
    azure::RetailPrices prices(kMachines, kNow);
    if (!prices.add(page(rows), "eastus"))
        qFatal("no page");
    return prices.take();
}

std::string told(const model::QuoteList &list)
{
    std::string out;
    for (const model::PriceQuote &one : list.quotes)
        out += std::string(toString(one.purchase)) + ' ' + one.perHour.toDecimal() + ' ' + one.source + '\n';
    for (const auto &[why, count] : list.leftOut)
        out += std::string(keyOf(why)) + ' ' + std::to_string(count) + '\n';
    return out;
}

model::SourceSettings settings(const Options &options = {}, const std::string &url = {})
{
    model::SourceSettings out;
    out.name = "cloud";
    out.url = url;
    out.auth.kind = model::AuthSettings::Kind::Bearer;
    out.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
    out.headers = {{"X-Key", "canary-header"}};
    out.options = options;
    out.options.try_emplace("subscription", kSubscription);
    return out;
}

base::Result<azure::PriceSettings> wanted(const Options &options, const std::string &url = {})
{
    return azure::PriceSettings::of(settings(options, url));
}

// A source of prices, and what it sent.
struct Asking {
    explicit Asking(const Options &options)
    {
        auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
            sent.push_back(request);
            return base::Result<http::Response>(reply(request));
        });
        azure::Tuning tuning;
        tuning.pause = pause;
        tuning.realClock = &clock;
        const model::SourceSettings all = settings(options);
        auto machines = *azure::makeComputeApi(all, secrets, client, tuning);
        auto prices = *azure::PriceSettings::of(all);
        if (!prices.regions.empty())
            machines.reset();
        source = std::make_unique<azure::AzurePrices>(all, std::move(prices), std::move(machines), client, tuning);
    }
    base::Result<ports::PricesTold> read(std::stop_token stop = {})
    {
        return source->read({"", kNow, {}, kMachines}, std::move(stop));
    }
    std::vector<http::Request> toPrices() const
    {
        std::vector<http::Request> out;
        for (const http::Request &one : sent) {
            if (one.url.starts_with(azure::kPublicPrices))
                out.push_back(one);
        }
        return out;
    }

    base::FrozenClock clock{kNow};
    CountedSecret secrets;
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::function<http::Response(const http::Request &)> reply = [](const http::Request &request) {
        return answer(request.url.starts_with(azure::kPublicPrices) ? page({row()}) : js("{'value':[]}"));
    };
    std::vector<http::Request> sent;
    std::unique_ptr<azure::AzurePrices> source;
};

} // namespace

class TestAzurePrices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAllWaysToPay()
    {
        const auto list = read({row("'retailPrice':3.673,'savingsPlan':[{'unitPrice':9,'retailPrice':2.571,'term':'1 "
                                    "Year'},{'retailPrice':1.836,'term':'3 "
                                    "Years'},{'retailPrice':1,'term':'5 Years'}]"),
                                row("'meterName':'NC24ads A100 v4 Spot','meterId':'s','retailPrice':9.55E-1"),
                                row("'type':'Reservation','reservationTerm':'1 Year','retailPrice':21900"),
                                row("'type':'Reservation','reservationTerm':'3 Years','retailPrice':39420.0131"),
                                row("'type':'Reservation','reservationTerm':'5 Years','retailPrice':50000")});
        QCOMPARE(told(list),
                 std::string("on-demand 3.673000000 \nspot 0.955000000 \n1-year 2.500000000 reservation\n"
                             "3-years 1.500000498 reservation\n1-year 2.571000000 savings plan\n"
                             "3-years 1.836000000 savings plan\n"));
        QVERIFY(list.quotes[2].termMonths == 12 && list.quotes[5].termMonths == 36 && !list.quotes[0].termMonths);
        const model::PriceQuote &quote = list.quotes.front();
        QVERIFY(quote.region == "eastus" && quote.machine == "Standard_NC24ads_A100_v4" && quote.zone.empty());
        QVERIFY(quote.gpuName == "A100 80GB" && quote.microGpus == 1'000'000);
    }

    void typesAreKnownInAnyCase()
    {
        const auto list = read({row("'armSkuName':'STANDARD_nv12ADS_A10_v5','retailPrice':0.908"),
                                row("'armSkuName':'Standard_ND1_v9'"), row("'armSkuName':7"), row("'armSkuName':''")});
        QCOMPARE(told(list), std::string("on-demand 0.908000000 \n"));
        QVERIFY(list.quotes[0].microGpus == 333'333 && list.quotes[0].machine == "STANDARD_nv12ADS_A10_v5");
    }

    void amountsAreExact_data()
    {
        QTest::addColumn<QString>("number");
        QTest::addColumn<QString>("amount");
        const auto add = [](const char *number, const char *amount) {
            QTest::newRow(number) << QString::fromLatin1(number) << QString::fromLatin1(amount);
        };
        add("0.1", "0.100000000");
        add("1.2E-05", "0.000012000");
        add("12345678.123456789", "12345678.123456789"); // 17 digits: a double has another last one
        add("9007199.254740993", "9007199.254740993");
        add("0.0000000005", "0.000000001");
        add("3", "3.000000000");
    }
    void amountsAreExact()
    {
        QFETCH(QString, number);
        const auto list = read({row("'retailPrice':" + number.toStdString())});
        QCOMPARE(list.quotes.size(), std::size_t{1});
        QTEST(QString::fromStdString(list.quotes[0].perHour.toDecimal()), "amount");
    }

    void otherProductsAreDropped_data()
    {
        QTest::addColumn<QString>("other");
        for (const char *other :
             {"'productName':'NCads A100 v4 Series Windows'", "'productName':'NCads A100 v4 CloudServices'",
              "'productName':'NCads A100 Dedicated Host'", "'meterName':'NC24ads A100 v4 Low Priority'",
              "'skuName':'NC24ads A100 v4 Low Priority'", "'skuName':'NC24ads A100 v4 Expired'",
              "'type':'DevTestConsumption'", "'type':7", "'tierMinimumUnits':100.0",
              "'effectiveStartDate':'2026-11-20T10:00:01Z'", "'effectiveEndDate':'2026-11-20T10:00:00Z'",
              "'type':'Reservation'", "'type':'Reservation','reservationTerm':'2 Years'"})
            QTest::newRow(other) << QString::fromLatin1(other);
    }
    void otherProductsAreDropped()
    {
        QFETCH(QString, other);
        QCOMPARE(told(read({row(other.toStdString())})), std::string());
    }

    void whatCanNotBeReadIsCounted_data()
    {
        QTest::addColumn<QString>("other");
        for (const char *other :
             {"'retailPrice':-1", "'retailPrice':1e30", "'retailPrice':'NaN'", "'retailPrice':null", "'retailPrice':[]",
              "'retailPrice':true", "'effectiveStartDate':'soon'", "'effectiveEndDate':'soon'", "'currencyCode':'EUR'",
              "'unitOfMeasure':'100 Hours'", "'armRegionName':'westus'", "'armRegionName':''"})
            QTest::newRow(other) << QString::fromLatin1(other);
    }
    void whatCanNotBeReadIsCounted()
    {
        QFETCH(QString, other);
        QCOMPARE(told(read({row(other.toStdString())})), std::string("unreadable 1\n"));
    }

    void hostileRowsAreCounted()
    {
        QCOMPARE(told(read({"7", "null", "[]", "{}", row("'savingsPlan':7"), row("'retailPrice':0,'meterId':'z'")})),
                 std::string("on-demand 3.673000000 \nunreadable 4\n") + "no-price 1\n");
    }

    void noneOfSeveralPricesIsChosen()
    {
        const std::string second = "'meterId':'n','retailPrice':";
        QCOMPARE(told(read({row(), row(second + "3.674")})), std::string("unreadable 1\n"));
        QCOMPARE(told(read({row(), row(second + "3.6730")})), std::string("on-demand 3.673000000 \n"));
        QCOMPARE(told(read({row(), row("'retailPrice':3.674")})),
                 std::string("unreadable 1\n")); // one meter, two prices
        // A meter of another region that is used here, too.
        for (const auto &rows : {std::vector{row(), row("'isPrimaryMeterRegion':false,'retailPrice':9")},
                                 std::vector{row("'isPrimaryMeterRegion':false,'retailPrice':9"), row()}})
            QCOMPARE(told(read(rows)), std::string("on-demand 3.673000000 \n"));
        QCOMPARE(told(read({row("'isPrimaryMeterRegion':false,'retailPrice':9")})),
                 std::string("on-demand 9.000000000 \n"));
        // A price that a later one replaced.
        const std::string before = row("'effectiveStartDate':'2024-10-01T00:00:00Z','retailPrice':5");
        QCOMPARE(told(read({row(), before})), std::string("on-demand 3.673000000 \n"));
        QCOMPARE(told(read({before, row()})), std::string("on-demand 3.673000000 \n"));
        QCOMPARE(told(read({row(), row("'skuName':'x Spot','meterId':'s'")})),
                 std::string("on-demand 3.673000000 \nspot-ceiling 1\n"));
    }

    // Should Azure state the price of an hour, it isn't divided by those of a year.
    void aReservationOfAnHourIsNotDivided()
    {
        const std::string reserved = "'type':'Reservation','reservationTerm':'1 Year','retailPrice':";
        QVERIFY(told(read({row(), row(reserved + "2.5")})).ends_with("1-year 2.500000000 reservation\n"));
        QCOMPARE(told(read({row(reserved + "8760")})), std::string("1-year 1.000000000 reservation\n"));
    }

    // The list of the configuration with the same format is read by code of its own.
    void agreesWithTheListOfTheConfiguration()
    {
        const auto catalog = *ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value());
        const auto sizes = *savings::readMachineSizes(resources::find("prices/instances.csv").value());
        std::mt19937 random(7);
        const auto one = [&](std::initializer_list<const char *> of) {
            return std::string(*(of.begin() + random() % of.size()));
        };
        for (int round = 0; round < 300; ++round) {
            std::vector<std::string> rows;
            for (int i = 0; i < 6; ++i)
                rows.push_back(
                    row("'armSkuName':" + one({"'Standard_NC24ads_A100_v4'", "'Standard_NV12ads_A10_v5'"})
                        + ",'type':" + one({"'Consumption'", "'Reservation'", "'DevTestConsumption'"})
                        + ",'reservationTerm':" + one({"'1 Year'", "'3 Years'", "'5 Years'"}) + ",'meterName':"
                        + one({"'x'", "'x Spot'", "'x Low Priority'"}) + ",'productName':" + one({"'x'", "'x Windows'"})
                        + ",'retailPrice':" + one({"1", "2.5", "30000.01", "0", "-1"})
                        + ",'tierMinimumUnits':" + one({"0.0", "0", "5"})
                        + ",'savingsPlan':" + one({"null", "[]", "[{'term':'1 Year','retailPrice':0.5}]"})
                        + ",'isPrimaryMeterRegion':" + one({"true", "false"}) + ",'effectiveStartDate':"
                        + one({"'2024-11-01T00:00:00Z'", "'2020-01-01T00:00:00Z'", "'2027-01-01T00:00:00Z'"})));
            savings::AzureRetailReader reader("list", base::Currency::usd(), base::dayOf(kNow), catalog, sizes);
            QVERIFY(reader.add(page(rows)).has_value());
            const auto lines = [](const model::QuoteList &list, const std::string &prefix) {
                std::set<std::string> out;
                for (const model::PriceQuote &quote : list.quotes)
                    out.insert(quote.machine + ' ' + std::string(toString(quote.purchase)) + ' '
                               + quote.perHour.toDecimal() + ' ' + quote.source.substr(prefix.size()));
                return out;
            };
            const auto list = reader.take();
            auto same = lines(list, "list");
            std::set<std::string> theirs;
            for (std::string line : same) { // "list, reservation"
                const std::size_t comma = line.find(", ");
                theirs.insert(comma == std::string::npos ? line : line.erase(comma, 2));
            }
            QCOMPARE(lines(read(rows), ""), theirs);
        }
    }

    void aPageThatIsNoneIsRefused()
    {
        azure::RetailPrices prices(kMachines, kNow);
        for (const char *body :
             {"", "{", "[]", "null", "7", "{}", "{'Items':{}}", "{'items':[]}", "{'Items':[]", "<html>"})
            QVERIFY2(prices.add(js(body), "eastus").error().code == ErrorCode::Parse, body);
        QVERIFY(prices.add(std::string(100000, '['), "eastus").error().code == ErrorCode::Parse);
        QCOMPARE(*prices.add(page({}, "'https://prices.azure.com/x'"), "eastus"),
                 std::string("https://prices.azure.com/x"));
        QVERIFY(prices.add(page({}, "7"), "eastus")->find("://") == std::string::npos);
    }

    void thereIsAnEndToPrices()
    {
        const std::string start = js("{'meterId':'");
        const std::string rest = js("','savingsPlan':[{'retailPrice':2,'term':'1 Year'},{'retailPrice':1,'term':'3 "
                                    "Years'}],")
            + row("'meterId':''").substr(std::string("{'meterId':'',").size());
        azure::RetailPrices prices(kMachines, kNow);
        base::Result<std::string> added{""};
        for (int at = 0; at < 60 && added; ++at) {
            std::vector<std::string> rows;
            for (int i = 0; i < 1000; ++i)
                rows.push_back(start + std::to_string(at * 1000 + i) + rest);
            added = prices.add(page(rows), "eastus");
        }
        QVERIFY(!added && added.error().code == ErrorCode::TooMuch);
    }

    void asksAboutOneRegion()
    {
        const std::string query = azure::retailQuery("eastus");
        for (const char *part : {"/api/retail/prices?", "api-version=2023-01-01-preview", "currencyCode=%27USD%27",
                                 "armRegionName%20eq%20%27eastus%27", "serviceName%20eq%20%27Virtual%20Machines%27"})
            QVERIFY2(query.find(part) != std::string::npos, query.c_str());
    }

    void pricesOfThePublicCloudAreWanted()
    {
        const std::string government = azure::kClouds[1].resourceManager, china = azure::kClouds[2].resourceManager;
        QVERIFY(wanted({})->isWanted && wanted({}, government)->isWanted);
        QCOMPARE(wanted({}, government)->address, std::string(azure::kPublicPrices));
        QVERIFY(!wanted({}, china)->isWanted && !wanted({}, "https://private.example")->isWanted);
        QVERIFY(wanted({{"prices", "all"}}, "https://private.example")->isWanted);
        QVERIFY(wanted({{"prices_url", "https://x.example/a"}}, china)->isWanted);
        QCOMPARE(wanted({{"prices_url", "https://x.example/a"}}, china)->address, std::string("https://x.example"));
        QVERIFY(!wanted({{"prices", "none"}, {"prices_url", "https://x.example"}})->isWanted);
        QVERIFY(wanted({{"prices", "all"}}, china).error().code == ErrorCode::InvalidConfig);
        QVERIFY(wanted({{"prices", "spot"}}).error().code == ErrorCode::InvalidConfig);
        QVERIFY(wanted({{"prices_url", "x"}}).error().code == ErrorCode::InvalidConfig);
        QCOMPARE(wanted({{"regions", "EastUS, westeurope eastus,"}})->regions,
                 (std::set<std::string>{"eastus", "westeurope"}));
        QVERIFY(wanted({{"regions", "east' or 'a' eq 'a"}}).error().code == ErrorCode::InvalidConfig);
        std::string many;
        for (int i = 0; i < 51; ++i)
            many += " r" + std::to_string(i);
        QVERIFY(wanted({{"regions", many}}).error().code == ErrorCode::InvalidConfig);
    }

    void aPublicServiceIsSentNoCredential()
    {
        Asking asking(Options{});
        asking.reply = [](const http::Request &request) {
            if (request.url.starts_with(azure::kPublicPrices))
                return answer(page({row()}));
            return answer(js("{'value':[{'id':'/a','location':'EastUS','properties':{'hardwareProfile':{'vmSize':"
                             "'STANDARD_nc24ads_a100_v4'}},'sku':{'name':'Standard_D4s_v5'}}]}"));
        };
        QCOMPARE(asking.read()->now.quotes.size(), std::size_t{1});
        QVERIFY(asking.secrets.reads > 0 && asking.sent.front().credentials); // of the Resource Manager
        for (const http::Request &request : asking.toPrices()) {
            QVERIFY(!request.credentials && !request.followsRedirects && request.method == "GET");
            for (const auto &[name, value] : request.headers)
                QVERIFY2(name == "Accept", name.c_str());
        }
        QCOMPARE(asking.toPrices().size(), std::size_t{1});
    }

    void namedRegionsNeedNoLogin()
    {
        Asking asking(Options{{"regions", "eastus westeurope"}});
        QVERIFY(asking.read().has_value());
        QVERIFY(asking.secrets.reads == 0 && asking.toPrices().size() == 2 && asking.sent.size() == 2);
    }

    void withoutMachinesNoRegionIsKnown()
    {
        Asking asking(Options{});
        QVERIFY(asking.read().error().code == ErrorCode::InvalidConfig);
        QVERIFY(asking.source->probe({}).error().code == ErrorCode::InvalidConfig);
        QVERIFY(asking.toPrices().empty());
    }

    void pagesStayOnTheServerAndEnd()
    {
        for (const char *link : {"'https://prices.azure.com.evil.example/x'", "'http://prices.azure.com/x'",
                                 "'https://prices.azure.com@evil.example/'", "'/x'", "'x'"}) {
            Asking asking(Options{{"regions", "eastus"}});
            asking.reply = [&](const http::Request &) { return answer(page({}, link)); };
            QVERIFY2(asking.read().error().code == ErrorCode::Parse, link);
            QCOMPARE(asking.sent.size(), std::size_t{1});
        }
        Asking circle(Options{{"regions", "eastus"}});
        circle.reply = [](const http::Request &) { return answer(page({}, "'https://prices.azure.com:443/x'")); };
        QVERIFY(circle.read().error().code == ErrorCode::Parse);
        QCOMPARE(circle.sent.size(), std::size_t{2});
        Asking endless(Options{{"regions", "eastus"}});
        int number = 0;
        endless.reply = [&](const http::Request &) {
            return answer(page({}, "'https://prices.azure.com/" + std::to_string(++number) + "'"));
        };
        QVERIFY(endless.read().error().code == ErrorCode::TooMuch);
    }

    void waitsAndGivesUp()
    {
        Asking asking(Options{{"regions", "eastus"}});
        int left = 1;
        asking.reply = [&](const http::Request &) {
            http::Response busy = answer("", 429);
            busy.retryAfter = base::Seconds{7};
            return left-- > 0 ? busy : answer(page({row()}));
        };
        QVERIFY(asking.read().has_value());
        QCOMPARE(asking.pause->waits, (std::vector<http::Milliseconds>{http::Milliseconds{7'000}}));
        for (const auto &[status, code] :
             {std::pair(500, ErrorCode::Server), std::pair(429, ErrorCode::RateLimited),
              std::pair(403, ErrorCode::Forbidden), std::pair(401, ErrorCode::Unauthorized)}) {
            asking.reply = [status = status](const http::Request &) { return answer("", status); };
            QVERIFY2(asking.read().error().code == code, std::to_string(status).c_str());
            for (const http::Request &request : asking.sent)
                QVERIFY(!request.credentials);
        }
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(asking.read(stop.get_token()).error().code == ErrorCode::Cancelled);
    }

    void aWrongClockRecordsNothing()
    {
        Asking asking(Options{{"regions", "eastus"}});
        asking.reply = [](const http::Request &) {
            http::Response late = answer(page({row()}));
            late.headers = {{"date", "Fri, 20 Nov 2015 09:00:00 GMT"}};
            return late;
        };
        QVERIFY(asking.read().error().code == ErrorCode::Refused);
    }

    void aConnectionTestNamesWhatIsMissing()
    {
        Asking asking(Options{{"regions", "eastus"}});
        QVERIFY(asking.source->probe({})->front().text == ports::FindingText::RightGiven);
        asking.reply = [](const http::Request &) { return answer("", 403); };
        QVERIFY(asking.source->probe({})->front().text == ports::FindingText::PricesWithheld);
        asking.reply = [](const http::Request &) { return answer("{}"); };
        QVERIFY(asking.source->probe({}).error().code == ErrorCode::Parse);
        Asking machines(Options{});
        machines.reply = asking.reply = [](const http::Request &) { return answer("", 403); };
        const auto findings = machines.source->probe({});
        QVERIFY(findings->front().text == ports::FindingText::PricesWithheld);
        QVERIFY(std::get<std::string>(findings->front().terms.front()) == azure::kMachinesRight);
        QVERIFY(Asking(Options{{"prices", "none"}}).source->probe({})->empty());
        QVERIFY(Asking(Options{{"prices", "none"}}).source->lists().empty());
    }
};

GPULEDGER_SUITE(TestAzurePrices)

} // namespace tst_azureprices

#include "tst_azureprices.moc"
