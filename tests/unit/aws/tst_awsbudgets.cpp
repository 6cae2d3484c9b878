// SPDX-License-Identifier: GPL-3.0-or-later
// What AWS Budgets is asked, and what a failure means. What its answers become: tst_awsbudgetfacts; against moto:
// tst_awsreal.
#include "app/base/remedy.h"
#include "connectors/aws/budgets/awsbudgets.h"
#include "connectors/aws/budgets/budgetanswer.h"
#include "connectors/aws/costs/costexplorersource.h"
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakebudgets.h"

#include <QTest>

namespace tst_awsbudgets {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Period = model::CloudBudgetPeriod;

namespace {

struct BudgetSetup {
    BudgetSetup()
    {
        settings.name = "bill";
        settings.kind = "aws-costs";
        settings.auth.kind = model::AuthSettings::Kind::SigV4;
        settings.auth.region = "eu-central-1";
    }
    aws::Tuning tuning()
    {
        aws::Tuning tuning;
        tuning.pause = pause;
        tuning.surroundings = {[this](const std::string &name) { return environment[name]; }, "/nonexistent"};
        return tuning;
    }
    base::Result<ports::BudgetList> read(const std::string &account = {}, const std::stop_token &stop = {})
    {
        return aws::AwsBudgets(settings, account, clock, clock, server.client(), tuning()).read(stop);
    }
    base::Result<ports::ProbeReport> probe()
    {
        return aws::CostExplorerSource(settings, *aws::CostOptions::of(settings), clock, clock, server.client(),
                                       tuning())
            .probe({});
    }

