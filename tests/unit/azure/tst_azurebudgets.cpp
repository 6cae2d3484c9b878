// SPDX-License-Identifier: GPL-3.0-or-later
// The budgets that Azure keeps at a scope: what its list becomes, its pages, its refusals, and what a test says of
// them.
#include "app/base/remedy.h"
#include "connectors/azure/budgets/budgetfilter.h"
#include "connectors/azure/budgets/budgetpage.h"
#include "connectors/azure/budgets/budgetperiod.h"
#include "connectors/azure/costs/azurecostsource.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <optional>

namespace tst_azurebudgets {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::FindingText;
using Level = ports::Finding::Level;
using Period = model::CloudBudgetPeriod;

namespace {

constexpr const char *kScope = "/subscriptions/11111111-2222-3333-4444-555555555555";
constexpr const char *kNumber = "11111111-2222-3333-4444-555555555555";
constexpr const char *kGrain = "'timeGrain':'Monthly'";
constexpr const char *kDays = "'timePeriod':{'startDate':'2026-01-01T00:00:00Z','endDate':'2027-12-31T00:00:00Z'}";
constexpr const char *kSpent = "'currentSpend':{'amount':80.893,'unit':'USD'}";
constexpr const char *kToken = "{'token_type':'Bearer','expires_in':3599,'access_token':'abc'}";

base::Day day(const char *text)
{
    return base::dayOf(*base::parseTime(text));
}

// A budget as the service writes it; `more` replaces the members that come before it.
std::string budget(const std::string &properties, const std::string &name = "gpus", const std::string &at = kScope)
{
    return "{'id':'" + at + "/providers/Microsoft.Consumption/budgets/" + name + "','name':'" + name
        + "','type':'Microsoft.Consumption/budgets','eTag':'\\'1d34d016a593709\\'','properties':{" + properties + "}}";
}

std::string monthly(const std::string &more = {})
{
    return std::string("'category':'Cost','amount':100.65,") + kGrain + ',' + kDays + ',' + kSpent + more;
}

std::string list(const std::string &budgets, const std::string &next = {})
{
    return "{'value':[" + budgets + ']' + (next.empty() ? next : ",'nextLink':'" + next + '\'') + '}';
}

struct Setup {
    Setup()
    {
        settings.name = "bill";
        settings.kind = "azure-costs";
        settings.auth.kind = model::AuthSettings::Kind::Basic;
        settings.auth.user = "app";
        settings.auth.password = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options = {{"scope", kNumber}, {"tenant", "contoso.example"}};
    }
    std::shared_ptr<ScriptedClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) {
            if (request.url.find("/oauth2/") != std::string::npos)
                return base::Result<http::Response>(answer(js(kToken)));
            if (request.url.find("Microsoft.CostManagement") != std::string::npos)
                return base::Result<http::Response>(answer("", costs));
            sent.push_back(request);
            if (endless)
                return base::Result<http::Response>(answer(js(list("", nextUrl(sent.size())))));
            if (answers.empty())
                return base::Result<http::Response>(answer(js(list(""))));
            http::Response first = answers.front();
            answers.erase(answers.begin());
            return base::Result<http::Response>(std::move(first));
        });
    }
    static std::string nextUrl(std::size_t number)
    {
        return std::string("https://management.azure.com") + kScope
            + "/providers/Microsoft.Consumption/budgets?api-version=2021-10-01&$skiptoken=" + std::to_string(number);
    }
    std::unique_ptr<azure::AzureBudgets> budgets()
    {
        azure::Tuning tuning = azure::promptTuning(clock);
        tuning.pause = pause;
        const auto made = *azure::CostSettings::of(settings);
        return std::make_unique<azure::AzureBudgets>(settings, made.scope, made.manager, secrets, clock, client(),
                                                     tuning);
    }
    base::Result<ports::BudgetList> read(std::stop_token stop = {}) { return budgets()->read(std::move(stop)); }
    base::Result<ports::ProbeReport> probe(std::stop_token stop = {})
    {
        azure::Tuning tuning;
        tuning.pause = pause;
        azure::AzureCostSource source(settings, *azure::CostSettings::of(settings), secrets, clock, client(), tuning,
                                      budgets());
        return source.probe(std::move(stop));
    }

    model::SourceSettings settings;
    CountedSecret secrets;
    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::vector<http::Response> answers; // to questions about budgets, in this order; afterwards there are none
    bool endless = false; // each page has another one
    int costs = 204; // status of questions about costs
    std::vector<http::Request> sent; // questions about budgets
};

