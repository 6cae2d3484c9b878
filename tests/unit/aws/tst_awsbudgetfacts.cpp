// SPDX-License-Identifier: GPL-3.0-or-later
// What the answers of AWS Budgets become.
#include "connectors/aws/budgets/budgetanswer.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakebudgets.h"

#include <QTest>

namespace tst_awsbudgetfacts {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Period = model::CloudBudgetPeriod;

namespace {

// The only budget of an answer with it; std::nullopt: it was left out.
std::optional<model::CloudBudget> readOne(const std::string &more, const char *now = "2026-11-22T10:00:00Z")
{
    ports::BudgetList list;
    const auto next = aws::addBudgetPage(budgetPage(budget(more)), kBudgetAccount, timeAt(now), list);
    if (!next || list.budgets.size() != 1)
        return std::nullopt;
    return list.budgets.front();
}

} // namespace

class TestAwsBudgetFacts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsWhatLimitsNoMoney()
    {
        std::string all;
        for (const char *type :
             {"USAGE", "RI_UTILIZATION", "RI_COVERAGE", "SAVINGS_PLANS_UTILIZATION", "SAVINGS_PLANS_COVERAGE"})
            all +=
                budget(std::string("'BudgetLimit':{'Amount':'100','Unit':'PERCENTAGE'},'BudgetType':'") + type + '\'')
                + ',';
        all += budget("'Metrics':['Hours'],'BudgetLimit':{'Amount':'9','Unit':'Hrs'}") + ',';
        all +=
            budget("'BudgetType':'cost'") + ',' + budget("'BudgetType':'CARBON'") + ',' + budget("'BudgetType':null");
        ports::BudgetList list;
        const auto next = aws::addBudgetPage(budgetPage(all), kBudgetAccount, timeAt("2026-11-22"), list);
        QVERIFY(next && next->empty());
        QCOMPARE(list.withoutMoney, std::uint64_t{6});
        QCOMPARE(list.budgets.size(), std::size_t{1});
        QCOMPARE(list.rejected, std::uint64_t{2});
    }

