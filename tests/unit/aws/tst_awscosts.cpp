// SPDX-License-Identifier: GPL-3.0-or-later
// What Cost Explorer's answers become, what is kept of them, and what is paid for. The figures as a whole:
// tests/integration/run_awscosts.py.
#include "connectors/aws/costs/costexplorersource.h"
#include "connectors/aws/costs/costlines.h"
#include "connectors/format/cur/usagetypes.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakeaws.h"

#include <QTest>

namespace tst_awscosts {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

base::Decimal number(const char *text)
{
    return *base::Decimal::parse(text);
}

aws::CostQuestion question(aws::CostPart part = aws::CostPart::Service)
{
    return {.isTotal = false, .part = part, .days = {at("2026-11-01"), at("2026-11-02")}, .account = {}};
}

// A page about 2026-11-01 with these groups, and more members.
std::string page(const std::string &groups, const std::string &more = {})
{
    return js("{'ResultsByTime':[{'TimePeriod':{'Start':'2026-11-01','End':'2026-11-02'},'Total':{},'Groups':[" + groups
              + "],'Estimated':false}]" + more + "}");
}

std::string group(const std::string &account, const std::string &item, const std::string &billed,
                  const std::string &effective, const std::string &unit = "USD")
{
    return "{'Keys':['" + account + "','" + item + "'],'Metrics':{'UnblendedCost':{'Amount':'" + billed + "','Unit':'"
        + unit + "'},'AmortizedCost':{'Amount':'" + effective + "','Unit':'" + unit + "'}}}";
}

// Gives each day of the questions the same charge of an account, as a part that `item` names; others are empty.
class FakeCosts {
public:
    std::string billed = "10";
    bool isEstimate = true;
    int asked = 0, identities = 0;
    std::function<base::Result<http::Response>()> accounts = [] { // of AWS Organizations
        return answer(js("{'__type':'AccessDeniedException','Message':'said so'}"), 400);
    };
    int listed = 0; // requests to AWS Organizations
    std::string name; // that Cost Explorer gives the account; empty: none
    std::function<std::optional<base::Result<http::Response>>(int)> before; // by the number of the request, from 1

    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) { return handle(request); });
    }

private:
    base::Result<http::Response> handle(const http::Request &request)
    {
        if (request.body.starts_with("Action=GetCallerIdentity")) {
            ++identities;
            return answer("<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>"
                          "</GetCallerIdentityResult></GetCallerIdentityResponse>",
                          200, "text/xml");
        }
        if (request.body == "{\"MaxResults\":20}") {
            ++listed;
            return accounts();
        }
        ++asked;
        if (before) {
            if (auto instead = before(asked))
                return std::move(*instead);
        }
        const auto body = nlohmann::json::parse(request.body);
        nlohmann::json results = nlohmann::json::array();
        const nlohmann::json cost{{"UnblendedCost", {{"Amount", billed}, {"Unit", "USD"}}},
                                  {"AmortizedCost", {{"Amount", billed}, {"Unit", "USD"}}}};
        const bool isTotal = !body.contains("GroupBy");
        const bool has = isTotal || body["GroupBy"][1]["Key"] == "SERVICE";
        const auto end = at(body["TimePeriod"]["End"].get<std::string>().c_str());
        for (auto day = at(body["TimePeriod"]["Start"].get<std::string>().c_str()); day < end; day += base::kDay) {
            nlohmann::json groups = nlohmann::json::array();
            if (!isTotal && has)
                groups.push_back({{"Keys", {"111111111111", "AWS Lambda"}}, {"Metrics", cost}});
            results.push_back({{"TimePeriod", {{"Start", aws::dateText(day)}}},
                               {"Total", isTotal ? cost : nlohmann::json::object()},
                               {"Groups", groups},
                               {"Estimated", isEstimate}});
        }
        nlohmann::json names = nlohmann::json::array();
        if (!name.empty())
            names.push_back({{"Value", "111111111111"}, {"Attributes", {{"description", name}}}});
        return answer(nlohmann::json{{"ResultsByTime", results}, {"DimensionValueAttributes", names}}.dump());
    }
};