// One budget of a list; std::nullopt: there is none, or there are others.
std::optional<model::CloudBudget> readOne(const std::string &text)
{
    Setup setup;
    setup.answers = {answer(js(list(text)))};
    const auto read = setup.read();
    return read && read->budgets.size() == 1 ? std::optional(read->budgets.front()) : std::nullopt;
}

std::string wordsOfFilter(const std::string &text)
{
    return azure::filterWords(*format::parseWithNumbersAsText(js(text)));
}

} // namespace

class TestAzureBudgets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsABudget()
    {
        Setup setup;
        setup.answers = {answer(js(list(budget(monthly(",'forecastSpend':{'amount':1.2E+02,'unit':'USD'},"
                                                       "'notifications':{'a':{'enabled':true,'threshold':80}}")))))};
        const auto read = setup.read();
        QVERIFY2(read && read->budgets.size() == 1, read ? "" : read.error().text.c_str());
        const model::CloudBudget &one = read->budgets.front();
        QCOMPARE(one.cloud, std::string("Microsoft"));
        QCOMPARE(one.account, std::string(kNumber));
        QCOMPARE(one.name, std::string("gpus"));
        QCOMPARE(one.scope, std::string());
        QVERIFY(one.isWholeBill && one.period == Period::Month);
        QVERIFY(one.first == day("2026-11-01") && one.last == day("2026-11-30"));
        QCOMPARE(std::string(one.currency.code()), std::string("USD"));
        QVERIFY(one.limit && one.spent && one.forecast);
        QCOMPARE(one.limit->toText(), std::string("100.65"));
        QCOMPARE(one.spent->toText(), std::string("80.893"));
        QCOMPARE(one.forecast->toText(), std::string("120"));
        QCOMPARE(read->withoutMoney + read->rejected, std::uint64_t{0});
        QCOMPARE(setup.sent.size(), std::size_t{1});
        QCOMPARE(setup.sent.front().method, std::string("GET"));
        QCOMPARE(setup.sent.front().url,
                 std::string("https://management.azure.com") + kScope
                     + "/providers/Microsoft.Consumption/budgets?api-version=2021-10-01");
        QVERIFY(setup.sent.front().credentials && setup.sent.front().credentials->bearer.reveal() == "abc");
        QVERIFY(!setup.sent.front().followsRedirects);
    }

    void keepsAmountsAsTheyWereWritten()
    {
        const auto one = readOne(budget("'category':'cost','amount':9007199254740993.25,'timeGrain':'MONTHLY',"
                                        "'currentSpend':{'amount':-0.100000000000000001,'unit':'USD'}"));
        QVERIFY(!one); // more than an amount of money can be
        const auto credit = readOne(budget("'category':'cost','amount':900719925.123456789,'timeGrain':'MONTHLY',"
                                           "'currentSpend':{'amount':-0.100000000000000001,'unit':'EUR'}"));
        QVERIFY(credit && credit->limit && credit->spent && !credit->forecast);
        QCOMPARE(credit->limit->toText(), std::string("900719925.123456789"));
        QCOMPARE(credit->spent->toText(), std::string("-0.100000000000000001"));
        QVERIFY(credit->period == Period::Month && !credit->first && !credit->last);
    }

    void whatIsNotToldIsUnknown()
    {
        const auto one = readOne(budget(std::string("'category':'Cost',") + kGrain + ',' + kDays
                                        + ",'currentSpend':{'unit':'USD'},'forecastSpend':null"));
        QVERIFY(one && !one->limit && !one->spent && !one->forecast);
        const auto forecast = readOne(budget(std::string("'category':'Cost','amount':0,") + kGrain + ',' + kDays
                                             + ",'currentSpend':{},'forecastSpend':{'amount':7,'unit':'EUR'}"));
        QVERIFY(forecast && forecast->limit && forecast->limit->isZero() && !forecast->spent && forecast->forecast);
        QCOMPARE(std::string(forecast->currency.code()), std::string("EUR"));
    }

    void onlyCostsAreMoney()
    {
        Setup setup;
        setup.answers = {answer(js(list(budget("'category':'Usage','amount':10") + ','
                                        + budget("'category':'ReservationUtilization'") + ',' + budget(monthly()))))};
        const auto read = setup.read();
        QVERIFY(read.has_value());
        QCOMPARE(read->budgets.size(), std::size_t{1});
        QCOMPARE(read->withoutMoney, std::uint64_t{2});
        QCOMPARE(read->rejected, std::uint64_t{0});
    }

    void countsWhatCantBeRead_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const std::string &text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        const std::string period = std::string(kGrain) + ',' + kDays;
        const auto cost = [&](const std::string &more) { return budget("'category':'Cost'," + period + ',' + more); };
        row("null", "null");
        row("number", "7");
        row("list", "[]");
        row("properties", "{'id':'x','name':'x','properties':'x'}");
        row("category", budget("'category':{},'amount':1," + period + ',' + kSpent));
        row("without category", budget("'amount':1," + period + ',' + kSpent));
        row("name", budget(monthly(), ""));
        row("without currency", cost("'amount':1"));
        row("not spent yet", cost("'amount':1,'currentSpend':null"));
        row("unit", cost("'amount':1,'currentSpend':{'amount':1,'unit':'Hours'}"));
        row("two currencies", cost(std::string("'amount':1,") + kSpent + ",'forecastSpend':{'amount':1,'unit':'EUR'}"));
        row("negative", cost(std::string("'amount':-1,") + kSpent));
        row("amount", cost(std::string("'amount':{},") + kSpent));
        row("text", cost(std::string("'amount':'much',") + kSpent));
        row("NaN", cost(std::string("'amount':'NaN',") + kSpent));
        row("huge", cost(std::string("'amount':1e25,") + kSpent));
        row("spent", cost("'amount':1,'currentSpend':{'amount':true,'unit':'USD'}"));
        row("forecast", cost(std::string("'amount':1,") + kSpent + ",'forecastSpend':{'amount':[],'unit':'USD'}"));
    }
    void countsWhatCantBeRead()
    {
        QFETCH(QString, text);
        Setup setup;
        setup.answers = {answer(js(list(text.toStdString() + ',' + budget(monthly()))))};
        const auto read = setup.read();
        QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
        QCOMPARE(read->rejected, std::uint64_t{1});
        QCOMPARE(read->budgets.size(), std::size_t{1}); // nothing else is lost
    }

    void cleansTexts()
    {
        const auto one = readOne(budget(monthly(), "g\\u001b[31mpus\\u202e" + std::string(5000, 'x')));
        QVERIFY(one && one->name.starts_with("g\uFFFD[31mpus\uFFFDx"));
        QVERIFY(one->name.size() < 300);
        QVERIFY(
            wordsOfFilter("{'tags':{'name':'t\\u001b','operator':'In','values':['" + std::string(5000, 'v') + "']}}")
                .find('\x1b')
            == std::string::npos);
    }

    void namesWhatAFilterLeaves_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *filter, const char *words) {
            QTest::newRow(name) << QString::fromLatin1(filter) << QString::fromLatin1(words);
        };
        const char *const unread = "a filter that can't be read";
        row("none", "null", "");
        row("empty", "{}", "");
        row("not set", "{'and':null,'dimensions':null}", "");
        row("dimension", "{'dimensions':{'name':'ResourceGroupName','operator':'In','values':['rg1','rg2']}}",
            "ResourceGroupName: rg1, rg2");
        row("tag", "{'tags':{'name':'team','operator':'in','values':['vision']},'not':null}", "tag team: vision");
        row("and",
            "{'and':[{'dimensions':{'name':'ResourceGroupName','operator':'In','values':['rg1']}},"
            "{'and':[{'tags':{'name':'team','operator':'In','values':['vision']}},"
            "{'not':{'dimensions':{'name':'ServiceName','operator':'In','values':['Storage']}}}]}]}",
            "ResourceGroupName: rg1; tag team: vision; not (ServiceName: Storage)");
        row("or",
            "{'or':[{'tags':{'name':'team','operator':'In','values':['a']}},"
            "{'tags':{'name':'team','operator':'In','values':['b']}}]}",
            "(tag team: a or tag team: b)");
        row("operator", "{'dimensions':{'name':'MeterId','operator':'Contains','values':['x']}}",
            "MeterId Contains: x");
        row("text", "'x'", unread);
        row("list", "[]", unread);
        row("unknown", "{'xor':[]}", unread);
        row("values", "{'dimensions':{'name':'n','operator':'In','values':[{}]}}", unread);
        row("name", "{'dimensions':{'operator':'In','values':['x']}}", unread);
        row("members", "{'and':{}}", unread);
        row("nothing in it", "{'and':[]}", unread);
    }
    void namesWhatAFilterLeaves()
    {
        QFETCH(QString, filter);
        QFETCH(QString, words);
        QCOMPARE(QString::fromStdString(wordsOfFilter(filter.toStdString())), words);
        const auto one = readOne(budget(monthly(",'filter':" + filter.toStdString())));
        QVERIFY(one.has_value());
        QCOMPARE(QString::fromStdString(one->scope), words);
        QCOMPARE(one->isWholeBill, words.isEmpty());
    }

    void aBudgetOfAnotherScopeIsNotTheWholeBill()
    {
        // Ids change their case, and some answers leave out the first slash.
        for (const std::string &same :
             {std::string("/Subscriptions/") + kNumber, std::string("subscriptions/") + kNumber}) {
            const auto one = readOne(budget(monthly(), "gpus", same));
            QVERIFY(one && one->isWholeBill && one->account == kNumber);
        }
        const std::string group = std::string(kScope) + "/resourceGroups/Lab";
        const auto narrow = readOne(budget(monthly(), "gpus", group));
        QVERIFY(narrow && !narrow->isWholeBill);
        QCOMPARE(narrow->account, std::string(kNumber) + "/resourcegroups/lab");
        QCOMPARE(narrow->scope, std::string("Scope: ") + kScope + "/resourcegroups/lab");
        const auto unknown = readOne(js("{'name':'x','properties':{" + monthly() + "}}"));
        QVERIFY(unknown && !unknown->isWholeBill && unknown->account == kNumber);
        const auto old = readOne(budget(monthly(",'filters':{'resourceGroups':['rg1']}")));
        QVERIFY(old && !old->isWholeBill && !old->scope.empty());
    }

    void namesTheScope_data()
    {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QString>("account");
        QTest::newRow("group") << "/subscriptions/S-1/resourceGroups/Lab"
                               << "s-1/resourcegroups/lab";
        QTest::newRow("management group") << "/providers/Microsoft.Management/managementGroups/All"
                                          << "all";
        QTest::newRow("billing account")
            << "/providers/Microsoft.Billing/billingAccounts/1:2_2019-05-31/billingProfiles/P"
            << "1:2_2019-05-31/billingprofiles/p";
    }
    void namesTheScope()
    {
        QFETCH(QString, scope);
        QFETCH(QString, account);
        Setup setup;
        setup.settings.options["scope"] = scope.toStdString();
        setup.answers = {answer(js(list(budget(monthly(), "b", scope.toStdString()))))};
        const auto read = setup.read();
        QVERIFY(read && read->budgets.size() == 1);
        QCOMPARE(QString::fromStdString(read->budgets.front().account), account);
        QVERIFY(read->budgets.front().isWholeBill);
        QVERIFY(setup.sent.front().url.find(scope.toStdString() + "/providers/Microsoft.Consumption/budgets?")
                != std::string::npos);
    }

    void findsTheCurrentPeriod_data()
    {
        QTest::addColumn<QString>("grain");
        QTest::addColumn<QString>("days"); // of the budget
        QTest::addColumn<QByteArray>("today");
        QTest::addColumn<QString>("period"); // empty: unknown
        const QString open = QStringLiteral("{'startDate':'2020-01-01T00:00:00Z'}");
        const auto row = [](const char *name, const char *grain, const QString &days, const char *today,
                            const char *period) {
            QTest::newRow(name) << QString::fromLatin1(grain) << days << QByteArray(today)
                                << QString::fromLatin1(period);
        };
        row("first of month", "Monthly", open, "2026-11-01", "2026-11-01 2026-11-30");
        row("last of month", "monthly", open, "2026-11-30", "2026-11-01 2026-11-30");
        row("leap year", "Monthly", open, "2028-02-29", "2028-02-01 2028-02-29");
        row("December", "Monthly", open, "2026-12-31", "2026-12-01 2026-12-31");
        row("quarter", "Quarterly", open, "2026-12-31", "2026-10-01 2026-12-31");
        row("first quarter", "Quarterly", open, "2027-01-01", "2027-01-01 2027-03-31");
        row("second quarter", "Quarterly", open, "2027-06-30", "2027-04-01 2027-06-30");
        row("year", "Annually", open, "2026-01-01", "2026-01-01 2026-12-31");
        row("late begin", "Annually", QStringLiteral("{'startDate':'2026-03-01','endDate':'2030-01-01'}"), "2026-11-20",
            "2026-03-01 2026-12-31");
        row("early end", "Quarterly", QStringLiteral("{'startDate':'2026-11-01','endDate':'2026-11-21T00:00:00Z'}"),
            "2026-11-21", "2026-11-01 2026-11-21");
        row("over", "Monthly", QStringLiteral("{'startDate':'2026-01-01','endDate':'2026-11-19'}"), "2026-11-20", "");
        row("later", "Monthly", QStringLiteral("{'startDate':'2026-12-01'}"), "2026-11-30", "");
        row("no end", "Monthly", QStringLiteral("{'startDate':'2026-01-01','endDate':null}"), "2026-11-20",
            "2026-11-01 2026-11-30");
        row("unreadable end", "Monthly", QStringLiteral("{'startDate':'2026-01-01','endDate':'never'}"), "2026-11-20",
            "");
        row("no begin", "Monthly", QStringLiteral("{}"), "2026-11-20", "");
        row("no dates", "Monthly", QStringLiteral("null"), "2026-11-20", "");
        row("not a day", "Monthly", QStringLiteral("{'startDate':'2026-02-30'}"), "2026-11-20", "");
        row("invoices", "BillingMonth", open, "2026-11-20", "");
        row("invoices of a quarter", "BillingQuarter", open, "2026-11-20", "");
        row("invoices of a year", "BillingAnnual", open, "2026-11-20", "");
        row("unknown", "Last7Days", open, "2026-11-20", "");
    }
    void findsTheCurrentPeriod()
    {
        QFETCH(QString, grain);
        QFETCH(QString, days);
        QFETCH(QByteArray, today);
        QFETCH(QString, period);
        const auto json = format::parseJson(js(days.toStdString()));
        QVERIFY(json.has_value());
        const auto found = azure::BudgetPeriod::of(grain.toStdString(), *json, day(today.constData()));
        QCOMPARE(found.first.has_value(), !period.isEmpty());
        QCOMPARE(found.last.has_value(), !period.isEmpty());
        if (!period.isEmpty()) {
            QVERIFY(*found.first == day(period.first(10).toLatin1().constData()));
            QVERIFY(*found.last == day(period.last(10).toLatin1().constData()));
        }
        const QString name = grain.toLower();
        QVERIFY(found.period
                == (name.endsWith(QLatin1String("monthly")) || name.endsWith(QLatin1String("month")) ? Period::Month
                        : name.contains(QLatin1String("quarter"))                                    ? Period::Quarter
                        : name.contains(QLatin1String("annual"))                                     ? Period::Year
                                                                                                     : Period::Other));
    }

    void theMonthEndsByTheClock()
    {
        Setup setup;
        setup.clock = base::FrozenClock{*base::parseTime("2026-11-30T23:59:59Z")};
        setup.answers = {answer(js(list(budget(monthly()))))};
        QVERIFY(setup.read()->budgets.front().last == day("2026-11-30"));
        setup.clock = base::FrozenClock{*base::parseTime("2026-12-01T00:00:00Z")};
        setup.answers = {answer(js(list(budget(monthly()))))};
        QVERIFY(setup.read()->budgets.front().first == day("2026-12-01"));
    }

    void followsPages()
    {
        Setup setup;
        setup.answers = {answer(js(list(budget(monthly(), "a"), Setup::nextUrl(1)))),
                         answer(js(list("", Setup::nextUrl(2)))), // an empty one in the middle
                         answer(js("{'value':[" + budget(monthly(), "b") + "],'nextLink':''}"))};
        const auto read = setup.read();
        QVERIFY(read && read->budgets.size() == 2);
        QCOMPARE(read->budgets.back().name, std::string("b"));
        QCOMPARE(setup.sent.size(), std::size_t{3});
        QCOMPARE(setup.sent.back().url, Setup::nextUrl(2));
        QCOMPARE(setup.sent.back().method, std::string("GET"));
    }

    void noPagesWithoutEnd()
    {
        Setup setup;
        setup.endless = true;
        QVERIFY(setup.read().error().code == ErrorCode::TooMuch);
        QCOMPARE(setup.sent.size(), azure::ManagerList::kMostPages);
        Setup circle;
        circle.answers = {answer(js(list("", Setup::nextUrl(1)))), answer(js(list("", Setup::nextUrl(1))))};
        QVERIFY(circle.read().error().code == ErrorCode::Parse);
        Setup crowd;
        std::string many = "{}";
        for (std::size_t i = 0; i < azure::kMostBudgets; ++i)
            many += ",{}";
        crowd.answers = {answer(js(list(many)))};
        QVERIFY(crowd.read().error().code == ErrorCode::TooMuch);
    }

    void aTokenStaysOnItsServer()
    {
        for (const char *other : {"https://evil.example/x", "http://management.azure.com/x", "x"}) {
            Setup setup;
            setup.answers = {answer(js(list(budget(monthly()), other)))};
            QVERIFY(setup.read().error().code == ErrorCode::Parse);
            QCOMPARE(setup.sent.size(), std::size_t{1});
        }
    }

    void refusesWhatIsNoList()
    {
        for (const std::string &bad :
             {std::string(), std::string("{}"), std::string("null"), std::string("[]"), js("{'value':{}}"),
              js("{'value':[{'a':1e999}]}"), std::string(100'000, '['), std::string("<html>")}) {
            Setup setup;
            setup.answers = {answer(bad)};
            const auto read = setup.read();
            QVERIFY2(!read && read.error().code == ErrorCode::Parse, bad.substr(0, 20).c_str());
        }
        Setup none;
        none.answers = {answer("", 204)};
        const auto read = none.read();
        QVERIFY(read && read->budgets.empty());
    }

    void namesTheMissingRight()
    {
        Setup setup;
        setup.answers = {answer(js("{'error':{'code':'AuthorizationFailed','message':'no\\u001b action "
                                   "Microsoft.Consumption/budgets/read'}}"),
                                403)};
        const auto refused = setup.read();
        QVERIFY(!refused && refused.error().code == ErrorCode::Forbidden);
        QVERIFY(refused.error().text.find("this needs the right Microsoft.Consumption/budgets/read")
                != std::string::npos);
        QVERIFY(refused.error().text.find('\x1b') == std::string::npos);
        QCOMPARE(refused.error().hint, std::string(base::text(base::Remedy::AllowAzureBudgets)));
    }

    void saysThatAScopeHasNoBudgets()
    {
        Setup setup;
        setup.answers = {answer(js("{'message':'No HTTP resource was found that matches the request URI.'}"), 404)};
        const auto missing = setup.read();
        QVERIFY(!missing && missing.error().code == ErrorCode::NotFound);
        for (const char *part : {"No HTTP resource was found", "may keep no budgets at the scope", kScope})
            QVERIFY2(missing.error().text.find(part) != std::string::npos, missing.error().text.c_str());
        QVERIFY(missing.error().hint.find(kScope) != std::string::npos);
        setup.answers = {answer(js("{'error':{'code':'400','message':'Invalid scope'}}"), 400)};
        const auto invalid = setup.read();
        QVERIFY(!invalid && invalid.error().code == ErrorCode::Server);
        QVERIFY(invalid.error().text.find("Invalid scope") != std::string::npos);
        QVERIFY(invalid.error().text.find("may keep no budgets") != std::string::npos);
    }

    void waitsAsAskedButNotForLong()
    {
        Setup setup;
        http::Response busy = answer("", 429);
        busy.retryAfter = base::Seconds{5};
        busy.headers = {{"x-ms-ratelimit-microsoft.consumption-retry-after", "20"}};
        setup.answers = {busy, answer(js(list(budget(monthly()))))};
        QVERIFY(setup.read().has_value());
        QCOMPARE(setup.pause->waits, (std::vector<http::Milliseconds>{http::Milliseconds{20'000}}));
        setup.answers.assign(100, busy);
        QVERIFY(setup.read().error().code == ErrorCode::RateLimited);
        QVERIFY(setup.pause->waits.size() < 6); // somebody waits for it
    }

    void renewsARefusedToken()
    {
        Setup setup;
        setup.answers = {answer("", 401), answer(js(list(budget(monthly()))))};
        QVERIFY(setup.read().has_value());
        setup.answers = {answer("", 401), answer("", 401)};
        QVERIFY(setup.read().error().code == ErrorCode::Unauthorized);
        setup.answers = {answer("", 302)};
        QVERIFY(setup.read().error().code == ErrorCode::InvalidConfig);
    }

    void canBeStopped()
    {
        Setup setup;
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(setup.read(stopped.get_token()).error().code == ErrorCode::Cancelled);
        QVERIFY(setup.budgets()->probe(stopped.get_token()).error().code == ErrorCode::Cancelled);
    }

    // Without budgets, a bill is as usable as with them.
    void aTestTellsOfBudgets_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("words"); // why they can't be read; empty: they can
        QTest::newRow("read") << 200 << "";
        QTest::newRow("right") << 403 << "it needs the right Microsoft.Consumption/budgets/read";
        QTest::newRow("scope") << 404 << "may keep no budgets";
        QTest::newRow("refused") << 400 << "may keep no budgets";
        QTest::newRow("server") << 500 << "failed";
    }
    void aTestTellsOfBudgets()
    {
        QFETCH(int, status);
        QFETCH(QString, words);
        for (const int costs : {204, 403}) {
            Setup setup;
            setup.costs = costs;
            setup.answers.assign(4, answer(js(list(budget(monthly()) + ',' + budget("'category':'Usage'"))), status));
            const auto report = setup.probe();
            QVERIFY2(report.has_value(), report ? "" : report.error().text.c_str());
            QCOMPARE(report->usable, costs == 204);
            QCOMPARE(report->findings.size(), std::size_t{3});
            const ports::Finding &last = report->findings.back();
            QVERIFY(last.text == (words.isEmpty() ? FindingText::BudgetsFound : FindingText::BudgetsUnread));
            QVERIFY(last.level == (words.isEmpty() ? Level::Good : Level::Missing));
            QCOMPARE(last.terms.size(), std::size_t{1});
            if (words.isEmpty())
                QCOMPARE(std::get<std::uint64_t>(last.terms.front()), std::uint64_t{1});
            else
                QVERIFY(std::get<std::string>(last.terms.front()).find(words.toStdString()) != std::string::npos);
        }
    }

    void isMadeFromTheSettingsOfTheBill()
    {
        Setup setup;
        const auto made =
            azure::makeAzureBudgetSource(setup.settings, setup.secrets, setup.clock, setup.clock, setup.client());
        QVERIFY(made.has_value());
        QCOMPARE((*made)->name(), std::string("bill"));
        QVERIFY((*made)->read({}).has_value());
        setup.settings.options["scope"] = "x";
        const auto refused =
            azure::makeAzureBudgetSource(setup.settings, setup.secrets, setup.clock, setup.clock, setup.client());
        QVERIFY(!refused && refused.error().code == ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(TestAzureBudgets)

} // namespace tst_azurebudgets

#include "tst_azurebudgets.moc"
