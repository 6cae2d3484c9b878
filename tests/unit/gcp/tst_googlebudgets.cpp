// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets of a billing account: pages of the Cloud Billing Budget API, limits, refusals, and what the connection test
// of a bill says of them.
#include "app/base/remedy.h"
#include "connectors/format/json.h"
#include "connectors/gcp/bigquerysource.h"
#include "connectors/gcp/budgets/googlebudgets.h"
#include "tests/support/suite.h"
#include "tests/unit/gcp/fakemonitoring.h"

#include <QTest>

#include <memory>

namespace tst_googlebudgets {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using base::Remedy;
using model::CloudBudgetPeriod;
using tst_monitoring::fault;
using Json = nlohmann::json;
using Text = ports::FindingText;

namespace {

constexpr const char *kAccount = "01AB23-CD45EF-678901";
constexpr const char *kNamedTable = "gcp_billing_export_resource_v1_01AB23_CD45EF_678901";
constexpr const char *kOwnTable = "billing_copy";

base::UtcTime at(const std::string &text)
{
    return *base::parseTime(text);
}

std::string dayText(const std::optional<base::Day> &day)
{
    constexpr std::size_t kDate = 10;
    return day ? base::toRfc3339(day->start()).substr(0, kDate) : "?";
}

// A budget of 1,000 US dollars a month for everything, with a merge patch.
Json budget(const std::string &id, const char *patch = "{}")
{
    Json out{{"name", std::string("billingAccounts/") + kAccount + "/budgets/" + id},
             {"displayName", "Budget " + id},
             {"budgetFilter", {{"creditTypesTreatment", "INCLUDE_ALL_CREDITS"}, {"calendarPeriod", "MONTH"}}},
             {"amount", {{"specifiedAmount", {{"currencyCode", "USD"}, {"units", "1000"}}}}},
             {"thresholdRules", Json::array({{{"thresholdPercent", 0.9}, {"spendBasis", "CURRENT_SPEND"}}})},
             {"etag", "abc"}};
    out.merge_patch(*format::parseJson(js(patch)));
    return out;
}

http::Response pageOf(const std::vector<Json> &budgets, const std::string &next = {})
{
    Json page{{"budgets", budgets}};
    if (!next.empty())
        page["nextPageToken"] = next;
    return answer(page.dump());
}

struct Budgets {
    explicit Budgets(const char *table = kNamedTable)
    {
        settings.name = "bill";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options = {
            {"project", "lab-billing"}, {"dataset", "billing"}, {"table", table}, {"commitment_projects", "none"}};
        tuning.pause = pause;
    }
    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) -> base::Result<http::Response> {
            if (request.url.find("/bigquery/v2/") != std::string::npos)
                return bigquery;
            asked.push_back(request);
            const QUrl url(QString::fromStdString(request.url).replace(QLatin1Char('+'), QLatin1String("%20")));
            const QUrlQuery query(url);
            if (url.path() != QLatin1String("/v1/billingAccounts/01AB23-CD45EF-678901/budgets")
                || query.queryItemValue(QLatin1String("pageSize")) != QLatin1String("100"))
                return fault(404, "Requested entity was not found.");
            return pages(query.queryItemValue(QLatin1String("pageToken"), QUrl::FullyDecoded).toStdString());
        });
    }
    gcp::BillSettings bill() const { return gcp::BillSettings::of(settings).value(); }
    base::Result<ports::BudgetList> read(std::stop_token stop = {})
    {
        gcp::GoogleBudgets source(settings, bill(), secrets, clock, clock, client(), tuning);
        return source.read(std::move(stop));
    }
    // Of a billing account with these budgets.
    ports::BudgetList readOf(const std::vector<Json> &budgets)
    {
        pages = [=](const std::string &) { return pageOf(budgets); };
        return read().value();
    }
    base::Result<ports::ProbeReport> probe()
    {
        gcp::BigQuerySource source(settings, bill(), secrets, clock, clock, client(), tuning);
        return source.probe({});
    }

    model::SourceSettings settings;
    OneSecret secrets{"canary-token"};
    base::FrozenClock clock{at("2026-11-20T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    gcp::Tuning tuning;
    std::function<base::Result<http::Response>(const std::string &)> pages = [](const std::string &) {
        return pageOf({});
    }; // by page token
    http::Response bigquery = answer(js("{'totalBytesProcessed':'100'}"));
    std::vector<http::Request> asked; // for budgets
};

std::string limitText(const model::CloudBudget &one)
{
    return one.limit ? one.limit->toText() + ' ' + std::string(one.currency.code()) : "none";
}

// Of an amount: the limit, or "rejected".
std::string limitIn(const char *amount)
{
    Json one = budget("1");
    one["amount"] = *format::parseJson(js(amount));
    Budgets setup;
    const ports::BudgetList list = setup.readOf({one});
    if (list.budgets.size() + list.rejected != 1)
        return "lost";
    return list.budgets.empty() ? "rejected" : limitText(list.budgets.front());
}

} // namespace