    model::SourceSettings settings;
    std::map<std::string, std::string> environment{{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                                                   {"AWS_SECRET_ACCESS_KEY", "canary-secret-key"}};
    base::FrozenClock clock{timeAt("2026-11-22T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    FakeBudgets server;
};

std::string headerOf(const http::Request &request, const std::string &name)
{
    for (const auto &[key, value] : request.headers) {
        if (key == name)
            return value;
    }
    return {};
}

const ports::Finding *findingOf(const ports::ProbeReport &report, ports::FindingText text)
{
    for (const ports::Finding &one : report.findings) {
        if (one.text == text)
            return &one;
    }
    return nullptr;
}

} // namespace

class TestAwsBudgets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsABudget()
    {
        BudgetSetup setup;
        setup.server.budgets = [](const std::string &) {
            return answer(
                budgetPage(budget("'CalculatedSpend':{'ActualSpend':{'Amount':'12.345678901234567','Unit':'USD'},"
                                  "'ForecastedSpend':{'Amount':'2.5E+1','Unit':'USD'}}")));
        };
        const auto list = setup.read();
        QVERIFY2(list && list->budgets.size() == 1, list ? "none" : list.error().text.c_str());
        const model::CloudBudget &one = list->budgets.front();
        QCOMPARE(one.cloud + ' ' + one.account + ' ' + one.name, std::string("AWS 123456789012 gpus"));
        QVERIFY(one.period == Period::Month && one.currency == base::Currency::usd());
        QVERIFY(one.isWholeBill && one.scope.empty());
        QCOMPARE(textOf(one.first) + ' ' + textOf(one.last), std::string("2026-11-01 2026-11-30"));
        QCOMPARE(textOf(one.limit), std::string("100"));
        QCOMPARE(textOf(one.spent), std::string("12.345678901234567"));
        QCOMPARE(textOf(one.forecast), std::string("25"));
        QVERIFY(list->withoutMoney == 0 && list->rejected == 0);
    }

    void asksInTheServicesWords()
    {
        BudgetSetup setup;
        QVERIFY(setup.read());
        QCOMPARE(setup.server.asked.size(), std::size_t{1});
        const http::Request &request = setup.server.asked.front();
        QCOMPARE(request.method + ' ' + request.url, std::string("POST https://budgets.amazonaws.com/"));
        QCOMPARE(request.contentType, std::string("application/x-amz-json-1.1"));
        QCOMPARE(headerOf(request, "X-Amz-Target"), std::string("AWSBudgetServiceGateway.DescribeBudgets"));
        QVERIFY(headerOf(request, "Authorization").find("/us-east-1/budgets/aws4_request") != std::string::npos);
        const auto want =
            nlohmann::json::parse(js("{'AccountId':'123456789012','MaxResults':100,'ShowFilterExpression':true}"));
        QVERIFY2(nlohmann::json::parse(request.body) == want, request.body.c_str());
    }

    void asksWhereItsPartitionIs_data()
    {
        QTest::addColumn<QString>("region");
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("signedFor");
        const auto row = [](const char *region, const char *url, const char *address, const char *signedFor) {
            QTest::addRow("%s %s", region, url) << QString::fromLatin1(region) << QString::fromLatin1(url)
                                                << QString::fromLatin1(address) << QString::fromLatin1(signedFor);
        };
        row("ap-south-1", "", "https://budgets.amazonaws.com/", "us-east-1");
        row("cn-north-1", "", "https://budgets.amazonaws.com.cn/", "cn-northwest-1");
        row("us-gov-east-1", "", "https://budgets.us-gov-west-1.amazonaws.com/", "us-gov-west-1");
        row("eu-west-1", "http://127.0.0.1:5000/", "http://127.0.0.1:5000/", "us-east-1");
    }
    void asksWhereItsPartitionIs()
    {
        QFETCH(QString, region);
        QFETCH(QString, url);
        BudgetSetup setup;
        setup.settings.auth.region = region.toStdString();
        setup.settings.url = url.toStdString();
        QVERIFY(setup.read());
        const http::Request &request = setup.server.asked.front();
        QTEST(QString::fromStdString(request.url), "address");
        QFETCH(QString, signedFor);
        QVERIFY(headerOf(request, "Authorization").find('/' + signedFor.toStdString() + "/budgets/")
                != std::string::npos);
    }

    // Nobody is asked whose the credentials are where the settings say it.
    void knowsTheAccount()
    {
        BudgetSetup setup;
        const auto list = setup.read("210987654321");
        QVERIFY(list && list->budgets.front().account == "210987654321");
        QCOMPARE(setup.server.identities, 0);
        QVERIFY(setup.server.asked.front().body.find("210987654321") != std::string::npos);
        const auto wrong = setup.read("1234");
        QVERIFY(!wrong && wrong.error().code == ErrorCode::InvalidConfig);
        setup.server.account = "not one";
        QVERIFY(!setup.read());
        QCOMPARE(setup.server.asked.size(), std::size_t{1}); // no service is asked about such accounts
    }

    void readsAllPages()
    {
        BudgetSetup setup;
        setup.server.budgets = [](const std::string &token) {
            return token.empty() ? answer(budgetPage(budget("'BudgetName':'one'"), "2"))
                : token == "2"   ? answer(budgetPage("", "3")) // an empty one may come between them
                                 : answer(budgetPage(budget("'BudgetName':'two'") + ',' + budget("'BudgetName':''")));
        };
        const auto list = setup.read();
        QVERIFY2(list && list->budgets.size() == 2, list ? "others" : list.error().text.c_str());
        QCOMPARE(list->budgets[0].name + list->budgets[1].name, std::string("onetwo"));
        QCOMPARE(list->rejected, std::uint64_t{1});
        QCOMPARE(setup.server.asked.size(), std::size_t{3});
    }

    void stopsAtEndlessPages()
    {
        BudgetSetup setup;
        setup.server.budgets = [](const std::string &) { return answer(budgetPage(budget(), "again")); };
        const auto circle = setup.read();
        QVERIFY(!circle && circle.error().code == ErrorCode::Parse);
        QCOMPARE(setup.server.asked.size(), std::size_t{2});
        setup.server.budgets = [&](const std::string &) {
            return answer(budgetPage("", std::to_string(setup.server.asked.size())));
        };
        setup.server.asked.clear();
        const auto endless = setup.read(kBudgetAccount);
        QVERIFY(!endless && endless.error().code == ErrorCode::TooMuch);
        QVERIFY(setup.server.asked.size() <= 1001);
        std::string many = "1";
        for (std::size_t i = 0; i < aws::kMostBudgets; ++i)
            many += ",1";
        ports::BudgetList list;
        const auto wide = aws::addBudgetPage(budgetPage(many), kBudgetAccount, setup.clock.now(), list);
        QVERIFY(!wide && wide.error().code == ErrorCode::TooMuch);
    }

    void aStopEndsIt()
    {
        BudgetSetup setup;
        std::stop_source stop;
        setup.server.budgets = [&](const std::string &) {
            stop.request_stop();
            return answer(budgetPage(budget(), "2"));
        };
        const auto list = setup.read({}, stop.get_token());
        QVERIFY(!list && list.error().code == ErrorCode::Cancelled);
        QCOMPARE(setup.server.asked.size(), std::size_t{1});
    }

    void saysWhatTheServiceSays_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("want");
        QTest::addColumn<int>("remedy");
        QTest::addColumn<int>("tries");
        const auto row = [](const char *code, int status, ErrorCode want, base::Remedy remedy, int tries) {
            QTest::newRow(code) << QString::fromLatin1(code) << status << static_cast<int>(want)
                                << static_cast<int>(remedy) << tries;
        };
        row("AccessDeniedException", 400, ErrorCode::Forbidden, base::Remedy::AllowAwsBudgets, 1);
        row("ExpiredTokenException", 400, ErrorCode::Unauthorized, base::Remedy::LogInOrCheckProfile, 2);
        row("RequestTimeTooSkewed", 403, ErrorCode::Unauthorized, base::Remedy::CorrectClockForAws, 2);
        row("ThrottlingException", 400, ErrorCode::RateLimited, base::Remedy::WaitForAws, 4);
        row("InternalErrorException", 500, ErrorCode::Server, base::Remedy::None, 4);
        row("InvalidParameterException", 400, ErrorCode::Server, base::Remedy::None, 1);
    }
    void saysWhatTheServiceSays()
    {
        QFETCH(QString, code);
        QFETCH(int, status);
        QFETCH(int, want);
        QFETCH(int, remedy);
        BudgetSetup setup;
        setup.server.budgets = [&](const std::string &) { return budgetsError(code.toStdString(), "said so", status); };
        const auto list = setup.read();
        QVERIFY(!list);
        QCOMPARE(static_cast<int>(list.error().code), want);
        QVERIFY2(list.error().text.find("budgets:ViewBudget") != std::string::npos, list.error().text.c_str());
        QVERIFY(list.error().text.find("canary") == std::string::npos);
        if (static_cast<base::Remedy>(remedy) != base::Remedy::None)
            QCOMPARE(list.error().hint, std::string(base::text(static_cast<base::Remedy>(remedy))));
        QTEST(static_cast<int>(setup.server.asked.size()), "tries");
    }

