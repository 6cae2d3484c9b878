// SPDX-License-Identifier: GPL-3.0-or-later
// What Cost Management's answers become, how both views are combined, and what is kept. The figures as a whole:
// tests/integration/run_azurecosts.py.
#include "connectors/azure/costs/costanswer.h"
#include "connectors/azure/costs/costcombination.h"
#include "connectors/azure/costs/costlines.h"
#include "connectors/format/numbertext.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_azurecosts {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr const char *kNumber = "11111111-2222-3333-4444-555555555555";

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

base::Decimal amount(const char *text)
{
    return *base::Decimal::parse(text);
}

azure::CostSettings settingsOf(const std::string &scope = kNumber, const std::string &tag = {})
{
    model::SourceSettings settings;
    settings.name = "bill";
    settings.options = {{"scope", scope}, {"tenant", "contoso.example"}, {"tag", tag}};
    settings.auth.kind = model::AuthSettings::Kind::Basic;
    return *azure::CostSettings::of(settings);
}

azure::CostQuestion question(azure::CostQuestion::Groups groups = azure::CostQuestion::Groups::Machines)
{
    return {false, groups, {at("2026-11-01"), at("2026-11-03")}};
}

// A page by resource and meter, with its columns in this order.
std::string page(const std::string &rows, const std::string &next = "null")
{
    return js("{'properties':{'nextLink':" + next
              + ",'columns':[{'name':'Currency'},{'name':'UsageDate'},{'name':'Meter'},{'name':'Cost'},"
                "{'name':'ResourceId'}],'rows':["
              + rows + "]}}");
}

azure::CostCell cell(const char *day, const std::string &first = {}, const std::string &second = {})
{
    return {base::dayOf(at(day)), "USD", first, second};
}

base::Decimal sumOf(const std::vector<azure::CostRow> &rows, base::Decimal azure::CostRow::*view)
{
    base::Decimal sum;
    for (const azure::CostRow &row : rows)
        sum = *sum.plus(row.*view);
    return sum;
}

} // namespace