    void saysWhatABudgetCovers_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *more, const char *words) {
            QTest::newRow(name) << QString::fromLatin1(more) << QString::fromLatin1(words);
        };
        row("nothing said", "", "");
        row("empty filters", "'CostFilters':{},'FilterExpression':null,'CostTypes':{}", "");
        row("all of it",
            "'CostTypes':{'IncludeTax':true,'IncludeSubscription':true,'UseBlended':false,'IncludeRefund':true,"
            "'IncludeCredit':true,'IncludeUpfront':true,'IncludeRecurring':true,'IncludeOtherSubscription':true,"
            "'IncludeSupport':true,'IncludeDiscount':true,'UseAmortized':false}",
            "");
        row("filters", "'CostFilters':{'Service':['Amazon EC2','Amazon SageMaker'],'LinkedAccount':['210987654321']}",
            "LinkedAccount: 210987654321; Service: Amazon EC2, Amazon SageMaker");
        row("a tag", "'CostFilters':{'TagKeyValue':['user:team$vision']}", "TagKeyValue: user:team$vision");
        row("without", "'CostTypes':{'IncludeCredit':false,'IncludeRefund':false}", "without refunds, credits");
        row("amortized", "'CostTypes':{'UseAmortized':true}", "amortized costs");
        row("blended", "'CostTypes':{'UseBlended':true,'IncludeTax':null}", "blended costs");
        row("both", "'CostFilters':{'Region':['eu-central-1']},'CostTypes':{'IncludeTax':false}",
            "Region: eu-central-1; without taxes");
        row("an expression",
            "'FilterExpression':{'Dimensions':{'Key':'SERVICE','Values':['Amazon EC2'],"
            "'MatchOptions':['EQUALS']}},'Metrics':['UnblendedCost']",
            "SERVICE: Amazon EC2");
        row("a tree",
            "'FilterExpression':{'And':[{'Not':{'Dimensions':{'Key':'RECORD_TYPE','Values':['Credit','Refund']}}},"
            "{'Or':[{'Tags':{'Key':'team','Values':['a']}},{'Tags':{'Key':'team','MatchOptions':['ABSENT']}},"
            "{'CostCategories':{'Key':'Unit','Values':['x'],'MatchOptions':['STARTS_WITH']}}]}]}",
            "not (RECORD_TYPE: Credit, Refund); (tag team: a or tag team: absent or cost category Unit STARTS_WITH: "
            "x)");
        row("net", "'Metrics':['NetUnblendedCost']", "");
        row("metric", "'Metrics':['NetAmortizedCost']", "amortized net costs");
        row("new metric", "'Metrics':['GreenCost']", "metric GreenCost");
        row("primary view", "'BillingViewArn':'arn:aws:billing::123456789012:billingview/primary'", "");
        row("other view", "'BillingViewArn':'arn:aws:billing::123456789012:billingview/custom-1'",
            "billing view: custom-1");
        // What can't be read is not nothing.
        row("no filters", "'CostFilters':['Service']", "a filter that can't be read");
        row("no list", "'CostFilters':{'Service':'Amazon EC2'}", "a filter that can't be read");
        row("no values", "'CostFilters':{'Service':[]}", "a filter that can't be read");
        row("no texts", "'CostFilters':{'Service':[{}]}", "a filter that can't be read");
        row("a text", "'FilterExpression':'all'", "a filter that can't be read");
        row("new expression", "'FilterExpression':{'Xor':[]}", "a filter that can't be read");
        row("no members", "'FilterExpression':{'And':{}}", "a filter that can't be read");
        row("no key", "'FilterExpression':{'Not':{'Dimensions':{}}}", "not (a filter that can't be read)");
        row("types", "'CostTypes':{'IncludeTax':'no'}", "types of costs that can't be read");
        row("no types", "'CostTypes':7", "types of costs that can't be read");
        row("no metrics", "'Metrics':'UnblendedCost'", "a metric that can't be read");
        row("no view", "'BillingViewArn':{}", "a filter that can't be read");
    }
    void saysWhatABudgetCovers()
    {
        QFETCH(QString, more);
        const auto one = readOne(more.toStdString());
        QVERIFY(one);
        QTEST(QString::fromStdString(one->scope), "words");
        QCOMPARE(one->isWholeBill, one->scope.empty());
    }

    void boundsAndCleansWords()
    {
        const auto one = readOne("'BudgetName':'" + std::string(2000, 'n') + "','CostFilters':{'Service':['a\\u001b[31m"
                                 + std::string(300, 'v') + "\\u202e','" + std::string(300, 'w') + "','"
                                 + std::string(300, 'x') + "']}");
        QVERIFY(one);
        QVERIFY(one->name.size() <= 410 && one->scope.size() <= 510);
        for (const std::string &text : {one->name, one->scope})
            QVERIFY(text.find('\x1b') == std::string::npos && text.find("\u202e") == std::string::npos);
        std::string deep = "{'Dimensions':{'Key':'SERVICE','Values':['a']}}";
        for (int i = 0; i < 40; ++i)
            deep = "{'Not':" + deep + '}';
        QVERIFY(readOne("'FilterExpression':" + deep)->scope.starts_with("not (not ("));
    }

    void knowsTheCurrentPeriod_data()
    {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("life");
        QTest::addColumn<QString>("now");
        QTest::addColumn<QString>("days");
        const auto row = [](const char *unit, const char *life, const char *now, const char *days) {
            QTest::addRow("%s %s %s", unit, life, now) << QString::fromLatin1(unit) << QString::fromLatin1(life)
                                                       << QString::fromLatin1(now) << QString::fromLatin1(days);
        };
        const char *ever = "'Start':1477958400,'End':3706473600"; // from 2016-11-01 to 2087-06-15
        row("DAILY", ever, "2026-11-30T23:59:59Z", "2026-11-30 2026-11-30");
        row("DAILY", ever, "2026-12-01T00:00:00Z", "2026-12-01 2026-12-01");
        row("MONTHLY", ever, "2026-12-31T23:59:59Z", "2026-12-01 2026-12-31");
        row("MONTHLY", ever, "2028-02-29T12:00:00Z", "2028-02-01 2028-02-29");
        row("monthly", "", "2026-04-30T23:59:59Z", "2026-04-01 2026-04-30");
        row("QUARTERLY", ever, "2026-06-30T23:59:59Z", "2026-04-01 2026-06-30");
        row("QUARTERLY", ever, "2026-07-01T00:00:00Z", "2026-07-01 2026-09-30");
        row("QUARTERLY", ever, "2026-12-31T23:59:59Z", "2026-10-01 2026-12-31");
        row("ANNUALLY", ever, "2026-12-31T23:59:59Z", "2026-01-01 2026-12-31");
        // The life of the budget: from 2026-11-15 until the end of 2026-11-24.
        row("MONTHLY", "'Start':1794700800,'End':1795564800", "2026-11-22T10:00:00Z", "2026-11-15 2026-11-24");
        row("MONTHLY", "'Start':'2026-11-15T00:00:00Z','End':null", "2026-11-22T10:00:00Z", "2026-11-15 2026-11-30");
        row("MONTHLY", "'Start':1.7947008E9,'End':1.7955648E9", "2026-12-22T10:00:00Z", "unknown unknown");
        row("MONTHLY", "'Start':1794700800.25", "2026-10-22T10:00:00Z", "unknown unknown");
        row("CUSTOM", "'Start':1794700800,'End':1795564800", "2026-12-22T10:00:00Z", "2026-11-15 2026-11-24");
        row("CUSTOM", "'Start':1794700800", "2026-12-22T10:00:00Z", "unknown unknown");
        row("CUSTOM", "'Start':1795564800,'End':1794700800", "2026-12-22T10:00:00Z", "unknown unknown");
        row("WEEKLY", ever, "2026-12-22T10:00:00Z", "unknown unknown");
        row("", ever, "2026-12-22T10:00:00Z", "unknown unknown");
        row("MONTHLY", "'Start':-1", "2026-12-22T10:00:00Z", "unknown unknown");
        row("MONTHLY", "'End':1e17", "2026-12-22T10:00:00Z", "unknown unknown");
        row("MONTHLY", "'End':1e30", "2026-12-22T10:00:00Z", "unknown unknown");
        row("MONTHLY", "'End':{}", "2026-12-22T10:00:00Z", "unknown unknown");
        row("MONTHLY", "'Start':'soon'", "2026-12-22T10:00:00Z", "unknown unknown");
    }
    void knowsTheCurrentPeriod()
    {
        QFETCH(QString, unit);
        QFETCH(QString, life);
        QFETCH(QString, now);
        const std::string one = js("{'BudgetName':'b','BudgetType':'COST','TimeUnit':'" + unit.toStdString()
                                   + "','TimePeriod':{" + life.toStdString() + "}}");
        ports::BudgetList list;
        const auto next = aws::addBudgetPage(budgetPage(one), kBudgetAccount, timeAt(now.toUtf8().constData()), list);
        QVERIFY2(next && list.budgets.size() == 1, next ? "left out" : next.error().text.c_str());
        const model::CloudBudget &found = list.budgets.front();
        QTEST(QString::fromStdString(textOf(found.first) + ' ' + textOf(found.last)), "days");
        QCOMPARE(found.period == Period::Other, unit.isEmpty() || unit == u"CUSTOM" || unit == u"WEEKLY");
    }

    void theNewestPlannedLimitCounts()
    {
        const std::string planned =
            "'PlannedBudgetLimits':{'1793491200':{'Amount':'11','Unit':'USD'},'1796083200':{'Amount':'12','Unit':'USD'}"
            ","
            "'1.7908128E9':{'Amount':'10','Unit':'USD'}}"; // from November, December and October 2026 on
        QCOMPARE(textOf(readOne(planned, "2026-11-30T23:59:59Z")->limit), std::string("11"));
        QCOMPARE(textOf(readOne(planned, "2026-12-01T00:00:00Z")->limit), std::string("12"));
        QCOMPARE(textOf(readOne(planned, "2028-01-01T00:00:00Z")->limit), std::string("12")); // the last one goes on
        QCOMPARE(textOf(readOne(planned, "2026-09-30T00:00:00Z")->limit), std::string("100")); // BudgetLimit
        QCOMPARE(textOf(readOne(planned + ",'BudgetLimit':null", "2026-09-30")->limit), std::string("unknown"));
        QVERIFY(!readOne("'PlannedBudgetLimits':{'soon':{'Amount':'11','Unit':'USD'}}"));
        QVERIFY(!readOne("'PlannedBudgetLimits':[]"));
    }

    void whatIsNotSaidIsUnknown()
    {
        const auto one = readOne("'BudgetLimit':null,'AutoAdjustData':{'AutoAdjustType':'FORECAST'},"
                                 "'CalculatedSpend':{'ActualSpend':{'Amount':'-3','Unit':'EUR'}}");
        QVERIFY(one && !one->limit && !one->forecast);
        QCOMPARE(textOf(one->spent), std::string("-3")); // credits
        QCOMPARE(std::string(one->currency.code()), std::string("EUR"));
        const auto adjusted = readOne("'AutoAdjustData':{'AutoAdjustType':'HISTORICAL'}");
        QVERIFY(adjusted && !adjusted->spent && textOf(adjusted->limit) == "100");
        // AWS no longer updates it.
        const auto stale = readOne("'HealthStatus':{'Status':'UNHEALTHY','StatusReason':'BILLING_VIEW_NO_ACCESS'},"
                                   "'CalculatedSpend':{'ActualSpend':{'Amount':'3','Unit':'USD'}}");
        QVERIFY(stale && !stale->spent && textOf(stale->limit) == "100");
    }

    void leavesOutWhatCannotBeRead_data()
    {
        QTest::addColumn<QString>("one");
        const auto row = [](const char *name, const std::string &one) {
            QTest::newRow(name) << QString::fromStdString(one);
        };
        row("null", "null");
        row("a list", "[]");
        row("nothing", "{}");
        row("no name", budget("'BudgetName':null"));
        row("a list as its name", budget("'BudgetName':['gpus']"));
        row("no number", budget("'BudgetLimit':{'Amount':'NaN','Unit':'USD'}"));
        row("no amount", budget("'BudgetLimit':{'Unit':'USD'}"));
        row("no unit", budget("'BudgetLimit':{'Amount':'1'}"));
        row("no currency", budget("'BudgetLimit':{'Amount':'1','Unit':'GB'}"));
        row("negative", budget("'BudgetLimit':{'Amount':'-1','Unit':'USD'}"));
        row("absurd", budget("'BudgetLimit':{'Amount':'1e15','Unit':'USD'}"));
        row("infinite", budget("'CalculatedSpend':{'ActualSpend':{'Amount':'1e999','Unit':'USD'}}"));
        row("a text", budget("'BudgetLimit':'100 USD'"));
        row("spent text", budget("'CalculatedSpend':'3 USD'"));
        row("two currencies", budget("'CalculatedSpend':{'ActualSpend':{'Amount':'1','Unit':'EUR'}}"));
        row("bad forecast", budget("'CalculatedSpend':{'ForecastedSpend':{'Amount':[],'Unit':'USD'}}"));
    }
    void leavesOutWhatCannotBeRead()
    {
        QFETCH(QString, one);
        ports::BudgetList list;
        const auto next = aws::addBudgetPage(budgetPage(budget() + ',' + one.toStdString() + ',' + budget()),
                                             kBudgetAccount, timeAt("2026-11-22"), list);
        QVERIFY(next);
        QCOMPARE(list.rejected, std::uint64_t{1});
        QCOMPARE(list.budgets.size(), std::size_t{2});
    }

    void refusesOtherAnswers()
    {
        for (const std::string &text : {std::string("<html>"), std::string(), std::string("null"), std::string("[]"),
                                        std::string("{\"Budgets\":{}}"),
                                        std::string("{\"Budgets\":[],\"NextToken\":{}}"), std::string(100'000, '[')}) {
            ports::BudgetList list;
            const auto next = aws::addBudgetPage(text, kBudgetAccount, timeAt("2026-11-22"), list);
            QVERIFY2(!next && next.error().code == ErrorCode::Parse, text.substr(0, 30).c_str());
        }
        ports::BudgetList list;
        const auto none = aws::addBudgetPage(js("{'NextToken':null}"), kBudgetAccount, timeAt("2026-11-22"), list);
        QVERIFY(none && none->empty() && list.budgets.empty());
    }
};

GPULEDGER_SUITE(TestAwsBudgetFacts)

} // namespace tst_awsbudgetfacts

#include "tst_awsbudgetfacts.moc"
