// SPDX-License-Identifier: GPL-3.0-or-later
// The reservations and savings plans of a tenant of Azure: what the lists become, their pages, their refusals, and what
// a test says of them.
#include "app/base/remedy.h"
#include "connectors/azure/commitments/azurecommitments.h"
#include "connectors/azure/commitments/commitmentpages.h"
#include "connectors/azure/costs/azurecostsource.h"
#include "connectors/format/focus/billimport.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/fleets/billtext.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTemporaryDir>
#include <QTest>

#include <optional>

namespace tst_azurecommitments {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::FindingText;
using Kind = model::CloudCommitmentKind;
using Level = ports::Finding::Level;

namespace {

constexpr const char *kServer = "https://management.azure.com";
constexpr const char *kNow = "2026-11-20T10:00:00Z";
constexpr const char *kScope = "/subscriptions/11111111-2222-3333-4444-555555555555";
constexpr const char *kReservations = "/providers/Microsoft.Capacity/reservations?api-version=2022-11-01";
constexpr const char *kPlans = "/providers/Microsoft.BillingBenefits/savingsPlans?api-version=2022-11-01";
constexpr const char *kToken = "{'token_type':'Bearer','expires_in':3599,'access_token':'abc'}";
constexpr const char *kDenied = "{'error':{'code':'AuthorizationFailed','message':'no\\u001b right'}}";
constexpr const char *kTypeOfMachines = "'reservedResourceType':'VirtualMachines'";
constexpr const char *kMeans = "'utilization':{'trend':'UP','aggregates':["
                               "{'grain':1.0,'grainUnit':'days','value':100.0,'valueUnit':'percentage'},"
                               "{'grain':7.0,'grainUnit':'days','value':78.0,'valueUnit':'percentage'},"
                               "{'grain':30.0,'grainUnit':'days','value':78.125,'valueUnit':'percentage'}]}";

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

std::string reservationId(const std::string &number)
{
    return "/providers/microsoft.capacity/reservationOrders/AAAA-1/reservations/" + number;
}

// As the service writes it.
std::string reservation(const std::string &properties, const std::string &number = "R-1",
                        const std::string &sku = "Standard_ND96isr_H100_v5")
{
    return "{'id':'" + reservationId(number) + "','name':'AAAA-1/" + number
        + "','type':'Microsoft.Capacity/reservationOrders/reservations','location':'westus','sku':{'name':'" + sku
        + "'},'properties':{" + properties + "}}";
}

std::string running(const std::string &more = {})
{
    return std::string(kTypeOfMachines)
        + ",'displayName':'gpus','quantity':2,'term':'P3Y','expiryDateTime':'2027-07-21T22:46:32.7632798Z',"
          "'provisioningState':'Succeeded','displayProvisioningState':'Succeeded'"
        + more;
}

std::string plan(const std::string &properties, const std::string &number = "P-1",
                 const std::string &sku = "Compute_Savings_Plan")
{
    return "{'id':'/providers/Microsoft.BillingBenefits/savingsPlanOrders/BBBB-2/savingsPlans/" + number
        + "','type':'Microsoft.BillingBenefits/savingsPlanOrders/savingsPlans','sku':{'name':'" + sku
        + "'},'properties':{" + properties + "}}";
}

std::string spending(const std::string &commitment = "{'grain':'Hourly','currencyCode':'USD','amount':0.001}")
{
    return "'displayName':'all','provisioningState':'Succeeded','term':'P1Y','billingPlan':'P1M',"
           "'expiryDateTime':'2027-10-19T18:05:36Z','commitment':"
        + commitment;
}

std::string list(const std::string &entries, const std::string &next = {})
{
    return js("{'value':[" + entries + "],'nextLink':" + (next.empty() ? "null" : '\'' + next + '\'') + '}');
}

struct Setup {
    Setup()
    {
        settings.name = "bill";
        settings.kind = "azure-costs";
        settings.auth.kind = model::AuthSettings::Kind::Basic;
        settings.auth.user = "app";
        settings.auth.password = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options = {{"scope", kScope}, {"tenant", "contoso.example"}};
    }
    // The next of these answers; afterwards the list is empty.
    static http::Response taken(std::vector<http::Response> &answers)
    {
        if (answers.empty())
            return answer(list(""));
        http::Response first = answers.front();
        answers.erase(answers.begin());
        return first;
    }
    std::shared_ptr<ScriptedClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) -> base::Result<http::Response> {
            if (request.url.find("/oauth2/") != std::string::npos)
                return answer(js(kToken), login);
            if (request.url.find("Microsoft.CostManagement") != std::string::npos)
                return answer("", 204);
            sent.push_back(request);
            if (endless)
                return answer(list("", nextUrl(kReservations, sent.size())));
            return taken(request.url.find("/Microsoft.Capacity/") != std::string::npos ? reservations : plans);
        });
    }
    static std::string nextUrl(const char *path, std::size_t number)
    {
        return std::string(kServer) + path + "&$skiptoken=" + std::to_string(number);
    }
    std::unique_ptr<azure::AzureCommitments> commitments()
    {
        azure::Tuning tuning = azure::promptTuning(clock);
        tuning.pause = pause;
        return std::make_unique<azure::AzureCommitments>(settings, *azure::ResourceManager::of(settings), secrets,
                                                         clock, client(), tuning);
    }
    base::Result<ports::CommitmentReport> read(std::stop_token stop = {})
    {
        return commitments()->read(at(kNow), std::move(stop));
    }

    model::SourceSettings settings;
    CountedSecret secrets;
    base::FrozenClock clock{at(kNow)};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::vector<http::Response> reservations, plans; // answers to questions, in this order
    bool endless = false; // each page has another one
    int login = 200; // status of its answers
    std::vector<http::Request> sent; // questions about commitments
};