struct CostSetup {
    CostSetup()
    {
        settings.name = "bill";
        settings.firstSync = base::kDay;
    }
    std::unique_ptr<aws::CostExplorerSource> source()
    {
        aws::Tuning tuning;
        tuning.pause = std::make_shared<SimulatedPause>();
        tuning.surroundings = {[this](const std::string &name) { return environment[name]; }, "/nonexistent"};
        return std::make_unique<aws::CostExplorerSource>(settings, *aws::CostOptions::of(settings), clock, clock,
                                                         server.client(), tuning);
    }
    // The only month, by a new source, as each sync makes one.
    base::Result<ports::ImportReport> sync()
    {
        auto one = source();
        const auto all = one->deliveries({});
        auto report = one->import(all->back(), sink, {});
        paid = one->paid()->requests;
        return report;
    }
    // Two hours later, when AWS Organizations lists these accounts or, for "", refuses to.
    bool isImported(const std::string &accounts)
    {
        clock = base::FrozenClock{clock.now() + base::Seconds{7200}};
        server.accounts = [accounts] {
            return accounts.empty() ? answer(js("{'__type':'AccessDeniedException'}"), 400)
                                    : answer(js("{'Accounts':[" + accounts + "]}"));
        };
        const auto report = sync();
        return report && report->outcome == ports::ImportReport::Outcome::Imported;
    }
    // Of the account and of the payer, as the stored lines call them.
    std::string names() const
    {
        const model::BillLine &line = sink.bills.begin()->second.front();
        return line.subAccountName + '/' + line.billingAccountName;
    }

    model::SourceSettings settings;
    std::map<std::string, std::string> environment{{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                                                   {"AWS_SECRET_ACCESS_KEY", "canary-secret-key"}};
    base::FrozenClock clock{at("2026-11-04T10:00:00Z")};
    FakeCosts server;
    MemoryBillSink sink;
    std::uint64_t paid = 0;
};

} // namespace