class TestGoogleBudgets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBudgetOfEverythingIsOneOfTheWholeBill()
    {
        Budgets setup;
        const ports::BudgetList list = setup.readOf({budget("a1")});
        QCOMPARE(list.budgets.size(), std::size_t{1});
        const model::CloudBudget &one = list.budgets.front();
        QCOMPARE(one.cloud + '/' + one.account + '/' + one.name,
                 std::string("Google Cloud/01AB23-CD45EF-678901/Budget a1"));
        QVERIFY(one.scope.empty() && one.isWholeBill && one.period == CloudBudgetPeriod::Month);
        QCOMPARE(dayText(one.first) + ' ' + dayText(one.last), std::string("2026-11-01 2026-11-30"));
        QCOMPARE(limitText(one), std::string("1000 USD"));
        QVERIFY(!one.spent && !one.forecast); // Google does not tell them
        QVERIFY(list.rejected == 0 && list.withoutMoney == 0);
        QCOMPARE(setup.asked.size(), std::size_t{1});
        const http::Request &asked = setup.asked.front();
        QVERIFY(asked.url.starts_with("https://billingbudgets.googleapis.com/v1/billingAccounts/"));
        QVERIFY(asked.method == "GET" && asked.credentials && !asked.followsRedirects);
    }

    void noBudgetsAreNoError()
    {
        Budgets setup;
        for (const char *body : {"{}", "{'budgets':null}", "{'budgets':[],'nextPageToken':''}"}) {
            setup.pages = [&](const std::string &) { return answer(js(body)); };
            const auto list = setup.read();
            QVERIFY2(list && list->budgets.empty() && list->rejected == 0, body);
        }
    }

    void aFilterMakesItAPart()
    {
        Budgets setup;
        const ports::BudgetList list =
            setup.readOf({budget("1", "{'budgetFilter':{'projects':['projects/p1'],'labels':{'team':['vision']}}}"),
                          budget("2", "{'budgetFilter':{'projects':'projects/p1'}}"), // it can't be read
                          budget("3", "{'budgetFilter':{'creditTypesTreatment':'EXCLUDE_ALL_CREDITS'}}"),
                          budget("4", "{'budgetFilter':{'regions':['europe-west4']}}"), // Google may add one
                          budget("5", "{'budgetFilter':null}")});
        QCOMPARE(list.rejected, std::uint64_t{1});
        QCOMPARE(list.budgets.size(), std::size_t{4});
        QCOMPARE(list.budgets[0].scope, std::string("Projects: p1; Labels: team=vision"));
        for (std::size_t i = 0; i < list.budgets.size(); ++i)
            QCOMPARE(list.budgets[i].isWholeBill, i == 3);
    }

    // Google's day ends hours later; here it is that of UTC, on both sides of midnight.
    void theDayIsThatOfUtc()
    {
        Budgets setup;
        for (const auto &[now, first] :
             {std::pair("2026-11-30T23:59:59Z", "2026-11-01"), std::pair("2026-12-01T00:00:00Z", "2026-12-01")}) {
            setup.clock = base::FrozenClock{at(now)};
            QCOMPARE(dayText(setup.readOf({budget("1")}).budgets.at(0).first), std::string(first));
        }
    }

    void periodsHaveTheirKind()
    {
        Budgets setup;
        const ports::BudgetList list = setup.readOf(
            {budget("1", "{'budgetFilter':{'calendarPeriod':null}}"),
             budget("2", "{'budgetFilter':{'calendarPeriod':'QUARTER'}}"),
             budget("3", "{'budgetFilter':{'calendarPeriod':'YEAR'}}"),
             budget("4", "{'budgetFilter':{'calendarPeriod':'DECADE'}}"),
             budget("5", "{'budgetFilter':{'customPeriod':{'startDate':{'year':2026,'month':2,'day':10}}}}")});
        QCOMPARE(list.budgets.size(), std::size_t{5});
        const std::array<CloudBudgetPeriod, 5> kinds{CloudBudgetPeriod::Month, CloudBudgetPeriod::Quarter,
                                                     CloudBudgetPeriod::Year, CloudBudgetPeriod::Other,
                                                     CloudBudgetPeriod::Other};
        for (std::size_t i = 0; i < kinds.size(); ++i)
            QVERIFY(list.budgets[i].period == kinds[i]);
    }

    void limitsAreExact_data()
    {
        QTest::addColumn<QString>("amount");
        QTest::addColumn<QString>("limit");
        const auto row = [](const char *money, const char *limit) {
            QTest::newRow(money) << QString::fromLatin1("{'specifiedAmount':%1}").arg(QString::fromLatin1(money))
                                 << QString::fromLatin1(limit);
        };
        row("{'currencyCode':'USD','units':'1000','nanos':500000000}", "1000.5 USD");
        row("{'currencyCode':'EUR','units':'9007199254740993','nanos':1}", "9007199254740993.000000001 EUR");
        row("{'currencyCode':'JPY','units':'9223372036854775807'}", "9223372036854775807 JPY");
        row("{'currencyCode':'USD','nanos':10000000}", "0.01 USD");
        row("{'currencyCode':'USD','units':250}", "250 USD"); // numbers are allowed in proto3's JSON
        row("{'currencyCode':'USD'}", "0 USD"); // both may be absent
        row("{'currencyCode':'USD','units':'-1'}", "rejected");
        row("{'currencyCode':'USD','units':'1','nanos':-1}", "rejected");
        row("{'currencyCode':'USD','units':'1','nanos':1000000000}", "rejected");
        row("{'currencyCode':'USD','units':'9223372036854775808'}", "rejected");
        row("{'currencyCode':'USD','units':9223372036854775808}", "rejected");
        row("{'currencyCode':'USD','units':'1e3'}", "rejected");
        row("{'currencyCode':'USD','units':'NaN'}", "rejected");
        row("{'currencyCode':'USD','units':''}", "rejected");
        row("{'currencyCode':'USD','units':1.5}", "rejected");
        row("{'currencyCode':'USD','units':true}", "rejected");
        row("{'currencyCode':'USD','units':{}}", "rejected");
        row("{'currencyCode':'usd','units':'1'}", "rejected");
        row("{'currencyCode':7,'units':'1'}", "rejected");
        row("{'units':'1'}", "rejected"); // nothing tells the currency
        row("[]", "rejected");
        row("'1000'", "rejected");
        const auto whole = [](const char *amount, const char *limit) {
            QTest::newRow(amount) << QString::fromLatin1(amount) << QString::fromLatin1(limit);
        };
        whole("{'lastPeriodAmount':{}}", "none");
        whole("{}", "rejected");
        whole("null", "rejected");
        whole("{'lastPeriodAmount':7}", "rejected");
        whole("[1]", "rejected");
    }
    void limitsAreExact()
    {
        QFETCH(QString, amount);
        QFETCH(QString, limit);
        QCOMPARE(limitIn(amount.toLatin1().constData()), limit.toStdString());
    }

    // All budgets of a billing account are in its currency.
    void aMissingCurrencyIsThatOfTheOthers()
    {
        const char *const kBare = "{'amount':{'specifiedAmount':{'currencyCode':''}}}";
        const char *const kLast = "{'amount':{'specifiedAmount':null,'lastPeriodAmount':{}}}";
        const char *const kEuro = "{'amount':{'specifiedAmount':{'currencyCode':'EUR'}}}";
        Budgets setup;
        ports::BudgetList list = setup.readOf({budget("1", kBare), budget("2", kLast), budget("3", kEuro)});
        QCOMPARE(list.budgets.size(), std::size_t{3});
        QCOMPARE(limitText(list.budgets[0]), std::string("1000 EUR"));
        QVERIFY(!list.budgets[1].limit && list.budgets[1].currency == list.budgets[2].currency);
        list = setup.readOf({budget("1", kBare), budget("2", kLast)}); // unknown
        QVERIFY(list.rejected == 1 && list.budgets.size() == 1 && list.budgets[0].currency == base::Currency());
        list = setup.readOf({budget("1", kBare), budget("2"), budget("3", kEuro)}); // they do not agree
        QVERIFY(list.rejected == 1 && list.budgets.size() == 2);
    }

    void namesArePrintable()
    {
        Budgets setup;
        Json nameless = budget("4", "{'displayName':null}");
        nameless["name"] = 7;
        const ports::BudgetList list =
            setup.readOf({budget("1", "{'displayName':'a\\u001b[31m\\nb'}"), budget("2", "{'displayName':null}"),
                          budget("3", "{'displayName':['x']}"), nameless});
        QCOMPARE(list.budgets.size(), std::size_t{3});
        QVERIFY(list.budgets[0].name.find('\x1b') == std::string::npos
                && list.budgets[0].name.find('\n') == std::string::npos);
        QCOMPARE(list.budgets[1].name, std::string("2")); // its id
        QCOMPARE(list.budgets[2].name, std::string("3"));
        QCOMPARE(list.rejected, std::uint64_t{1});
    }

    void hostileEntriesLoseNothingElse()
    {
        Budgets setup;
        Json entries = Json::array({nullptr, 7, "x", Json::array(), Json::object(), {{"name", "x"}}});
        entries.push_back(budget("1"));
        setup.pages = [&](const std::string &) { return answer(Json{{"budgets", entries}}.dump()); };
        const auto list = setup.read();
        QVERIFY(list && list->budgets.size() == 1);
        QCOMPARE(list->rejected, std::uint64_t{6});
    }

    void hostileAnswersAreSentences()
    {
        Budgets setup;
        for (const char *body : {"[]", "null", "<html>log in</html>", "{'budgets':[", "{'budgets':{}}",
                                 "{'budgets':'x'}", "{'budgets':[],'nextPageToken':2}"}) {
            setup.pages = [&](const std::string &) { return answer(js(body)); };
            const auto list = setup.read();
            QVERIFY2(!list && list.error().code == ErrorCode::Parse && !list.error().text.empty(), body);
        }
    }

    void pagesAreReadToTheEnd()
    {
        Budgets setup;
        setup.pages = [](const std::string &token) {
            if (token.empty())
                return pageOf({budget("1")}, "two & more");
            return token == "two & more" ? pageOf({}, "3") : pageOf({budget("2"), budget("1")});
        };
        const auto list = setup.read();
        QVERIFY(list && list->budgets.size() == 2 && list->rejected == 0); // the first one came twice
        QCOMPARE(list->budgets[1].name, std::string("Budget 2"));
        QCOMPARE(setup.asked.size(), std::size_t{3});
    }

    void pagesThatDoNotEnd()
    {
        Budgets setup;
        setup.pages = [](const std::string &) { return pageOf({budget("1")}, "again"); };
        QVERIFY(setup.read().error().code == ErrorCode::Parse);
        QCOMPARE(setup.asked.size(), std::size_t{2});
        setup.asked.clear();
        setup.pages = [](const std::string &token) {
            return pageOf({}, std::to_string(token.empty() ? 1 : std::stoi(token) + 1));
        };
        QVERIFY(setup.read().error().code == ErrorCode::TooMuch);
        QCOMPARE(setup.asked.size(), gcp::GoogleBudgets::kMostPages);
    }

    void refusalsSayWhatToDo()
    {
        Budgets setup;
        const auto refused = [&](const http::Response &response) {
            setup.pages = [=](const std::string &) { return response; };
            return setup.read().error();
        };
        for (const char *reason : {"", "IAM_PERMISSION_DENIED", "SERVICE_DISABLED", "accessNotConfigured"}) {
            const base::Error error = refused(fault(403, "The caller does not have permission", reason));
            QVERIFY2(error.code == ErrorCode::Forbidden && error.hint == base::text(Remedy::AllowGoogleBudgets),
                     reason);
        }
        const base::Error narrow = refused(fault(403, "insufficient scopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"));
        QVERIFY(narrow.code == ErrorCode::Forbidden && narrow.hint == base::text(Remedy::WidenAccessScopes));
        QVERIFY(refused(fault(401, "who")).code == ErrorCode::Unauthorized);
        const base::Error absent = refused(fault(404, "Requested entity was not found.", "notFound"));
        QVERIFY(absent.code == ErrorCode::NotFound && absent.hint.find("billing account") != std::string::npos);
        const base::Error wrong = refused(fault(400, "Request contains an invalid argument.", "invalidQuery"));
        QVERIFY(wrong.hint.empty() && wrong.text.find("invalid argument") != std::string::npos);
        QVERIFY(setup.pause->waits.empty()); // none of them was tried again
        QVERIFY(refused(fault(429, "slowly")).code == ErrorCode::RateLimited);
        QVERIFY(refused(fault(403, "slowly", "rateLimitExceeded")).code == ErrorCode::RateLimited);
        QVERIFY(refused(fault(503, "sorry")).code == ErrorCode::Server);
        QVERIFY(!setup.pause->waits.empty());
        for (const http::Response &response : {fault(403, "canary-token"), fault(500, "canary-token")})
            QVERIFY(refused(response).text.size() < 600);
    }

    void aFailureThatPassesIsTriedAgain()
    {
        Budgets setup;
        int asked = 0;
        setup.pages = [&](const std::string &) { return ++asked == 1 ? fault(503, "sorry") : pageOf({budget("1")}); };
        const auto list = setup.read();
        QVERIFY(list && list->budgets.size() == 1 && asked == 2);
    }

    void aStopRequestEndsIt()
    {
        Budgets setup;
        std::stop_source source;
        setup.pages = [&](const std::string &) {
            source.request_stop();
            return pageOf({budget("1")}, "2");
        };
        const auto list = setup.read(source.get_token());
        QVERIFY(!list && list.error().code == ErrorCode::Cancelled);
    }

    void theBillingAccountIsThatOfTheTable_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("account");
        const auto row = [](const char *table, const char *setting, const char *account) {
            QTest::newRow((std::string(table) + ' ' + setting).c_str())
                << QString::fromLatin1(table) << QString::fromLatin1(setting) << QString::fromLatin1(account);
        };
        row(kNamedTable, "", kAccount);
        row("gcp_billing_export_v1_01AB23_CD45EF_678901", "", kAccount);
        row(kNamedTable, kAccount, kAccount);
        row(kNamedTable, "000000-111111-222222", "wrong"); // it is another one
        row(kOwnTable, "", "");
        row(kOwnTable, kAccount, kAccount);
        row("gcp_billing_export_v1_01AB23_CD45EF_67890", "", "");
        row("gcp_billing_export_v1_01ab23_cd45ef_678901", "", "");
        row("gcp_billing_export_v1_01AB23_CD45EF_678901_old", "", "");
        row("x01AB23_CD45EF_678901", "", "");
        for (const char *bad : {"01AB23_CD45EF_678901", "01AB23", "billingAccounts/01AB23-CD45EF-678901",
                                "01AB23-CD45EF-67890Z", "01AB23-CD45EF-678901/../x", "01AB23-CD45EF-67890?", "x"})
            row(kOwnTable, bad, "wrong");
    }
    void theBillingAccountIsThatOfTheTable()
    {
        QFETCH(QString, table);
        QFETCH(QString, setting);
        QFETCH(QString, account);
        Budgets setup(table.toLatin1().constData());
        setup.settings.options["billing_account"] = setting.toStdString();
        const auto bill = gcp::BillSettings::of(setup.settings);
        QCOMPARE(bill ? bill->budgetAccount : std::string("wrong"), account.toStdString());
        QVERIFY(bill || (bill.error().code == ErrorCode::InvalidConfig && !bill.error().hint.empty()));
        // The setting must not make another bill of the one that is stored.
        if (bill && table == QLatin1String(kOwnTable))
            QCOMPARE(bill->billingAccount(), std::string("lab-billing.billing.billing_copy"));
    }

    void withoutAnAccountNothingIsAsked()
    {
        Budgets setup(kOwnTable);
        const auto list = setup.read();
        QVERIFY(!list && list.error().code == ErrorCode::InvalidConfig && setup.asked.empty());
        QVERIFY(list.error().hint.find("billing_account of bill") != std::string::npos);
        setup.settings.options["billing_account"] = kAccount;
        QVERIFY(setup.read().has_value());
    }

    void theAddressIsBesideThatOfBigQuery()
    {
        Budgets setup;
        for (const auto &[url, begin] :
             {std::pair("", "https://billingbudgets.googleapis.com/v1/"),
              std::pair("https://bigquery.googleapis.com/", "https://billingbudgets.googleapis.com/v1/"),
              std::pair("https://bigquery-lab.p.googleapis.com", "https://billingbudgets-lab.p.googleapis.com/v1/"),
              std::pair("https://google.lab.example", "https://google.lab.example/v1/"),
              std::pair("https://compute.googleapis.com", "https://compute.googleapis.com/v1/")}) {
            setup.settings.url = url;
            QVERIFY(setup.read().has_value());
            QVERIFY2(setup.asked.back().url.starts_with(begin), setup.asked.back().url.c_str());
        }
    }

    void theTestOfTheBillSaysHowMany()
    {
        Budgets setup;
        setup.pages = [](const std::string &) { return pageOf({budget("1"), budget("2")}); };
        auto report = setup.probe();
        QVERIFY(report && report->usable);
        QVERIFY(report->findings.back().text == Text::BudgetsFound
                && report->findings.back().level == ports::Finding::Level::Good
                && report->findings.back().terms == std::vector<ports::FindingTerm>{std::uint64_t{2}});
        setup.pages = [](const std::string &) { return pageOf({budget("1"), Json::object()}); };
        report = setup.probe();
        QVERIFY(report && report->findings.back().text == Text::BudgetsUnread && report->usable);
        QVERIFY(report->findings.at(report->findings.size() - 2).terms
                == std::vector<ports::FindingTerm>{std::uint64_t{1}});
    }

    void aFailureOfBudgetsLeavesTheBillUsable()
    {
        Budgets setup;
        const auto why = [&](base::Result<http::Response> answered) {
            setup.pages = [=](const std::string &) { return answered; };
            const auto report = setup.probe();
            if (!report || !report->usable || report->findings.back().text != Text::BudgetsUnread
                || report->findings.back().level != ports::Finding::Level::Missing)
                return std::string("?");
            return std::get<std::string>(report->findings.back().terms.at(0));
        };
        QCOMPARE(why(fault(403, "The caller does not have permission", "IAM_PERMISSION_DENIED")),
                 std::string("billing.budgets.list (Billing Account Viewer)"));
        QCOMPARE(why(fault(403, "no")), std::string("billing.budgets.list (Billing Account Viewer)"));
        QCOMPARE(why(fault(403, "off", "SERVICE_DISABLED")),
                 std::string("the Cloud Billing Budget API is not enabled in the project"));
        QVERIFY(why(fault(403, "narrow", "ACCESS_TOKEN_SCOPE_INSUFFICIENT")).find("narrow") != std::string::npos);
        QVERIFY(why(fault(500, "sorry")).find("sorry") != std::string::npos);
        QCOMPARE(why(base::fail(ErrorCode::Tls, "the certificate has expired")),
                 std::string("the certificate has expired"));
        setup.settings.options["table"] = kOwnTable;
        QVERIFY(why(pageOf({})).find("billing_account is not set") != std::string::npos);
    }

    // Each is told whether the other may be read or not.
    void aBillThatMayNotBeReadHasBudgets()
    {
        Budgets setup;
        setup.bigquery = fault(403, "Access Denied: bigquery.jobs.create", "accessDenied");
        const auto report = setup.probe();
        QVERIFY(report && !report->usable && report->findings.back().text == Text::BudgetsFound);
        setup.pages = [](const std::string &) { return base::fail(ErrorCode::Cancelled, "cancelled"); };
        const auto ended = setup.probe();
        QVERIFY(!ended && ended.error().code == ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(TestGoogleBudgets)

} // namespace tst_googlebudgets

#include "tst_googlebudgets.moc"