ports::CommitmentReport readAll(const std::string &reservations, const std::string &plans = {})
{
    Setup setup;
    setup.reservations = {answer(list(reservations))};
    setup.plans = {answer(list(plans))};
    return setup.read().value_or(ports::CommitmentReport{});
}

// One commitment of the lists; std::nullopt: there is none, or there are others.
std::optional<model::CloudCommitment> readOne(const std::string &reservations, const std::string &plans = {})
{
    const ports::CommitmentReport report = readAll(reservations, plans);
    return report.commitments.size() == 1 ? std::optional(report.commitments.front()) : std::nullopt;
}

// The id of a commitment in a bill, as its reader keeps it.
std::string billedId(const std::string &told)
{
    const QTemporaryDir dir;
    const std::filesystem::path path = dir.filePath(QStringLiteral("bill.csv")).toStdString();
    writeFile(path, csvText({goodCells({{"ProviderName", "Microsoft"}, {"CommitmentDiscountId", told}})}));
    MemoryBillSink sink;
    const base::SystemClock clock;
    const ports::BillDelivery delivery{{path}};
    focus::BillImport import("cloud", delivery, sink, clock, {});
    const auto report = import.run();
    return report && sink.bills.size() == 1 ? sink.bills.begin()->second.at(0).commitment.id : std::string();
}

} // namespace

