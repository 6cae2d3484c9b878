// SPDX-License-Identifier: GPL-3.0-or-later
// What SKUs of the Cloud Billing Catalog become. The way to `compare`: tests/integration/run_gcpprices.py.
#include "app/base/remedy.h"
#include "connectors/gcp/prices/gcpprices.h"
#include "connectors/gcp/prices/machineprice.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <memory>

namespace tst_gcpprices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::LeftOut;
using model::PurchaseOption;
using Json = nlohmann::json;

namespace {

using Machines = std::map<std::string, ports::KnownMachine>;
const Machines kMachines{{"a2-highgpu-1g", {"A100 40GB", 1'000'000, 12'000, 85'000}},
                         {"a3-highgpu-8g", {"H100 SXM", 8'000'000, 208'000, 1'872'000}},
                         {"a3-megagpu-8g", {"H100 SXM", 8'000'000, 208'000, 1'872'000}},
                         {"a4-highgpu-8g", {"B200", 8'000'000}},
                         {"g2-standard-24", {"L4", 2'000'000, 24'000, 96'000}}};

Json sku(const std::string &name, const std::string &price, const std::string &unit = "h",
         const std::string &usage = "OnDemand", const std::vector<std::string> &regions = {"us-central1"})
{
    const auto money = base::Money::parse(price, base::Currency::usd());
    const std::int64_t nanos = money->nanos();
    Json unitPrice{{"currencyCode", "USD"}, {"units", std::to_string(nanos / 1'000'000'000)}};
    unitPrice["nanos"] = nanos % 1'000'000'000;
    return {{"description", name},
            {"category", {{"usageType", usage}}},
            {"serviceRegions", regions},
            {"pricingInfo",
             Json::array({{{"pricingExpression",
                            {{"usageUnit", unit},
                             {"tieredRates", Json::array({{{"startUsageAmount", 0}, {"unitPrice", unitPrice}}})}}}}})}};
}

// The parts of G2 on demand.
std::vector<Json> g2()
{
    return {sku("Nvidia L4 GPU running in Americas", "0.560004"),
            sku("G2 Instance Core running in Americas", "0.024988"),
            sku("G2 Instance Ram running in Americas", "0.002927", "GiBy.h")};
}

std::set<std::string> allNames()
{
    std::set<std::string> names;
    for (const PurchaseOption purchase : model::kPurchaseOptions) {
        for (const auto &[type, machine] : kMachines) {
            for (const gcp::MachinePart &part : gcp::partsOf(type, machine, purchase))
                names.insert(part.names.begin(), part.names.end());
        }
    }
    return names;
}

model::QuoteList priced(const std::vector<Json> &skus, const std::string &type,
                        PurchaseOption purchase = PurchaseOption::OnDemand)
{
    gcp::CatalogSkus catalog(allNames());
    const auto next = catalog.add({{"skus", skus}});
    model::QuoteList out;
    if (next && next->empty())
        gcp::addMachinePrices(catalog, type, kMachines.at(type), purchase, out);
    return out;
}

std::string priceOf(const model::QuoteList &list)
{
    return list.quotes.size() == 1 ? list.quotes[0].perHour.toDecimal() : std::to_string(list.quotes.size());
}

std::size_t left(const model::QuoteList &list, LeftOut why)
{
    const auto at = list.leftOut.find(why);
    return at == list.leftOut.end() ? 0 : at->second;
}

struct Setup {
    Setup()
    {
        settings.name = "cloud";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        asked.list = "on-demand";
        asked.machines = kMachines;
        asked.now = *base::parseTime("2026-11-20T10:00:00Z");
    }
    gcp::GcpPrices &prices()
    {
        if (!source) {
            auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
                sent.push_back(request);
                if (answers.empty())
                    return base::Result<http::Response>(answer(Json{{"skus", g2()}}.dump()));
                http::Response first = answers.front();
                answers.erase(answers.begin());
                return base::Result<http::Response>(std::move(first));
            });
            gcp::Tuning tuning;
            tuning.pause = std::make_shared<SimulatedPause>();
            source =
                std::make_unique<gcp::GcpPrices>(settings, std::vector<std::string>{"on-demand", "spot"},
                                                 "https://cloudbilling.googleapis.com", secrets, clock, client, tuning);
        }
        return *source;
    }

    model::SourceSettings settings;
    OneSecret secrets{"canary-token"};
    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
    std::vector<http::Response> answers; // in this order; afterwards they succeed
    std::vector<http::Request> sent;
    ports::PricesAsked asked;
    std::unique_ptr<gcp::GcpPrices> source;
};

http::Response disabled()
{
    return answer(js("{'error':{'code':403,'message':'Cloud Billing API has not been used in project 4711 before or it "
                     "is disabled.',"
                     "'status':'PERMISSION_DENIED','details':[{'reason':'SERVICE_DISABLED'}]}}"),
                  403);
}

} // namespace

class TestGcpPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addsUpTheParts()
    {
        const auto list = priced(g2(), "g2-standard-24");
        QCOMPARE(priceOf(list), std::string("2.000712000")); // 2 x 0.560004 + 24 x 0.024988 + 96 x 0.002927
        const model::PriceQuote &quote = list.quotes.at(0);
        QCOMPARE(quote.region + ' ' + quote.machine + ' ' + quote.gpuName,
                 std::string("us-central1 g2-standard-24 L4"));
        QVERIFY(quote.zone.empty() && quote.microGpus == 2'000'000 && quote.purchase == PurchaseOption::OnDemand);
        QVERIFY(!quote.termMonths && !quote.payment && list.leftOut.empty());
        QCOMPARE(quote.perHour.currency().code(), std::string_view("USD"));
    }

    // 730 hours, and one rounding: (6000 x 0.08 + 730 x 1) / 730 = 1.657534246575…
    void aDiskThatIsAlwaysThereIsAPart()
    {
        std::vector<Json> skus{sku("Nvidia H100 80GB GPU running in Americas", "0.125"),
                               sku("A3 Instance Core running in Americas", "0"),
                               sku("A3 Instance Ram running in Americas", "0", "GiBy.h")};
        for (std::size_t i = 1; i < 3; ++i) // nearly nothing
            skus[i]["pricingInfo"][0]["pricingExpression"]["tieredRates"][0]["unitPrice"]["nanos"] = 1;
        QCOMPARE(left(priced(skus, "a3-highgpu-8g"), LeftOut::WithoutHost), std::size_t{1});
        skus.push_back(sku("SSD backed Local Storage", "0.08", "GiBy.mo"));
        QCOMPARE(priceOf(priced(skus, "a3-highgpu-8g")), std::string("1.657536327")); // and 208 + 1872 nanos
        skus.push_back(sku("A3 Instance Local SSD running in Iowa", "0.0001", "GiBy.h")); // its own counts
        QCOMPARE(priceOf(priced(skus, "a3-highgpu-8g")), std::string("1.600002080"));
        skus.push_back(sku("SSD backed Local Storage in Iowa", "0.09", "GiBy.mo")); // of the general one there are two
        QCOMPARE(priceOf(priced(skus, "a3-highgpu-8g")), std::string("1.600002080"));
        skus.erase(skus.begin() + 4);
        QCOMPARE(left(priced(skus, "a3-highgpu-8g"), LeftOut::Unreadable), std::size_t{1});
    }

    void aSliceOfB200HasEverythingInIt()
    {
        QCOMPARE(priceOf(priced({sku("A4 Nvidia B200 (1 gpu slice) running in Americas", "16.11")}, "a4-highgpu-8g")),
                 std::string("128.880000000"));
        // Filed under OnDemand, although the name says spot.
        const std::vector<Json> spot{
            sku("Spot Preemptible A4 Nvidia B200 (1 gpu slice) running in Americas", "4.9542", "h", "OnDemand")};
        QCOMPARE(priceOf(priced(spot, "a4-highgpu-8g", PurchaseOption::Spot)), std::string("39.633600000"));
        QVERIFY(priced(spot, "a4-highgpu-8g").quotes.empty());
    }

    void spotAndCommitmentsHaveNamesOfTheirOwn()
    {
        std::vector<Json> skus{
            sku("Nvidia L4 GPU attached to Spot Preemptible VMs running in Americas", "0.2", "h", "Preemptible"),
            sku("Spot Preemptible G2 Instance Core running in Americas", "0.01", "h", "Preemptible"),
            sku("Spot Preemptible G2 Instance Ram running in Americas", "0.001", "GiBy.h", "Preemptible"),
            sku("Commitment v1: Nvidia L4 GPU running in Americas for 1 Year", "0.3", "h", "Commit1Yr"),
            sku("Commitment v1: G2 Cpu in Americas for 1 Year", "0.02", "h", "Commit1Yr"),
            sku("Commitment v1: G2 Ram in Americas for 1 Year", "0.002", "GiBy.h", "Commit1Yr"),
            sku("Commitment v1: Nvidia L4 GPU running in Americas for 3 Years", "0.25", "h", "Commit3Yr"),
            sku("Commitment v1: G2 Cpu in Americas for 3 Years", "0.015", "h", "Commit3Yr"),
            sku("Commitment v1: G2 Ram in Americas for 3 Year", "0.0015", "GiBy.h", "Commit3Yr")};
        QCOMPARE(priceOf(priced(skus, "g2-standard-24", PurchaseOption::Spot)), std::string("0.736000000"));
        const auto one = priced(skus, "g2-standard-24", PurchaseOption::OneYear);
        QCOMPARE(priceOf(one), std::string("1.272000000"));
        QVERIFY(one.quotes[0].termMonths == 12 && one.quotes[0].payment == model::UpfrontPayment::None);
        const auto three = priced(skus, "g2-standard-24", PurchaseOption::ThreeYears);
        QCOMPARE(priceOf(three), std::string("1.004000000"));
        QVERIFY(three.quotes[0].termMonths == 36);
        QVERIFY(priced(skus, "g2-standard-24").quotes.empty());
        skus[3]["category"]["usageType"] = "Commit3Yr"; // the name and the category differ
        QVERIFY(priced(skus, "g2-standard-24", PurchaseOption::OneYear).quotes.empty());
        skus[0]["category"]["usageType"] = "Commit1Yr";
        QVERIFY(priced(skus, "g2-standard-24", PurchaseOption::Spot).quotes.empty());
    }

    void whatIsAnotherThingIsNoPart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("usage");
        const auto row = [](const char *name, const char *usage = "OnDemand") {
            QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(usage);
        };
        row("Reserved Nvidia L4 GPU in Americas");
        row("Nvidia L4 GPU attached to Sole Tenancy VMs running in Americas");
        row("Nvidia L4 GPU attached to DWS Defined Duration VMs running in Americas");
        row("DWS Calendar Mode Nvidia L4 GPU running in Americas");
        row("G2 Custom Instance Core running in Americas");
        row("G2 Sole Tenancy Instance Core running in Americas");
        row("Sole Tenancy Premium for G2 Instance Core running in Americas");
        row("Nvidia L4 Virtual Workstation GPU running in Americas");
        row("Nvidia L4 GPU running in Americas", "Preemptible");
        row("G2 Instance Core running in Americas", "Commit1Yr");
        row("G2 Instance Core running in Americas", "");
        row("Commitment v1: Nvidia L4 GPU running in Americas for 1 Year", "OnDemand");
    }
    void whatIsAnotherThingIsNoPart()
    {
        QFETCH(QString, name);
        QFETCH(QString, usage);
        std::vector<Json> skus = g2();
        skus.push_back(sku(name.toStdString(), "99", "h", usage.toStdString()));
        QCOMPARE(priceOf(priced(skus, "g2-standard-24")), std::string("2.000712000"));
        // Nor does it stand for the part.
        skus.erase(skus.begin() + (name.contains(QLatin1String("Core")) ? 1 : 0));
        QVERIFY(priced(skus, "g2-standard-24").quotes.empty());
    }

    void aPartWithoutAClearPriceLeavesTheMachineWithoutOne_data()
    {
        QTest::addColumn<QString>("patch"); // of the price of a processor: its pricingExpression, RFC 7396
        const auto row = [](const char *patch) { QTest::newRow(patch) << QString::fromLatin1(patch); };
        row("{'usageUnit':'GiBy.h'}");
        row("{'usageUnit':'mo'}");
        row("{'usageUnit':null}");
        row("{'tieredRates':[]}");
        row("{'tieredRates':{}}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'EUR','units':'1'}}]}");
        row("{'tieredRates':[{'unitPrice':{'units':'1'}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'0','nanos':0}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'-1','nanos':-5}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'0','nanos':-5}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'0','nanos':1000000000}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'0','nanos':0.5}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'x','nanos':5}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'99999999999999999999'}}]}");
        row("{'tieredRates':[{'unitPrice':{'currencyCode':'USD','units':'1'}},{'unitPrice':{'currencyCode':'USD','"
            "units':'2'}}]}");
    }
    void aPartWithoutAClearPriceLeavesTheMachineWithoutOne()
    {
        QFETCH(QString, patch);
        std::vector<Json> skus = g2();
        skus[1]["pricingInfo"][0]["pricingExpression"].merge_patch(Json::parse(js(patch.toStdString())));
        const auto list = priced(skus, "g2-standard-24");
        QVERIFY(list.quotes.empty());
        QCOMPARE(left(list, LeftOut::Unreadable), std::size_t{1});
    }

    void theLastPricesAndThePaidTierCount()
    {
        std::vector<Json> skus = g2();
        Json &infos = skus[1]["pricingInfo"];
        infos.insert(infos.begin(), sku("x", "7")["pricingInfo"][0]);
        QCOMPARE(priceOf(priced(skus, "g2-standard-24")), std::string("2.000712000"));
        Json &tiers = infos[1]["pricingExpression"]["tieredRates"];
        tiers.insert(tiers.begin(), sku("x", "0")["pricingInfo"][0]["pricingExpression"]["tieredRates"][0]);
        QCOMPARE(priceOf(priced(skus, "g2-standard-24")), std::string("2.000712000"));
        infos = nullptr;
        QCOMPARE(left(priced(skus, "g2-standard-24"), LeftOut::Unreadable), std::size_t{1});
    }

    void aMissingPartLeavesARegionOut()
    {
        for (std::size_t i = 0; i < 3; ++i) {
            std::vector<Json> skus = g2();
            for (Json &one : skus)
                one["serviceRegions"] = {"us-central1", "europe-west4"};
            skus[i]["serviceRegions"] = {"europe-west4"};
            const auto list = priced(skus, "g2-standard-24");
            QCOMPARE(priceOf(list), std::string("2.000712000"));
            QCOMPARE(list.quotes[0].region, std::string("europe-west4"));
            QCOMPARE(left(list, LeftOut::WithoutHost), std::size_t{i > 0 ? 1u : 0u}); // without GPUs it is not there
        }
    }

    void severalPricesAreNone()
    {
        std::vector<Json> skus = g2();
        skus.push_back(sku("G2 Instance Core running in Iowa", "0.024988"));
        QCOMPARE(priceOf(priced(skus, "g2-standard-24")), std::string("2.000712000")); // twice the same
        skus.push_back(sku("G2 Instance Core running in Iowa", "0.024989"));
        QCOMPARE(left(priced(skus, "g2-standard-24"), LeftOut::Unreadable), std::size_t{1});
        std::vector<Json> mega{sku("A3Plus Instance Core running in Tokyo", "0.01"),
                               sku("A3Plus Instance Ram running in Tokyo", "0.001", "GiBy.h"),
                               sku("SSD backed Local Storage in Tokyo", "0.0001", "GiBy.h"),
                               sku("Nvidia H100 80GB Plus GPU running in Tokyo", "9")};
        QCOMPARE(priceOf(priced(mega, "a3-megagpu-8g")), std::string("76.552000000"));
        mega.push_back(sku("Nvidia H100 80GB Mega GPU running in Tokyo", "9"));
        QCOMPARE(priceOf(priced(mega, "a3-megagpu-8g")), std::string("76.552000000"));
        mega.push_back(sku("Nvidia H100 Mega 80GB GPU running in Tokyo", "8"));
        QCOMPARE(left(priced(mega, "a3-megagpu-8g"), LeftOut::Unreadable), std::size_t{1});
    }

    void typesThatAreNotKnownHaveNoPrice()
    {
        const gcp::CatalogSkus catalog(allNames());
        for (const auto &[type, machine] :
             Machines{{"a4x-highgpu-4g", {"GB200", 4'000'000}},
                      {"a3-edgegpu-8g", {"H100 SXM", 8'000'000, 208'000, 1'872'000}},
                      {"n1-standard-8", {"T4", 1'000'000, 8'000, 30'000}}, // its GPUs are attached, or not
                      {"g2-standard-4", {"L4", 1'000'000, 0, 16'000}},
                      {"g2-standard-8", {"L4", 1'000'000, 8'000, 0}}}) {
            model::QuoteList out;
            gcp::addMachinePrices(catalog, type, machine, PurchaseOption::OnDemand, out);
            QCOMPARE(left(out, LeftOut::NoPrice), std::size_t{1});
            QVERIFY(out.quotes.empty());
        }
    }

    void readsAllPagesOnceForAllLists()
    {
        Setup setup;
        setup.answers = {answer(Json{{"skus", {g2()[0]}}, {"nextPageToken", "a+b"}}.dump()),
                         answer(Json{{"nextPageToken", "c"}}.dump()), answer("", 503),
                         answer(Json{{"skus", {g2()[1], g2()[2]}}, {"nextPageToken", ""}}.dump())};
        const auto told = setup.prices().read(setup.asked, {});
        QVERIFY(told.has_value());
        QCOMPARE(priceOf(told->now), std::string("2.000712000"));
        QVERIFY(told->begins.empty());
        QCOMPARE(setup.sent.size(), std::size_t{4});
        QVERIFY(setup.sent[0].url.starts_with("https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus?"
                                              "currencyCode=USD&pageSize=5000&fields=nextPageToken%2Cskus%28"));
        QVERIFY(setup.sent[1].url.ends_with("&pageToken=a%2Bb") && setup.sent[3].url.ends_with("&pageToken=c"));
        setup.asked.list = "spot";
        QVERIFY(setup.prices().read(setup.asked, {})->now.quotes.empty());
        QCOMPARE(setup.sent.size(), std::size_t{4});
        setup.asked.now += base::Seconds{601};
        QVERIFY(setup.prices().read(setup.asked, {}).has_value());
        QCOMPARE(setup.sent.size(), std::size_t{5});
    }

    void refusesWhatIsNoPriceList()
    {
        for (const char *body : {"", "[]", "{'skus':7}", "{'skus':{}}"}) {
            Setup setup;
            setup.answers = {answer(js(body))};
            QVERIFY2(setup.prices().read(setup.asked, {}).error().code == ErrorCode::Parse, body);
        }
        Setup odd;
        odd.answers = {answer(js("{'skus':[7,null,{},{'description':7},{'description':'Nvidia L4 GPU','category':"
                                 "{'usageType':'OnDemand'},'serviceRegions':[7]}]}"))};
        QVERIFY(odd.prices().read(odd.asked, {})->now.quotes.empty());
        Setup circle;
        circle.answers.assign(3, answer(js("{'nextPageToken':'a'}")));
        QVERIFY(circle.prices().read(circle.asked, {}).error().code == ErrorCode::Parse);
    }

    void aSwitchedOffServiceIsAMissingRight()
    {
        Setup setup;
        setup.answers = {disabled(), disabled()};
        const auto told = setup.prices().read(setup.asked, {});
        QVERIFY(!told && told.error().code == ErrorCode::Forbidden);
        QCOMPARE(told.error().hint, std::string(base::text(base::Remedy::EnableBillingApi)));
        QVERIFY(told.error().text.find("SERVICE_DISABLED") != std::string::npos);
        auto findings = setup.prices().probe({});
        QVERIFY(findings.has_value());
        QCOMPARE(findings->size(), std::size_t{1});
        QVERIFY(findings->at(0).text == ports::FindingText::PricesWithheld);
        setup.answers = {answer("", 500), answer("", 500), answer("", 500), answer("", 500), answer("", 500)};
        QVERIFY(setup.prices().probe({}).error().code == ErrorCode::Server);
        findings = setup.prices().probe({});
        QVERIFY(findings->at(0).text == ports::FindingText::RightGiven);
        QVERIFY(setup.sent.back().url.find("pageSize=1&") != std::string::npos);
        setup.answers = {answer(js("{'error':{'details':[{'reason':'ACCESS_TOKEN_SCOPE_INSUFFICIENT'}]}}"), 403)};
        const auto narrow = setup.prices().read(setup.asked, {});
        QVERIFY(!narrow && narrow.error().code == ErrorCode::Forbidden); // machines may still be listed
        QCOMPARE(narrow.error().hint, std::string(base::text(base::Remedy::WidenAccessScopes)));
    }

    void theSettingsSayWhichPrices()
    {
        const auto listsOf = [](const std::string &prices, const std::string &url = {},
                                const std::string &catalog = {}) {
            Setup setup;
            setup.settings.url = url;
            setup.settings.options = {{"prices", prices}, {"prices_url", catalog}};
            const auto made = gcp::makeGcpPrices(setup.settings, setup.secrets, setup.clock, nullptr);
            return made ? (*made)->lists() : std::vector<std::string>{"?"};
        };
        const std::vector<std::string> all{"on-demand", "spot", "commitments"}, none;
        QCOMPARE(listsOf(""), all);
        QCOMPARE(listsOf("all"), all);
        QCOMPARE(listsOf("spot"), std::vector<std::string>{"spot"});
        QCOMPARE(listsOf("none"), none);
        QCOMPARE(listsOf("", "https://compute-lab.p.googleapis.com"), none);
        QCOMPARE(listsOf("all", "https://compute-lab.p.googleapis.com"), all);
        QCOMPARE(listsOf("", "https://a.example", "https://b.example"), all);
        QCOMPARE(listsOf("cheap"), std::vector<std::string>{"?"});
        QCOMPARE(listsOf("", "", "ftp://b.example"), std::vector<std::string>{"?"});
    }
};

GPULEDGER_SUITE(TestGcpPrices)

} // namespace tst_gcpprices

#include "tst_gcpprices.moc"