class TestAwsCosts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsUsageTypes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("region");
        QTest::addColumn<QString>("machine");
        QTest::addColumn<bool>("isSpot");
        QTest::addColumn<bool>("isGpu");
        QTest::newRow("no prefix") << "BoxUsage:p4d.24xlarge"
                                   << "us-east-1"
                                   << "p4d.24xlarge" << false << true;
        QTest::newRow("spot") << "EUC1-SpotUsage:g5.xlarge"
                              << "eu-central-1"
                              << "g5.xlarge" << true << true;
        QTest::newRow("short prefix") << "EU-BoxUsage:m5.large"
                                      << "eu-west-1"
                                      << "m5.large" << false << false;
        QTest::newRow("training") << "USE1-Train:ml.p4d.24xlarge-Spot"
                                  << "us-east-1"
                                  << "ml.p4d.24xlarge" << true << true;
        QTest::newRow("hyphen") << "USW2-BoxUsage:p6-b200.48xlarge"
                                << "us-west-2"
                                << "p6-b200.48xlarge" << false << true;
        QTest::newRow("graphics") << "USE2-BoxUsage:gr6.4xlarge"
                                  << "us-east-2"
                                  << "gr6.4xlarge" << false << true;
        QTest::newRow("no family") << "USE2-BoxUsage:ml.gpu.large"
                                   << "us-east-2"
                                   << "ml.gpu.large" << false << false;
        QTest::newRow("other") << "TimedStorage-ByteHrs"
                               << ""
                               << "" << false << false;
        QTest::newRow("unknown region") << "XYZ9-BoxUsage:p5.48xlarge"
                                        << ""
                                        << "p5.48xlarge" << false << true;
        QTest::newRow("no type") << "USE1-Studio:VolumeUsage.gp3"
                                 << "us-east-1"
                                 << "" << false << false;
        QTest::newRow("nothing") << ""
                                 << ""
                                 << "" << false << false;
        QTest::newRow("only a colon") << ":"
                                      << ""
                                      << "" << false << false;
    }
    void readsUsageTypes()
    {
        QFETCH(QString, text);
        const cur::UsageType usage = cur::usageTypeOf(text.toStdString());
        QTEST(QString::fromStdString(usage.region), "region");
        QTEST(QString::fromStdString(usage.instanceType), "machine");
        QTEST(usage.isSpot, "isSpot");
        QTEST(usage.isGpu(), "isGpu");
    }

    // A page may end within a day, and a group may go on after it; amounts have exponents and signs.
    void addsUpPages()
    {
        aws::CostAnswer answer(question(), {});
        const auto next = answer.add(page(group("1", "S3", "1.5E-7", "2"), ",'NextPageToken':'two'"));
        QVERIFY(next && *next == "two");
        const auto last = answer.add(page(group("1", "S3", "-3", "0.25") + ',' + group("2", "S3", "4", "4")));
        QVERIFY(last && last->empty());
        const auto days = answer.take();
        QVERIFY(days && days->size() == 1);
        const aws::CostDay &day = days->begin()->second;
        QVERIFY(!day.isEstimate && day.currency == base::Currency::usd() && day.rows.size() == 2);
        QCOMPARE(day.rows[0].billed.toText(), std::string("-2.99999985"));
        QCOMPARE(day.rows[0].effective.toText(), std::string("2.25"));
    }

    void refusesOtherAnswers_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const std::string &text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("no JSON", "<html>");
        row("no results", "{}");
        row("no groups", js("{'ResultsByTime':[{'TimePeriod':{'Start':'2026-11-01'}}]}"));
        row("another day", js("{'ResultsByTime':[{'TimePeriod':{'Start':'2026-11-02'},'Groups':[]}]}"));
        row("within a day", js("{'ResultsByTime':[{'TimePeriod':{'Start':'2026-11-01T03:00:00Z'},'Groups':[]}]}"));
        row("no day at all", js("{'ResultsByTime':[]}"));
        row("one key", page("{'Keys':['1'],'Metrics':{}}"));
        row("no amount", page("{'Keys':['1','2'],'Metrics':{}}"));
        row("not a number", page(group("1", "2", "much", "1")));
        row("no currency", page(group("1", "2", "1", "1", "")));
        row("two currencies", page(group("1", "2", "1", "1") + ',' + group("1", "3", "1", "1", "EUR")));
    }
    void refusesOtherAnswers()
    {
        QFETCH(QString, text);
        aws::CostAnswer answer(question(), {});
        const auto added = answer.add(text.toStdString());
        const auto days = added ? answer.take() : base::Result<aws::CostDays>(base::fail(added.error()));
        QVERIFY(!days);
        QVERIFY2(days.error().code == ErrorCode::Parse, days.error().text.c_str());
    }

    // The words of others are shown as they are, and never as more than words.
    void cleansNames()
    {
        aws::CostAnswer answer(question(), {});
        QVERIFY(answer.add(page(group("1", "bad\\u0000\\u001b[31m\\u202e", "1", "1"))));
        const std::string item = answer.take()->begin()->second.rows.front().item;
        QVERIFY(item.find('\0') == std::string::npos && item.find('\x1b') == std::string::npos);
    }

    void keepsAMonth()
    {
        aws::KeptMonth month;
        month.range = {at("2026-11-01"), at("2026-12-01")};
        month.identity = "gross team ";
        month.account = "123456789012";
        aws::CostDay day{false, base::Currency::usd(), {}};
        day.rows.push_back({aws::CostPart::Usage, "1", "BoxUsage:p5.48xlarge", "nlp", number("-0.000000000123"),
                            number("7"), number("24"), "Hrs"});
        day.rows.push_back({aws::CostPart::Rest, "", "", "", number("1"), number("2"), std::nullopt, ""});
        month.put({{base::dayOf(at("2026-11-03")), day}}, {{"1", "Research \"lab\""}}, at("2026-11-04T10:00:00Z"));
        QVERIFY(month.give({{"1", "\u00e4"}, {"2", "of another"}}) && !month.give({{"1", "\u00e4"}}));
        month.failure = "said so";
        const auto again = aws::KeptMonth::fromText(month.toText(), month.range);
        QVERIFY(again);
        QVERIFY(again->days == month.days && again->names == month.names && again->asked == month.asked);
        QVERIFY(again->given == month.given && again->nameOf("1") == "\u00e4" && again->nameOf("2").empty());
        QCOMPARE(again->toText(), month.toText());
        // Anything else is asked again, never misread.
        QVERIFY(!aws::KeptMonth::fromText(month.toText(), {at("2026-10-01"), at("2026-11-01")}));
        for (const char *text : {"", "{", "[]", "{\"version\":2}", "null"})
            QVERIFY(!aws::KeptMonth::fromText(text, month.range));
        std::string spoiled = month.toText();
        spoiled.replace(spoiled.find("\"-0.000000000123\""), 17, "\"-0,000000000123\"");
        QVERIFY(!aws::KeptMonth::fromText(spoiled, month.range));
    }

    void knowsWhatIsDue()
    {
        aws::KeptMonth month;
        month.range = {at("2026-11-01"), at("2026-12-01")};
        const base::TimeRange all{at("2026-11-01"), at("2026-11-05")};
        const base::UtcTime now = at("2026-11-05T10:00:00Z");
        QCOMPARE(month.due(now, base::kDay), all);
        const auto put = [&](int first, int last, bool isEstimate) {
            aws::CostDays days;
            for (int day = first; day <= last; ++day)
                days[base::dayOf(at("2026-11-01") + (day - 1) * base::kDay)] = {isEstimate, {}, {}};
            month.put(days, {}, now);
        };
        put(1, 2, false);
        QVERIFY(month.due(now + base::Seconds{1}, base::kDay).empty()); // asked just now, although days are missing
        QCOMPARE(month.due(now + base::kDay, base::kDay),
                 (base::TimeRange{at("2026-11-03"), at("2026-11-06")})); // final days never again
        put(3, 30, true);
        QCOMPARE(month.due(at("2026-12-10"), base::kDay), (base::TimeRange{at("2026-11-03"), at("2026-12-01")}));
        QVERIFY(month.due(at("2027-01-30"), base::kDay).empty()); // estimates for good
        put(3, 30, false);
        QVERIFY(month.due(at("2026-12-10"), base::kDay).empty());
        // A clock that was years ahead does not end the questions.
        put(3, 30, true);
        month.asked = at("2030-01-01");
        QVERIFY(!month.due(at("2026-12-10"), base::kDay).empty());
    }

    void paysOnceForADay()
    {
        CostSetup setup;
        const auto first = setup.sync();
        QVERIFY2(first.has_value(), first ? "" : first.error().text.c_str());
        QCOMPARE(setup.paid, aws::kCostQuestions);
        QCOMPARE(setup.sink.paid, aws::kCostQuestions);
        const auto bill = setup.sink.bills.begin();
        QCOMPARE(bill->first.billingAccountId, std::string("123456789012"));
        QCOMPARE(bill->second.size(), std::size_t{3});
        QVERIFY(bill->second[0].billed == base::Money(10'000'000'000, base::Currency::usd()));
        QCOMPARE(bill->second[0].subAccountId, std::string("111111111111"));
        const auto second = setup.sync();
        QVERIFY(second && second->outcome == ports::ImportReport::Outcome::Duplicate);
        QCOMPARE(setup.paid, std::uint64_t{0});
        QCOMPARE(setup.server.identities, 1);
        // Restated, and back again: each time the bill is replaced.
        for (const char *billed : {"11", "10"}) {
            setup.clock = base::FrozenClock{setup.clock.now() + base::kDay};
            setup.server.billed = billed;
            const auto later = setup.sync();
            QVERIFY(later && later->outcome == ports::ImportReport::Outcome::Imported);
            QVERIFY(setup.sink.bills.size() == 1);
            QCOMPARE(base::Decimal::of(setup.sink.bills.begin()->second[0].billed).toText(), std::string(billed));
        }
    }

    // Where nothing can be kept, the next sync would pay again; so nothing is asked.
    void paysNothingWhereNothingCanBeKept()
    {
        CostSetup setup;
        setup.sink.forgets = true;
        const auto report = setup.sync();
        QVERIFY(!report && report.error().code == ErrorCode::StorageFull);
        QCOMPARE(setup.server.asked, 0);
    }

    void countsWhatMayHaveBeenCharged()
    {
        CostSetup setup;
        setup.server.before = [](int n) -> std::optional<base::Result<http::Response>> {
            if (n == 1 || n == 2) { // whether an answer that came too late is charged is unknown: it is counted
                base::Error error = base::Error::make(n == 1 ? ErrorCode::Timeout : ErrorCode::Network, "no answer");
                error.retryable = true;
                return base::Result<http::Response>(base::fail(std::move(error)));
            }
            if (n == 3)
                return base::Result<http::Response>(
                    answer(js("{'__type':'com.amazonaws.ce#LimitExceededException','Message':'slow'}"), 400));
            return std::nullopt;
        };
        const auto report = setup.sync();
        QVERIFY2(report.has_value(), report ? "" : report.error().text.c_str());
        QCOMPARE(setup.paid, aws::kCostQuestions + 1);
    }

    void stopsAtCircles()
    {
        CostSetup setup;
        setup.server.before = [](int) -> std::optional<base::Result<http::Response>> {
            return base::Result<http::Response>(answer(js("{'ResultsByTime':[],'NextPageToken':'again'}")));
        };
        const auto report = setup.sync();
        QVERIFY(!report && report.error().code == ErrorCode::Parse);
        QCOMPARE(setup.server.asked, 2);
    }

    void aStopEndsIt()
    {
        CostSetup setup;
        std::stop_source stop;
        setup.server.before = [&](int n) -> std::optional<base::Result<http::Response>> {
            if (n == 2)
                stop.request_stop();
            return std::nullopt;
        };
        auto source = setup.source();
        const auto report = source->import(source->deliveries({})->back(), setup.sink, stop.get_token());
        QVERIFY(!report && report.error().code == ErrorCode::Cancelled);
        setup.server.before = {};
        QVERIFY(setup.sync()); // at once: nobody is to wait an hour after a stop
    }

    // Also in a month that is final. A new name imports it again, which costs nothing; names of others do not.
    void namesOfTheOrganizationWin()
    {
        const std::string research = "{'Id':'111111111111','Name':'research'}";
        const std::string payer = research + ",{'Id':'123456789012','Name':'payer'}";
        CostSetup setup;
        setup.settings.options["refresh"] = "1h";
        setup.server.isEstimate = false;
        setup.server.name = "explorer";
        QVERIFY(setup.isImported("") && setup.names() == "explorer/");
        QVERIFY(setup.isImported(research) && setup.names() == "research/");
        QVERIFY(!setup.isImported(research + ",{'Id':'222222222222','Name':'other'}"));
        QVERIFY(setup.isImported(payer) && setup.names() == "research/payer");
        // Without the right, they are those of Cost Explorer; with it, they come back.
        QVERIFY(setup.isImported("") && setup.names() == "explorer/");
        QVERIFY(setup.isImported(payer) && setup.names() == "research/payer");
        QCOMPARE(setup.sink.paid, aws::kCostQuestions);
    }

    void aSilentOrganizationChangesNothing()
    {
        CostSetup setup;
        setup.settings.options["refresh"] = "1h";
        setup.server.isEstimate = false;
        setup.server.name = "explorer";
        QVERIFY(setup.isImported("{'Id':'111111111111','Name':'research'}") && setup.names() == "research/");
        QVERIFY(!setup.isImported("{'Id':") && setup.names() == "research/");
        setup.clock = base::FrozenClock{setup.clock.now() + base::Seconds{7200}};
        setup.server.accounts = [] { return answer("", 503); };
        const auto later = setup.sync();
        QVERIFY(later && later->outcome == ports::ImportReport::Outcome::Duplicate);
        CostSetup fresh;
        fresh.server.name = "explorer";
        fresh.server.accounts = setup.server.accounts;
        QVERIFY(fresh.sync() && fresh.names() == "explorer/");
        QVERIFY(fresh.paid == aws::kCostQuestions && fresh.server.listed == 4);
    }

    // A program that ends while the list is read pays for nothing again.
    void asksForNamesOnceAndAfterWhatIsPaidFor()
    {
        CostSetup setup;
        setup.settings.firstSync = 40 * base::kDay;
        int asked = 0;
        std::string kept;
        setup.server.accounts = [&] {
            asked = setup.server.asked;
            kept = setup.sink.memory["cost explorer 2026-09-01"];
            return answer(js("{'Accounts':[]}"));
        };
        auto source = setup.source();
        const auto all = source->deliveries({});
        QVERIFY(all && all->size() == 3);
        for (const ports::BillDelivery &month : *all)
            QVERIFY(source->import(month, setup.sink, {}));
        QCOMPARE(setup.server.listed, 1);
        QVERIFY(asked == static_cast<int>(aws::kCostQuestions));
        const auto month = aws::KeptMonth::fromText(kept, {at("2026-09-01"), at("2026-10-01")});
        QVERIFY(month && month->days.size() == 30 && month->failure.empty());
    }

    void asksForWholeMonths()
    {
        CostSetup setup;
        setup.settings.firstSync = 40 * base::kDay; // 2026-09-25
        const auto months = setup.source()->deliveries({});
        QVERIFY(months && months->size() == 3);
        QCOMPARE(months->front().files.front().string(), std::string("cost-explorer-2026-09"));
        setup.settings.firstSync = 4000 * base::kDay;
        QCOMPARE(setup.source()->deliveries({})->front().files.front().string(), std::string("cost-explorer-2025-10"));
        setup.clock = base::FrozenClock{at("2026-11-01T23:00:00Z")}; // no day of this month is over
        setup.settings.firstSync = base::Seconds{60};
        QVERIFY(setup.source()->deliveries({})->empty());
    }

    void refusesWrongOptions()
    {
        for (const auto &[key, value] : std::map<std::string, std::string>{
                 {"amounts", "both"}, {"account", "prod"}, {"requests", "4"}, {"requests ", "x"}, {"tag", "a\x1b"}}) {
            CostSetup setup;
            setup.settings.options[key == "requests " ? "requests" : key] = value;
            const auto options = aws::CostOptions::of(setup.settings);
            QVERIFY2(!options && options.error().code == ErrorCode::InvalidConfig, key.c_str());
        }
    }
};

GPULEDGER_SUITE(TestAwsCosts)

} // namespace tst_awscosts

#include "tst_awscosts.moc"