class TestAzureCommitments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAReservation()
    {
        Setup setup;
        setup.reservations = {answer(list(reservation(running(
            std::string(",'billingPlan':'Monthly','appliedScopeType':'Shared','purchaseDate':'2024-07-21',"
                        "'purchaseDateTime':'2024-07-21T22:46:32.76Z','effectiveDateTime':'2025-01-01T00:00:00Z',"
                        "'billingScopeId':'/Subscriptions/AAAA-0/x',")
            + kMeans))))};
        const auto read = setup.read();
        QVERIFY2(read && read->commitments.size() == 1, read ? "" : read.error().text.c_str());
        const model::CloudCommitment &one = read->commitments.front();
        QCOMPARE(one.cloud, std::string("Microsoft"));
        QCOMPARE(one.account, std::string("aaaa-0"));
        QCOMPARE(one.id, std::string("/providers/microsoft.capacity/reservationorders/aaaa-1/reservations/r-1"));
        QCOMPARE(one.name, std::string("gpus"));
        QVERIFY(one.kind == Kind::Reservation && !one.isMachineGpu);
        QCOMPARE(one.terms, std::string("3 years, monthly, shared"));
        QCOMPARE(one.machine, std::string("Standard_ND96isr_H100_v5"));
        QCOMPARE(one.region, std::string("westus"));
        QVERIFY(one.count == 2 && !one.perHour && !one.unused);
        QVERIFY(one.start == at("2024-07-21T22:46:32Z") && one.end == at("2027-07-21T22:46:32Z"));
        QVERIFY(one.utilization == 0.78125);
        QVERIFY(one.first == base::dayOf(at("2026-10-21")) && one.last == base::dayOf(at("2026-11-19")));
        QVERIFY(read->coverage.empty() && read->withheld.empty() && read->rejected == 0);
        QCOMPARE(setup.sent.size(), std::size_t{2});
        QCOMPARE(setup.sent.at(0).url, std::string(kServer) + kReservations);
        QCOMPARE(setup.sent.at(1).url, std::string(kServer) + kPlans);
        QCOMPARE(setup.sent.at(0).method, std::string("GET"));
        QVERIFY(setup.sent.at(0).credentials && setup.sent.at(0).credentials->bearer.reveal() == "abc");
        QVERIFY(!setup.sent.at(0).followsRedirects);
    }

    void readsASavingsPlan()
    {
        const auto one = readOne("",
                                 plan(spending("{'grain':'Hourly','currencyCode':'EUR','amount':12.500000000000000001}")
                                      + ",'appliedScopeType':'Single','userFriendlyAppliedScopeType':'ResourceGroup',"
                                        "'billingScopeId':'/providers/Microsoft.Billing/billingAccounts/1',"
                                        "'purchaseDateTime':'2025-10-19T18:03:56Z',"
                                        "'effectiveDateTime':'2025-10-19T18:05:37.1034288Z','utilization':null"));
        QVERIFY(one.has_value());
        QCOMPARE(one->cloud, std::string("Microsoft"));
        QCOMPARE(one->account, std::string()); // a billing account bought it
        QCOMPARE(one->id,
                 std::string("/providers/microsoft.billingbenefits/savingsplanorders/bbbb-2/savingsplans/p-1"));
        QCOMPARE(one->name, std::string("all"));
        QVERIFY(one->kind == Kind::SavingsPlan && one->machine.empty() && one->region.empty() && !one->count);
        QCOMPARE(one->terms, std::string("1 year, monthly, single resource group"));
        QVERIFY(one->perHour && one->perHour->toText() == "12.500000000000000001");
        QCOMPARE(std::string(one->currency.code()), std::string("EUR"));
        QVERIFY(one->start == at("2025-10-19T18:05:37Z") && one->end == at("2027-10-19T18:05:36Z"));
        QVERIFY(!one->utilization && !one->first && !one->last && !one->unused);
    }

    // Otherwise nothing of the bill is shown beside it.
    void idsAreThoseOfBills()
    {
        for (const char *told : {"/providers/Microsoft.Capacity/reservationOrders/AAAA-1/reservations/R-1",
                                 "/providers/microsoft.capacity/reservationorders/aaaa-1/reservations/r-1"})
            QCOMPARE(readOne(reservation(running()))->id, billedId(told));
        QCOMPARE(readOne("", plan(spending()))->id,
                 billedId("/providers/Microsoft.BillingBenefits/savingsPlanOrders/bbbb-2/savingsPlans/P-1"));
        const auto bare = readOne("{'id':'providers/A/B','sku':{'name':'s'},'properties':{" + running() + "}}");
        QCOMPARE(bare->id, billedId("/Providers/a/b"));
    }

    void whatIsNotToldIsUnknown()
    {
        const auto one =
            readOne("{'id':'/R','sku':{'name':'s'},'location':'Global','properties':{" + std::string(kTypeOfMachines)
                    + ",'quantity':null,'displayName':null,'billingScopeId':null,'expiryDateTime':'soon',"
                      "'purchaseDateTime':'0001-01-01T00:00:00Z'}}");
        QVERIFY(one && one->account.empty() && one->name.empty() && one->terms.empty() && one->region.empty());
        QVERIFY(!one->count && !one->start && !one->end && !one->perHour && !one->utilization);
        const auto spend = readOne("", plan(spending("null")));
        QVERIFY(spend && !spend->perHour);
        const auto daily = readOne("", plan(spending("{'grain':'Daily','currencyCode':'USD','amount':1}")));
        QVERIFY(daily && !daily->perHour);
        const auto words = readOne("", plan("'term':'P7Y\\u001b','userFriendlyAppliedScopeType':'Moon'"));
        QVERIFY(words && words->terms == "P7Y\uFFFD, Moon");
    }

    void readsTheUse_data()
    {
        QTest::addColumn<QString>("aggregates");
        QTest::addColumn<int>("days"); // 0: unknown
        const auto row = [](const char *name, const char *aggregates, int days) {
            QTest::newRow(name) << QString::fromLatin1(aggregates) << days;
        };
        row("month", "[{'grain':30,'grainUnit':'days','value':50,'valueUnit':'percentage'}]", 30);
        row("week",
            "[{'grain':1,'grainUnit':'days','value':7,'valueUnit':'percentage'},"
            "{'grain':7,'grainUnit':'Days','value':50.0,'valueUnit':'Percentage'}]",
            7);
        row("day", "[{'grain':1.0,'grainUnit':'days','value':5E1,'valueUnit':'percentage'}]", 1);
        row("unreadable month",
            "[{'grain':30,'grainUnit':'days','value':null,'valueUnit':'percentage'},"
            "{'grain':7,'grainUnit':'days','value':50,'valueUnit':'percentage'}]",
            7);
        row("hours", "[{'grain':30,'grainUnit':'hours','value':50,'valueUnit':'percentage'}]", 0);
        row("unit", "[{'grain':30,'grainUnit':'days','value':50,'valueUnit':'USD'}]", 0);
        row("too much", "[{'grain':30,'grainUnit':'days','value':100.1,'valueUnit':'percentage'}]", 0);
        row("negative", "[{'grain':30,'grainUnit':'days','value':-1,'valueUnit':'percentage'}]", 0);
        row("NaN", "[{'grain':30,'grainUnit':'days','value':'NaN','valueUnit':'percentage'}]", 0);
        row("none", "[]", 0);
        row("null", "null", 0);
        row("others", "[null,7,'x',{},[]]", 0);
        row("object", "{'grain':30}", 0);
    }
    void readsTheUse()
    {
        QFETCH(QString, aggregates);
        QFETCH(int, days);
        const auto one =
            readOne(reservation(running(",'utilization':{'aggregates':" + aggregates.toStdString() + '}')));
        QVERIFY(one.has_value());
        QCOMPARE(one->utilization.has_value(), days != 0);
        QCOMPARE(one->first.has_value() && one->last.has_value(), days != 0);
        if (days == 0)
            return;
        QVERIFY(*one->utilization == 0.5);
        QCOMPARE(one->last->number - one->first->number + 1, days);
        QVERIFY(*one->last == base::dayOf(at("2026-11-19")));
    }

    void leavesOutWhatIsOverOrForOtherThings_data()
    {
        QTest::addColumn<QString>("reservations");
        QTest::addColumn<QString>("plans");
        const auto row = [](const char *name, const std::string &reservations, const std::string &plans) {
            QTest::newRow(name) << QString::fromStdString(reservations) << QString::fromStdString(plans);
        };
        const auto machine = [](const std::string &more) { return reservation(kTypeOfMachines + (',' + more)); };
        for (const char *state : {"Cancelled", "Expired", "Failed", "BillingFailed", "Split", "Merged"}) {
            const std::string name(state);
            row(state, machine("'provisioningState':'" + name + '\''), plan("'provisioningState':'" + name + '\''));
            row((name + ", shown").c_str(), machine("'displayProvisioningState':'" + name + '\''), "");
        }
        row("status", machine("'extendedStatusInfo':{'statusCode':'Merged'}"), "");
        row("ended now", machine("'expiryDateTime':'2026-11-20T10:00:00Z'"), "");
        row("ended yesterday", machine("'expiryDate':'2026-11-19'"), "");
        row("split", machine("'splitProperties':{'splitDestinations':['a','b']}"), "");
        row("merged", machine("'mergeProperties':{'mergeDestination':'a'}"), "");
        row("exchanged", machine("'swapProperties':{'swapDestination':'a'}"), "");
        row("ended plan", "", plan("'expiryDateTime':'2020-01-01T00:00:00Z'"));
        row("databases", reservation("'reservedResourceType':'SqlDatabases'"),
            plan("", "P-1", "Database_Savings_Plan"));
        row("unreadable, of something else", "{'properties':{'reservedResourceType':'CosmosDb'}}", "");
    }
    void leavesOutWhatIsOverOrForOtherThings()
    {
        QFETCH(QString, reservations);
        QFETCH(QString, plans);
        const ports::CommitmentReport report = readAll(reservations.toStdString(), plans.toStdString());
        QVERIFY(report.commitments.empty());
        QCOMPARE(report.rejected, std::uint64_t{0});
    }

    void keepsWhatIsNotOver()
    {
        for (const char *more : {"'expiryDateTime':'2026-11-20T10:00:01Z'", "'expiryDate':'2026-11-20'",
                                 "'displayProvisioningState':'Expiring'", "'displayProvisioningState':'NoBenefit'",
                                 "'splitProperties':{'splitDestinations':[],'splitSource':'a'},'mergeProperties':null",
                                 "'swapProperties':{'swapSource':'a','swapDestination':''}"})
            QVERIFY2(readOne(reservation(std::string(kTypeOfMachines) + ',' + more)), more);
        QVERIFY(readOne(reservation("'reservedResourceType':'virtualmachines'")).has_value());
        QVERIFY(readOne("", plan("", "P-1", "")).has_value());
    }

    void countsWhatCantBeRead_data()
    {
        QTest::addColumn<QString>("reservation");
        QTest::addColumn<QString>("plan");
        const auto row = [](const char *name, const std::string &reservation, const std::string &plan) {
            QTest::newRow(name) << QString::fromStdString(reservation) << QString::fromStdString(plan);
        };
        const auto amount = [](const std::string &commitment) { return plan(spending(commitment), "P-2"); };
        row("null", "null", "");
        row("number", "7", "");
        row("list", "[]", "");
        row("nothing", "{}", "");
        row("properties", "{'id':'x','sku':{'name':'s'},'properties':'x'}", "");
        row("id", "{'id':true,'sku':{'name':'s'},'properties':{" + running() + "}}", "");
        row("machine", reservation(running(), "R-2", ""), "");
        row("type", reservation("'reservedResourceType':true", "R-2"), "");
        for (const char *bad : {"0", "-1", "1.5", "1e25", "'x'", "{}", "true"})
            row((std::string("count ") + bad).c_str(),
                reservation(kTypeOfMachines + std::string(",'quantity':") + bad, "R-2"), "");
        row("empty plan", "", "{}");
        row("commitment", "", amount("'x'"));
        row("currency", "", amount("{'grain':'Hourly','amount':1}"));
        row("no currency", "", amount("{'grain':'Hourly','amount':1,'currencyCode':'dollars'}"));
        for (const char *bad : {"-1", "1e25", "{}", "'NaN'", "true"})
            row((std::string("amount ") + bad).c_str(), "",
                amount(std::string("{'grain':'Hourly','currencyCode':'USD','amount':") + bad + '}'));
    }
    void countsWhatCantBeRead()
    {
        QFETCH(QString, reservation);
        QFETCH(QString, plan);
        const std::string good = tst_azurecommitments::reservation(running());
        const ports::CommitmentReport report =
            readAll(reservation.isEmpty() ? good : reservation.toStdString() + ',' + good, plan.toStdString());
        QCOMPARE(report.rejected, std::uint64_t{1});
        QCOMPARE(report.commitments.size(), std::size_t{1}); // nothing else is lost
    }

    void cleansTexts()
    {
        const std::string tail(5000, 'x');
        const auto one =
            readOne(reservation(kTypeOfMachines + (",'displayName':'g\\u001b[31m\\u202e" + tail) + "','term':'" + tail
                                    + "','billingScopeId':'/subscriptions/a\\u001b" + tail + '\'',
                                tail, "S\\u0000" + tail));
        QVERIFY(one && one->name.starts_with("g\uFFFD[31m\uFFFDx"));
        for (const std::string *text : {&one->id, &one->name, &one->terms, &one->account, &one->machine}) {
            QVERIFY(!text->empty() && text->size() < 600);
            QVERIFY(text->find('\x1b') == std::string::npos && text->find('\0') == std::string::npos);
        }
    }

    void followsPages()
    {
        Setup setup;
        setup.reservations = {answer(list(reservation(running(), "a"), Setup::nextUrl(kReservations, 1))),
                              answer(list("", Setup::nextUrl(kReservations, 2))), // an empty one in the middle
                              answer(list(reservation(running(), "A") + ',' + reservation(running(), "b")))};
        setup.plans = {answer(list(plan(spending(), "c"), Setup::nextUrl(kPlans, 1))),
                       answer(js("{'value':[" + plan(spending(), "d") + "],'nextLink':''}"))};
        const auto read = setup.read();
        QVERIFY(read && read->commitments.size() == 4); // one came twice, because offsets shift
        QVERIFY(read->commitments.at(1).id.ends_with("/b") && read->commitments.at(3).id.ends_with("/d"));
        QCOMPARE(setup.sent.size(), std::size_t{5});
        QCOMPARE(setup.sent.at(2).url, Setup::nextUrl(kReservations, 2));
        QCOMPARE(read->rejected, std::uint64_t{0});
    }

    void noPagesWithoutEnd()
    {
        Setup setup;
        setup.endless = true;
        QVERIFY(setup.read().error().code == ErrorCode::TooMuch);
        QCOMPARE(setup.sent.size(), azure::ManagerList::kMostPages);
        Setup circle;
        circle.plans = {answer(list("", Setup::nextUrl(kPlans, 1))), answer(list("", Setup::nextUrl(kPlans, 1)))};
        QVERIFY(circle.read().error().code == ErrorCode::Parse);
        Setup crowd;
        std::string many = "{}";
        for (std::size_t i = 0; i < azure::CommitmentPages::kMostEntries; ++i)
            many += ",{}";
        crowd.reservations = {answer(list(many))};
        QVERIFY(crowd.read().error().code == ErrorCode::TooMuch);
    }

    void aTokenStaysOnItsServer()
    {
        for (const char *other : {"https://evil.example/x", "http://management.azure.com/x", "x"}) {
            Setup setup;
            setup.reservations = {answer(list(reservation(running()), other))};
            QVERIFY(setup.read().error().code == ErrorCode::Parse);
            QCOMPARE(setup.sent.size(), std::size_t{1});
        }
    }

    void refusesWhatIsNoList()
    {
        for (const std::string &bad : {std::string(), std::string("{}"), std::string("null"), std::string("[]"),
                                       js("{'value':{}}"), js("{'value':[{'a':1e999}]}"), std::string(100'000, '['),
                                       std::string("<html>"), list(reservation(running())).substr(0, 200)}) {
            Setup setup;
            setup.plans = {answer(bad)};
            const auto read = setup.read();
            QVERIFY2(!read && read.error().code == ErrorCode::Parse, bad.substr(0, 20).c_str());
        }
        Setup none;
        none.reservations = none.plans = {answer("", 204)};
        QVERIFY(none.read() == ports::CommitmentReport{});
    }

    void tellsTheOtherListIfOneIsRefused()
    {
        Setup setup;
        setup.reservations = {answer(js(kDenied), 403)};
        setup.plans = {answer(list(plan(spending())))};
        auto read = setup.read();
        QVERIFY(read && read->commitments.size() == 1);
        QCOMPARE(read->withheld,
                 std::vector<std::string>{"reservations can't be read without the role Reservations Reader"});
        // Whatever its status is.
        for (const int status : {200, 400, 404, 500}) {
            setup.reservations = {answer(list(reservation(running())))};
            setup.plans = {answer(js(kDenied), status)};
            read = setup.read();
            QVERIFY2(read && read->commitments.size() == 1, read ? "" : read.error().text.c_str());
            QCOMPARE(read->withheld,
                     std::vector<std::string>{"savings plans can't be read without the role Savings plan Reader"});
        }
    }

    void isForbiddenIfBothAreRefused()
    {
        Setup setup;
        setup.reservations = {answer("", 403)};
        setup.plans = {answer(js(kDenied), 403)};
        const auto read = setup.read();
        QVERIFY(!read && read.error().code == ErrorCode::Forbidden);
        for (const char *part : {"AuthorizationFailed", "the roles Reservations Reader and Savings plan Reader"})
            QVERIFY2(read.error().text.find(part) != std::string::npos, read.error().text.c_str());
        QVERIFY(read.error().text.find('\x1b') == std::string::npos);
        QCOMPARE(read.error().hint, std::string(base::text(base::Remedy::AllowAzureCommitments)));
    }

    void otherFailuresFailTheReading()
    {
        Setup setup;
        setup.plans = {answer(js("{'error':{'code':'NoRegisteredProviderFound'}}"), 404)};
        auto read = setup.read();
        QVERIFY(!read && read.error().code == ErrorCode::NotFound);
        setup.plans.assign(10, answer("", 500));
        QVERIFY(setup.read().error().code == ErrorCode::Server);
        setup.reservations = {answer(js(kDenied), 401), answer(js(kDenied), 401)};
        QVERIFY(setup.read().error().code == ErrorCode::Unauthorized);
        setup.reservations = {answer("", 401)}; // the token is renewed once
        setup.plans.clear();
        QVERIFY(setup.read().has_value());
        setup.login = 403; // nothing is known of the roles then
        read = setup.read();
        QVERIFY(!read && read.error().hint != base::text(base::Remedy::AllowAzureCommitments));
    }

    void canBeStopped()
    {
        Setup setup;
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(setup.read(stopped.get_token()).error().code == ErrorCode::Cancelled);
        QVERIFY(setup.commitments()->probe(stopped.get_token()).error().code == ErrorCode::Cancelled);
    }

    // Without commitments, a bill is as usable as with them.
    void aTestTellsOfCommitments_data()
    {
        QTest::addColumn<int>("reservations"); // status
        QTest::addColumn<int>("plans");
        QTest::addColumn<QStringList>("words"); // why they can't be read
        QTest::newRow("read") << 200 << 200 << QStringList{};
        QTest::newRow("no reservations") << 403 << 200
                                         << QStringList{
                                                QStringLiteral("reservations need the role Reservations Reader")};
        QTest::newRow("no plans") << 200 << 403
                                  << QStringList{QStringLiteral("savings plans need the role Savings plan Reader")};
        QTest::newRow("neither") << 403 << 403
                                 << QStringList{QStringLiteral(
                                        "they need the roles Reservations Reader and Savings plan Reader")};
        QTest::newRow("server") << 500 << 200 << QStringList{QStringLiteral("failed")};
    }
    void aTestTellsOfCommitments()
    {
        QFETCH(int, reservations);
        QFETCH(int, plans);
        QFETCH(QStringList, words);
        Setup setup;
        setup.reservations.assign(4, answer(list(reservation(running())), reservations));
        setup.plans.assign(4, answer(list(plan(spending())), plans));
        azure::Tuning tuning;
        tuning.pause = setup.pause;
        azure::AzureCostSource source(setup.settings, *azure::CostSettings::of(setup.settings), setup.secrets,
                                      setup.clock, setup.client(), tuning, nullptr, setup.commitments());
        const auto report = source.probe({});
        QVERIFY2(report && report->usable, report ? "" : report.error().text.c_str());
        std::vector<ports::Finding> findings(report->findings.begin() + 2, report->findings.end());
        const bool isTold = findings.front().text == FindingText::CommitmentsFound;
        QCOMPARE(isTold, reservations == 200 || plans == 200 ? reservations != 500 : false);
        if (isTold) {
            QVERIFY(findings.front().level == Level::Good);
            QCOMPARE(std::get<std::uint64_t>(findings.front().terms.at(0)),
                     std::uint64_t{reservations == plans ? 2U : 1U});
            findings.erase(findings.begin());
        }
        QCOMPARE(qsizetype(findings.size()), words.size());
        for (std::size_t i = 0; i < findings.size(); ++i) {
            QVERIFY(findings[i].text == FindingText::CommitmentsUnread && findings[i].level == Level::Missing);
            const QString said = QString::fromStdString(std::get<std::string>(findings[i].terms.at(0)));
            QVERIFY2(said.contains(words.at(qsizetype(i))), qPrintable(said));
        }
    }

    void isMadeFromTheSettingsOfTheBill()
    {
        Setup setup;
        const auto made =
            azure::makeAzureCommitmentSource(setup.settings, setup.secrets, setup.clock, setup.clock, setup.client());
        QVERIFY(made.has_value());
        QCOMPARE((*made)->name(), std::string("bill"));
        QVERIFY((*made)->read(at(kNow), {}).has_value());
        QVERIFY((*made)->refresh() == base::kDay && !(*made)->paid());
        setup.settings.url = "x";
        const auto refused =
            azure::makeAzureCommitmentSource(setup.settings, setup.secrets, setup.clock, setup.clock, setup.client());
        QVERIFY(!refused && refused.error().code == ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(TestAzureCommitments)

} // namespace tst_azurecommitments

#include "tst_azurecommitments.moc"