class TestAzureCosts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsNumbersAsTheyWereWritten()
    {
        const auto json = format::parseWithNumbersAsText(
            js("{'a':[1.234567890123456789,1.2E-05,-0.1,20261121,{'b':null}],'c':true}"));
        QVERIFY(json.has_value());
        QCOMPARE(json->dump(), js("{'a':['1.234567890123456789','1.2E-05','-0.1','20261121',{'b':null}],'c':true}"));
        for (const std::string &bad : {std::string("{"), std::string(), std::string("[1,]"), std::string(100'000, '[')})
            QVERIFY(!format::parseWithNumbersAsText(bad));
    }

    void readsColumnsByName()
    {
        azure::CostAnswer answer(question(), settingsOf());
        const auto next = answer.add(page("['USD',20261101,'NC24ads A100 v4',1.2E-05,'/Subscriptions/X/VM1'],"
                                          "['USD',20261101,'NC24ads A100 v4',0.000000000001,'/subscriptions/x/vm1'],"
                                          "['EUR',20261102,'NC24ads A100 v4',3,'/subscriptions/x/vm1']"));
        QVERIFY2(next && next->empty(), next ? "" : next.error().text.c_str());
        // The id changed its case between two rows: it is one machine.
        QCOMPARE(answer.cells().size(), std::size_t{2});
        QCOMPARE(answer.cells().at(cell("2026-11-01", "/subscriptions/x/vm1", "NC24ads A100 v4")).toText(),
                 std::string("0.000012000001"));
    }

    void followsPagesOnTheSameServerOnly()
    {
        azure::CostAnswer answer(question(), settingsOf());
        const std::string next = "https://management.azure.com/x?$skiptoken=1";
        QCOMPARE(*answer.add(page("", '\'' + next + '\'')), next); // an empty page in the middle
        for (const char *other : {"'https://evil.example/x'", "'http://management.azure.com/x'", "'x'"})
            QVERIFY(answer.add(page("", other)).error().code == ErrorCode::Parse);
    }

    void refusesWhatWasNotAsked_data()
    {
        QTest::addColumn<QString>("rows");
        QTest::newRow("day") << "['USD',20261103,'m',1,'r']";
        QTest::newRow("no day") << "['USD',20261301,'m',1,'r']";
        QTest::newRow("day as text") << "['USD','2026-11-01','m',1,'r']";
        QTest::newRow("cells") << "['USD',20261101,'m',1]";
        QTest::newRow("currency") << "['$',20261101,'m',1,'r']";
        QTest::newRow("amount") << "['USD',20261101,'m',null,'r']";
        QTest::newRow("row") << "7";
    }
    void refusesWhatWasNotAsked()
    {
        QFETCH(QString, rows);
        azure::CostAnswer answer(question(), settingsOf());
        const auto added = answer.add(page(rows.toStdString()));
        QVERIFY(!added && added.error().code == ErrorCode::Parse);
    }

    void refusesAColumnThatIsMissing()
    {
        azure::CostAnswer answer(question(azure::CostQuestion::Groups::Services), settingsOf());
        QVERIFY(answer.add(page("['USD',20261101,'m',1,'r']")).error().code == ErrorCode::Parse);
        QVERIFY(answer.add(js("{'properties':{}}")).error().code == ErrorCode::Parse);
    }

    void asksForWholeDaysAndTwoGroups()
    {
        const std::string body = azure::questionBody(question(), settingsOf());
        for (const char *part : {"'from':'2026-11-01T00:00:00Z'", "'to':'2026-11-02T23:59:59Z'", "'type':'ActualCost'",
                                 "{'name':'ResourceId','type':'Dimension'},{'name':'Meter','type':'Dimension'}"})
            QVERIFY2(body.find(js(part)) != std::string::npos, body.c_str());
        const std::string wide = "/providers/Microsoft.Management/managementGroups/all";
        QVERIFY(azure::questionBody(question(), settingsOf(wide)).find("SubscriptionId") != std::string::npos);
        QVERIFY(azure::questionBody(question(), settingsOf(wide, "team")).find("TagKey") != std::string::npos);
    }

    // Machines are taken from their service, services from the total, and nothing is lost in either view.
    void addsUpToTheTotal()
    {
        azure::CostAnswers billed, effective;
        const auto machine = cell("2026-11-01", "/subscriptions/s/vm", "NC24ads A100 v4");
        const auto service = cell("2026-11-01", "Virtual Machines", "Usage");
        billed.total = {{cell("2026-11-01"), amount("100")}};
        billed.services = {{service, amount("60")}, {cell("2026-11-01", "Storage", "Usage"), amount("39.5")}};
        billed.machines = {{machine, amount("55.000000000001")}};
        effective.total = {{cell("2026-11-01"), amount("90")}, {cell("2026-11-02"), amount("-3")}};
        effective.services = {{service, amount("90")}};
        effective.machines = {{machine, amount("90")}};
        const azure::CostCells tags{{cell("2026-11-01", machine.first, "vision"), amount("90")}};
        const auto rows = azure::combine(billed, effective, tags, settingsOf(kNumber, "team"));
        QVERIFY(rows.has_value());
        QCOMPARE(sumOf(*rows, &azure::CostRow::billed).toText(), std::string("100"));
        QCOMPARE(sumOf(*rows, &azure::CostRow::effective).toText(), std::string("87"));
        QCOMPARE(rows->size(), std::size_t{5});
        QCOMPARE(rows->front().tag, std::string("vision"));
        QCOMPARE(rows->front().subscription, std::string("s"));
        QVERIFY((*rows)[3].part == azure::CostPart::Rest);
        QCOMPARE((*rows)[3].billed.toText(), std::string("0.5"));
        QCOMPARE(rows->back().effective.toText(), std::string("-3"));
    }

    void aResourceWithTwoTagsOnADayHasNone()
    {
        azure::CostAnswers view;
        view.machines = {{cell("2026-11-01", "vm", "m"), amount("1")}};
        const azure::CostCells tags{{cell("2026-11-01", "vm", "a"), amount("1")},
                                    {cell("2026-11-01", "vm", "b"), amount("1")}};
        const auto rows = azure::combine(view, view, tags, settingsOf(kNumber, "team"));
        QVERIFY(rows && rows->front().tag.empty());
    }

    void namesChargesAsFocusDoes()
    {
        azure::KeptMonth month;
        month.range = {at("2026-11-01"), at("2026-12-01")};
        const auto add = [&](azure::CostPart part, const char *item, const char *charge, const char *billed,
                             const char *effective) {
            azure::CostRow row;
            row.day = base::dayOf(at("2026-11-01"));
            row.part = part;
            row.currency = base::Currency::usd();
            row.item = item;
            row.charge = charge;
            row.billed = amount(billed);
            row.effective = amount(effective);
            month.rows.push_back(row);
        };
        add(azure::CostPart::Machine, "ND96isr H100 v5 Spot", "Usage", "2", "2");
        add(azure::CostPart::Machine, "ND96isr H100 v5", "Usage", "0", "2");
        add(azure::CostPart::Machine, "ND96isr H100 v5", "Usage", "1", "2");
        add(azure::CostPart::Service, "Virtual Machines", "UnusedReservation", "0", "2");
        add(azure::CostPart::Service, "Virtual Machines", "Refund", "-2", "0");
        add(azure::CostPart::Service, "Virtual Machines", "Something New", "2", "2");
        add(azure::CostPart::Rest, "", "", "2", "0");
        add(azure::CostPart::Rest, "", "", "0.0000000001", "0"); // no money
        const auto lines = azure::linesOf(month, settingsOf());
        QVERIFY(lines && lines->size() == 7);
        QVERIFY((*lines)[0].pricing == model::PricingCategory::Dynamic);
        QVERIFY((*lines)[1].pricing == model::PricingCategory::Committed);
        QVERIFY((*lines)[2].pricing == model::PricingCategory::Unknown);
        QVERIFY((*lines)[3].commitment.status == model::UseStatus::Unused);
        QVERIFY((*lines)[4].category == model::ChargeCategory::Purchase);
        QVERIFY((*lines)[5].category == model::ChargeCategory::Adjustment);
        QVERIFY((*lines)[6].category == model::ChargeCategory::Adjustment);
    }

    void aMonthIsFinalWhenTheNextOneIsOver()
    {
        azure::KeptMonth month;
        month.range = {at("2026-10-01"), at("2026-11-01")};
        QCOMPARE(month.due(at("2026-10-20T10:00:00Z"), base::kDay).end, at("2026-10-20"));
        month.put({}, at("2026-11-01"), at("2026-11-30T10:00:00Z"));
        QVERIFY(month.due(at("2026-12-01T09:00:00Z"), base::kDay).empty()); // too early to ask again
        QVERIFY(!month.isFinal(at("2026-12-02")));
        QVERIFY(!month.due(at("2026-12-01T10:00:00Z"), base::kDay).empty());
        month.put({}, at("2026-11-01"), at("2026-12-01T10:00:00Z"));
        QVERIFY(month.due(at("2027-03-01"), base::kDay).empty());
        // A clock that was ahead does not make it final.
        month.put({}, at("2026-11-01"), at("2030-01-01"));
        QVERIFY(!month.due(at("2026-12-05"), base::kDay).empty());
    }

    void keptMonthsSurviveTheirText()
    {
        azure::KeptMonth month;
        month.range = {at("2026-11-01"), at("2026-12-01")};
        month.identity = "x y";
        azure::CostRow row;
        row.day = base::dayOf(at("2026-11-07"));
        row.part = azure::CostPart::Machine;
        row.currency = base::Currency::usd();
        row.item = "m\"";
        row.charge = "Usage";
        row.resource = "r";
        row.subscription = "s";
        row.tag = "t";
        row.billed = amount("-1.000000000000000001");
        row.effective = amount("2");
        month.put({row}, at("2026-11-08"), at("2026-11-08T10:00:00Z"));
        const auto again = azure::KeptMonth::fromText(month.toText(), month.range);
        QVERIFY(again.has_value());
        QCOMPARE(again->toText(), month.toText());
        QVERIFY(again->rows == month.rows);
        for (const std::string &bad : {std::string(), std::string("{}"), std::string("7")})
            QVERIFY(!azure::KeptMonth::fromText(bad, month.range));
        QVERIFY(!azure::KeptMonth::fromText(month.toText(), {at("2026-10-01"), at("2026-11-01")}));
    }
};

GPULEDGER_SUITE(TestAzureCosts)

} // namespace tst_azurecosts

#include "tst_azurecosts.moc"