    void aThrottledQuestionIsAskedAgain()
    {
        BudgetSetup setup;
        setup.server.budgets = [&](const std::string &) {
            return setup.server.asked.size() == 1 ? budgetsError("ThrottlingException") : answer(budgetPage(budget()));
        };
        QVERIFY(setup.read());
        QCOMPARE(setup.pause->waits.size(), std::size_t{1});
    }

    void aTestCountsThem()
    {
        BudgetSetup setup;
        setup.server.budgets = [](const std::string &) {
            return answer(budgetPage(budget() + ',' + budget() + ',' + budget("'BudgetType':'USAGE'")));
        };
        const auto report = setup.probe();
        QVERIFY2(report && report->usable, report ? "" : report.error().text.c_str());
        const ports::Finding *found = findingOf(*report, ports::FindingText::BudgetsFound);
        QVERIFY(found && found->level == ports::Finding::Level::Good);
        QCOMPARE(std::get<std::uint64_t>(found->terms.at(0)), std::uint64_t{2});
        // They cost nothing.
        const ports::Finding *paid = findingOf(*report, ports::FindingText::PaidRequests);
        QVERIFY(paid && std::get<std::string>(paid->terms.at(0)) == "USD 0.01");
        QCOMPARE(setup.server.identities, 1);
    }

    // Without them, the source is as good as before; and nobody waits for them.
    void aTestWorksWithoutThem()
    {
        BudgetSetup setup;
        setup.server.budgets = [](const std::string &) { return budgetsDenied(); };
        const auto report = setup.probe();
        QVERIFY(report && report->usable);
        const ports::Finding *missing = findingOf(*report, ports::FindingText::BudgetsUnread);
        QVERIFY(missing && missing->level == ports::Finding::Level::Missing);
        QCOMPARE(std::get<std::string>(missing->terms.at(0)), std::string("budgets:ViewBudget"));
        setup.server.asked.clear();
        setup.server.budgets = [](const std::string &) { return budgetsError("ThrottlingException", "Rate exceeded"); };
        const auto throttled = setup.probe();
        QVERIFY(throttled && throttled->usable);
        missing = findingOf(*throttled, ports::FindingText::BudgetsUnread);
        QVERIFY(missing && std::get<std::string>(missing->terms.at(0)).find("Rate exceeded") != std::string::npos);
        QVERIFY(setup.server.asked.size() == 1 && setup.pause->waits.empty());
    }

    // That few may list the accounts of an organization is nothing that is missing.
    void aTestSaysWhoMayListAccounts()
    {
        const auto rightOf = [](const std::string &refusal) {
            BudgetSetup setup;
            setup.server.accounts = refusal;
            const auto report = setup.probe();
            return !report ? report.error().text
                : std::any_of(report->findings.begin(), report->findings.end(),
                              [](const ports::Finding &one) {
                                  return one.text == ports::FindingText::RightGiven
                                      && std::get<std::string>(one.terms.at(0)) == "organizations:ListAccounts";
                              })
                ? "given"
                : "";
        };
        QCOMPARE(rightOf(""), std::string("given"));
        for (const char *refusal : {"AccessDeniedException", "AWSOrganizationsNotInUseException", "ServiceException"})
            QCOMPARE(rightOf(refusal), std::string());
    }

    void aTestTellsThemWithoutCosts()
    {
        BudgetSetup setup;
        setup.server.isCostDenied = true;
        const auto report = setup.probe();
        QVERIFY(report && !report->usable && findingOf(*report, ports::FindingText::BudgetsFound));
    }

    void isInTheCatalogue()
    {
        const auto catalog = connectors::makeSourceCatalog();
        OneSecret secrets;
        BudgetSetup setup;
        const auto made = catalog->createBudgets(setup.settings, secrets, setup.clock);
        QVERIFY2(made && (*made)->name() == "bill", made ? "another" : made.error().text.c_str());
        for (const char *account : {"12345678901", "1234567890123", "12345678901x"}) {
            setup.settings.options["account"] = account;
            const auto wrong = catalog->createBudgets(setup.settings, secrets, setup.clock);
            QVERIFY2(!wrong && wrong.error().code == ErrorCode::InvalidConfig, account);
        }
        setup.settings.options.clear();
        setup.settings.auth.region.clear();
        QVERIFY(!catalog->createBudgets(setup.settings, secrets, setup.clock));
    }
};

GPULEDGER_SUITE(TestAwsBudgets)

} // namespace tst_awsbudgets

#include "tst_awsbudgets.moc"
