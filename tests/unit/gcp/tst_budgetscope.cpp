// SPDX-License-Identifier: GPL-3.0-or-later
// What a budget of Google Cloud is limited to, and its days.
#include "connectors/format/json.h"
#include "connectors/gcp/budgets/budgetscope.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_budgetscope {

using namespace gpuledger;
using namespace gpuledger::tests;
using Json = nlohmann::json;

namespace {

base::UtcTime at(const std::string &text)
{
    return *base::parseTime(text);
}

std::string dayText(const std::optional<base::Day> &day)
{
    constexpr std::size_t kDate = 10;
    return day ? base::toRfc3339(day->start()).substr(0, kDate) : "?";
}

// "WORDS|FIRST..LAST" of a filter, or "unreadable".
std::string scopeIn(const Json &filter, const char *today = "2026-11-20")
{
    const auto scope = gcp::budgetScopeOf(filter, base::dayOf(at(today)));
    return scope ? scope->words + '|' + dayText(scope->first) + ".." + dayText(scope->last) : "unreadable";
}

} // namespace

class TestBudgetScope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filtersAreSaidInWords_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *filter, const char *words) {
            QTest::newRow(filter) << QString::fromLatin1(filter) << QString::fromLatin1(words);
        };
        row("null", "");
        row("{}", "");
        row("{'projects':[],'services':[],'labels':{},'creditTypes':[],'calendarPeriod':'MONTH','more':[]}", "");
        row("{'creditTypesTreatment':'CREDIT_TYPES_TREATMENT_UNSPECIFIED'}", "");
        row("{'projects':['projects/p1','projects/4711']}", "Projects: p1, 4711");
        row("{'services':['services/6F81-5844-456A']}", "Services: 6F81-5844-456A");
        row("{'labels':{'team':['vision']}}", "Labels: team=vision");
        row("{'resourceAncestors':['folders/12','organizations/34']}",
            "Folders and organizations: folders/12, organizations/34");
        row("{'subaccounts':['billingAccounts/0A0A0A-0B0B0B-0C0C0C']}", "Subaccounts: 0A0A0A-0B0B0B-0C0C0C");
        row("{'creditTypesTreatment':'EXCLUDE_ALL_CREDITS'}", "Credits: none");
        row("{'creditTypesTreatment':'INCLUDE_SPECIFIED_CREDITS','creditTypes':['PROMOTION','FREE_TIER']}",
            "Credits: PROMOTION, FREE_TIER");
        row("{'creditTypesTreatment':'INCLUDE_SPECIFIED_CREDITS'}", "Credits: none");
        row("{'creditTypesTreatment':'A_NEW_ONE'}", "Credits: A_NEW_ONE");
        row("{'projects':['projects/p1'],'services':['services/s'],'labels':{'team':['vision']},"
            "'creditTypesTreatment':'EXCLUDE_ALL_CREDITS'}",
            "Projects: p1; Services: s; Labels: team=vision; Credits: none");
        row("{'projects':['a','b','c','d','e','f','g','h','i','j','k','l']}",
            "Projects: a, b, c, d, e, f, g, h, i, j and 2 more");
        row("{'regions':['europe-west4']}", "Other filters: regions"); // one that Google may add
        row("{'projects':['projects/a\\nb']}", "Projects: a b");
    }
    void filtersAreSaidInWords()
    {
        QFETCH(QString, filter);
        QFETCH(QString, words);
        QCOMPARE(scopeIn(*format::parseJson(js(filter.toStdString()))),
                 words.toStdString() + "|2026-11-01..2026-11-30");
    }

    void filtersOfAnotherFormCantBeRead()
    {
        for (const char *filter : {"[]", "'x'", "7", "{'projects':'projects/p1'}", "{'projects':{'a':1}}",
                                   "{'projects':[7]}", "{'projects':['projects/']}", "{'services':[null]}",
                                   "{'labels':['team']}", "{'labels':{'team':'vision'}}", "{'labels':{'team':[]}}",
                                   "{'labels':{'team':[1]}}", "{'creditTypesTreatment':1}", "{'creditTypes':7}",
                                   "{'calendarPeriod':3}", "{'calendarPeriod':['MONTH']}"})
            QVERIFY2(scopeIn(*format::parseJson(js(filter))) == "unreadable", filter);
    }

    void calendarPeriodsAreTheCurrentOnes_data()
    {
        QTest::addColumn<QString>("today");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("days");
        const auto row = [](const char *today, const char *name, const char *days) {
            QTest::newRow((std::string(today) + name).c_str())
                << QString::fromLatin1(today) << QString::fromLatin1(name) << QString::fromLatin1(days);
        };
        row("2026-11-30", "MONTH", "2026-11-01..2026-11-30");
        row("2026-12-01", "MONTH", "2026-12-01..2026-12-31");
        row("2027-01-01", "MONTH", "2027-01-01..2027-01-31");
        row("2028-02-29", "MONTH", "2028-02-01..2028-02-29");
        row("2027-02-28", "MONTH", "2027-02-01..2027-02-28");
        row("2027-03-31", "QUARTER", "2027-01-01..2027-03-31");
        row("2027-04-01", "QUARTER", "2027-04-01..2027-06-30");
        row("2027-09-30", "QUARTER", "2027-07-01..2027-09-30");
        row("2026-12-31", "QUARTER", "2026-10-01..2026-12-31");
        row("2026-12-31", "YEAR", "2026-01-01..2026-12-31");
        row("2027-01-01", "YEAR", "2027-01-01..2027-12-31");
        row("2026-11-20", "CALENDAR_PERIOD_UNSPECIFIED", "2026-11-01..2026-11-30");
        row("2026-11-20", "DECADE", "?..?");
    }
    void calendarPeriodsAreTheCurrentOnes()
    {
        QFETCH(QString, today);
        QFETCH(QString, name);
        QFETCH(QString, days);
        const std::string scope =
            scopeIn({{"calendarPeriod", name.toStdString()}}, today.toLatin1().constData()); // no words before the days
        QCOMPARE(scope, '|' + days.toStdString());
    }

    void customPeriods_data()
    {
        QTest::addColumn<QString>("period");
        QTest::addColumn<QString>("days");
        const auto row = [](const char *period, const char *days) {
            QTest::newRow(period) << QString::fromLatin1(period) << QString::fromLatin1(days);
        };
        const char *const kUnreadable = "unreadable";
        row("{'startDate':{'year':2026,'month':2,'day':10},'endDate':{'year':2027,'month':1,'day':31}}",
            "|2026-02-10..2027-01-31");
        row("{'startDate':{'year':2026,'month':2,'day':10},'endDate':{'year':2026,'month':2,'day':10}}",
            "|2026-02-10..2026-02-10");
        row("{'startDate':{'year':2026,'month':2,'day':10}}", "|2026-02-10..?"); // until further notice
        row("{}", kUnreadable);
        row("[]", kUnreadable);
        row("'2026'", kUnreadable);
        row("{'startDate':{'year':2026,'month':2,'day':30}}", kUnreadable);
        row("{'startDate':{'year':2026,'month':2,'day':0}}", kUnreadable);
        row("{'startDate':{'year':2026,'month':2}}", kUnreadable); // a month
        row("{'startDate':{'year':2026,'month':13,'day':1}}", kUnreadable);
        row("{'startDate':{'year':99999999999,'month':1,'day':1}}", kUnreadable);
        row("{'startDate':{'year':18446744073709551615,'month':1,'day':1}}", kUnreadable);
        row("{'startDate':{'year':2026.5,'month':1,'day':1}}", kUnreadable);
        row("{'startDate':{'year':'2026','month':'2','day':'10'}}", kUnreadable);
        row("{'startDate':'2026-02-10'}", kUnreadable);
        row("{'startDate':{'year':2026,'month':2,'day':10},'endDate':{'year':2026,'month':2,'day':9}}", kUnreadable);
        row("{'startDate':{'year':2026,'month':2,'day':10},'endDate':{'year':2026}}", kUnreadable);
    }
    void customPeriods()
    {
        QFETCH(QString, period);
        QFETCH(QString, days);
        QCOMPARE(scopeIn({{"customPeriod", *format::parseJson(js(period.toStdString()))}}), days.toStdString());
    }
};

GPULEDGER_SUITE(TestBudgetScope)

} // namespace tst_budgetscope

#include "tst_budgetscope.moc"
