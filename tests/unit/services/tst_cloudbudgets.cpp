// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets of clouds beside bills, whose sums the test makes from the lines that it writes.
#include "app/services/spend/cloudbudgets.h"

#include "app/base/remedy.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tst_cloudbudgets {

using namespace gpuledger;
using base::Day;
using base::Money;
using model::CloudBudget;
using model::CostView;
using services::BudgetGap;
using services::BudgetRow;

namespace {

const base::FrozenClock kClock(base::parseTime("2026-11-20T12:00:00Z").value());

Day day(std::string_view text)
{
    return base::dayOf(base::parseTime(text).value());
}

base::Currency currency(const char *code)
{
    return base::Currency::parse(code).value();
}

CloudBudget budget(const char *name, std::optional<Day> first, std::optional<Day> last, const char *code = "USD")
{
    CloudBudget one;
    one.cloud = "AWS";
    one.account = "111122223333";
    one.name = name;
    one.isWholeBill = true;
    one.period = model::CloudBudgetPeriod::Month;
    one.first = first;
    one.last = last;
    one.currency = currency(code);
    one.limit = base::Decimal::parse("1000.5").value();
    return one;
}

CloudBudget ofNovember(const char *name, const char *code = "USD")
{
    return budget(name, day("2026-11-01"), day("2026-11-30"), code);
}

struct Told {
    base::Result<ports::BudgetList> answer = ports::BudgetList{};
    int asked = 0; // for its source
};

// Bills are files, and each of their sources tells the budgets that the test says.
class BudgetCatalog final : public ports::SourceCatalog {
public:
    mutable std::map<std::string, Told> told; // by source

    ports::SourceKinds kinds() const override
    {
        ports::SourceKinds all = m_real->kinds();
        for (ports::SourceKind &one : all) {
            if (one.kind == "focus")
                one.can = {ports::Capability::Bills, ports::Capability::Budgets};
        }
        return all;
    }
    base::Result<std::unique_ptr<ports::TelemetrySource>>
    create(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
           ports::SecretStore &secrets, const base::Clock &clock) const override
    {
        return m_real->create(settings, exporters, secrets, clock);
    }
    base::Result<std::unique_ptr<ports::CostSource>> createCost(const model::SourceSettings &settings,
                                                                ports::SecretStore &secrets,
                                                                const base::Clock &clock) const override
    {
        return m_real->createCost(settings, secrets, clock);
    }
    base::Result<std::unique_ptr<ports::BudgetSource>>
    createBudgets(const model::SourceSettings &settings, ports::SecretStore &, const base::Clock &) const override
    {
        if (settings.name == "unmade")
            return base::fail(base::ErrorCode::InvalidConfig, "no region");
        Told &one = told[settings.name];
        ++one.asked;
        return std::make_unique<tests::FakeBudgets>(settings.name, one.answer);
    }

private:
    std::unique_ptr<ports::SourceCatalog> m_real = connectors::makeSourceCatalog();
};

struct Line {
    std::string first, end; // of the charge; the end is not included
    std::string billed, effective;
    const char *category = "Usage", *code = "USD";
};

std::string timeOf(Day when)
{
    return base::toRfc3339(when.start());
}

// A line for use of each day.
std::vector<Line> usage(Day first, Day last, const char *code, const char *billedEnd, const char *effectiveEnd)
{
    std::vector<Line> lines;
    for (Day one = first; one <= last; ++one.number)
        lines.push_back({timeOf(one), timeOf(Day{one.number + 1}), std::to_string(one.number % 97) + billedEnd,
                         std::to_string(one.number % 89) + effectiveEnd, "Usage", code});
    return lines;
}

void writeBill(const std::filesystem::path &file, const std::string &month, const std::string &end,
               const std::vector<Line> &lines)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file);
    out << "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,"
           "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeClass,ChargeDescription,ProviderName,"
           "ServiceCategory,ServiceName,SubAccountId,RegionId,ResourceId,SkuPriceDetails,ConsumedQuantity,"
           "ConsumedUnit,ListCost,Tags\n";
    for (const Line &line : lines)
        out << line.billed << ',' << line.effective << ",acc," << line.code << ',' << month << ',' << end << ','
            << line.first << ',' << line.end << ',' << line.category
            << ",,,AWS,Compute,Amazon Elastic Compute Cloud,,,,,,,,\n";
    out.close();
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

// The sum over whole lines, in the currency of `rate` per unit of theirs, which must be exact.
Money sumOf(const std::vector<Line> &lines, CostView view, const char *code = "USD", std::int64_t rateMille = 1000)
{
    Money sum(0, currency(code));
    for (const Line &line : lines) {
        const auto one = Money::parse(view == CostView::Billed ? line.billed : line.effective, currency(code)).value();
        sum = sum.plus(Money(one.nanos() / 1000 * rateMille + one.nanos() % 1000 * rateMille / 1000, currency(code)))
                  .value();
    }
    return sum;
}

} // namespace

class CloudBudgetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_october = usage(day("2026-10-01"), day("2026-10-31"), "USD", ".000000007", ".125000003");
        m_october.push_back({"2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z", "31.000000001", "31.000000001", "Tax"});
        m_november = usage(day("2026-11-01"), day("2026-11-18"), "USD", ".000000009", ".500000001");
        m_november.push_back({"2026-11-05T00:00:00Z", "2026-11-06T00:00:00Z", "-12.25", "-12.25", "Credit"});
        m_fee = {"2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", "30", "60", "Purchase"}; // 1 and 2 a day
        auto november = m_november;
        november.push_back(m_fee);
        m_euros = usage(day("2026-11-01"), day("2026-11-10"), "EUR", ".000000008", ".250000004");
        const std::filesystem::path folder = m_folder.path().toStdString();
        const std::string months[] = {"2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z",
                                      "2026-12-01T00:00:00Z"};
        writeBill(folder / "bill/10.csv", months[1], months[2], m_october);
        writeBill(folder / "bill/11.csv", months[2], months[3], november);
        writeBill(folder / "euro/11.csv", months[2], months[3], m_euros);
        writeBill(folder / "yen/11.csv", months[2], months[3],
                  usage(day("2026-11-01"), day("2026-11-10"), "JPY", "", ""));
        auto gap = m_euros;
        gap.erase(gap.begin() + 4); // 5 November
        writeBill(folder / "gap/11.csv", months[2], months[3], gap);
        writeBill(folder / "fees/11.csv", months[2], months[3], {m_fee});
        writeBill(folder / "old/09.csv", months[0], months[1],
                  usage(day("2026-09-01"), day("2026-09-30"), "USD", "", ""));
        open({"yen", "fees", "old", "gap", "euro", "bill"});
        const auto reports = m_workspace->sources().sync(std::nullopt, {}, {});
        QVERIFY(reports);
        for (const services::SyncReport &report : *reports)
            QVERIFY2(!report.error, report.error ? report.error->text.c_str() : "");
    }
    void init() { m_catalog.told.clear(); }
    void cleanupTestCase() { m_workspace.reset(); }

    // To the last digit, in both views; a month's fee counts by its days, but is not a billed day.
    void isComparedWithTheWholeBill()
    {
        tell("bill",
             {ofNovember("november"), budget("october", day("2026-10-01"), day("2026-10-31")),
              budget("one day", day("2026-11-18"), day("2026-11-18")),
              budget("both", day("2026-10-01"), Day{2'900'000})});
        for (const CostView view : {CostView::Effective, CostView::Billed}) {
            const Money november =
                sumOf(m_november, view)
                    .plus(Money((view == CostView::Billed ? 18 : 36) * Money::kNanosPerUnit, base::Currency::usd()))
                    .value();
            const Money october = sumOf(m_october, view);
            const auto answer = ask(view);
            QCOMPARE(answer.rows.size(), std::size_t{4});
            compared(answer, "november", november, "2026-11-18");
            compared(answer, "october", october, "2026-10-31");
            compared(answer, "both", november.plus(october).value(), "2026-11-18");
            const Line &last = m_november[17];
            const Line share{{}, {}, view == CostView::Billed ? "1" : "0", view == CostView::Billed ? "0" : "2"};
            compared(answer, "one day", sumOf({last, share}, view), "2026-11-18");
            QVERIFY(answer.unread.empty());
        }
        QVERIFY(sumOf(m_november, CostView::Billed) != sumOf(m_november, CostView::Effective));
    }

    void saysWhyABillIsNotBesideIt()
    {
        CloudBudget part = ofNovember("part"), partList = ofNovember("share");
        part.isWholeBill = partList.isWholeBill = false;
        part.scope = "Service: Amazon EC2";
        tell("bill",
             {part, budget("no end", day("2026-11-01"), {}), budget("no start", {}, day("2026-11-30")),
              budget("turned", day("2026-11-30"), day("2026-11-01")),
              budget("next", day("2026-12-01"), day("2026-12-31")),
              budget("today", day("2026-11-19"), day("2026-11-19")),
              budget("before", day("2026-08-01"), day("2026-08-31")),
              budget("begun", day("2026-09-30"), day("2026-12-31")), budget("ever", Day{-700'000}, Day{2'900'000})});
        tell("gap", {ofNovember("gap")});
        tell("old", {ofNovember("old")});
        tell("fees", {ofNovember("fees")});
        tell("yen", {ofNovember("yen")});
        const std::map<std::string, BudgetGap> wanted{
            {"part", BudgetGap::OnlyPart},   {"no end", BudgetGap::NoPeriod},  {"no start", BudgetGap::NoPeriod},
            {"turned", BudgetGap::NoPeriod}, {"next", BudgetGap::NotBilled},   {"today", BudgetGap::NotBilled},
            {"old", BudgetGap::NotBilled},   {"before", BudgetGap::NotBilled}, {"fees", BudgetGap::NotBilled},
            {"begun", BudgetGap::NotBilled}, {"ever", BudgetGap::NotBilled},   {"gap", BudgetGap::NotBilled},
            {"yen", BudgetGap::NoRate}};
        const auto answer = ask(CostView::Effective);
        QCOMPARE(answer.rows.size(), wanted.size());
        for (const auto &[name, gap] : wanted) {
            const BudgetRow &row = rowOf(answer, name);
            QVERIFY2(row.gap == gap && !row.billed && !row.billedThrough, name.c_str());
            QCOMPARE(row.limit->toDecimal(), std::string("1000.500000000"));
        }
        QCOMPARE(rowOf(answer, "part").budget.scope, std::string("Service: Amazon EC2"));
    }

    void convertsByTheRates()
    {
        tell("euro", {ofNovember("as billed", "EUR"), ofNovember("converted", "USD")});
        tell("yen", {ofNovember("yen", "JPY")});
        const auto answer = ask(CostView::Billed);
        compared(answer, "as billed", sumOf(m_euros, CostView::Billed, "EUR"), "2026-11-10");
        compared(answer, "converted", sumOf(m_euros, CostView::Billed, "USD", 1250), "2026-11-10");
        QVERIFY(rowOf(answer, "yen").gap == BudgetGap::None);
    }

    void nothingIsPaidAtListPrices()
    {
        CloudBudget part = ofNovember("part");
        part.isWholeBill = false;
        tell("bill", {ofNovember("whole"), part});
        const auto answer = ask(CostView::List);
        QVERIFY(rowOf(answer, "whole").gap == BudgetGap::NotPaid && !rowOf(answer, "whole").billed);
        QVERIFY(rowOf(answer, "part").gap == BudgetGap::OnlyPart);
    }

    void anUnreadSourceLeavesTheOthers()
    {
        open({"old", "unmade", "bill", "hidden"});
        tell("hidden", {ofNovember("hidden")});
        tell("bill", {ofNovember("november")});
        m_catalog.told["old"].answer = base::fail(base::ErrorCode::Forbidden, "not allowed");
        const auto answer = ask(CostView::Effective);
        QCOMPARE(answer.rows.size(), std::size_t{1});
        QVERIFY(rowOf(answer, "november").billed);
        QCOMPARE(answer.unread.size(), std::size_t{2});
        QCOMPARE(answer.unread[0].source, std::string("old"));
        QVERIFY(answer.unread[0].error.code == base::ErrorCode::Forbidden);
        QCOMPARE(answer.unread[0].error.source, std::string("old"));
        QCOMPARE(answer.unread[1].source, std::string("unmade"));
        QVERIFY(answer.unread[1].error.code == base::ErrorCode::InvalidConfig);
        QCOMPARE(m_catalog.told["hidden"].asked, 0);
        open({"yen", "fees", "old", "euro", "bill"});
    }

    void isSortedAndCounted()
    {
        auto b = ofNovember("b"), a = ofNovember("a"), other = ofNovember("a"), azure = ofNovember("z");
        other.account = "000011112222";
        azure.cloud = "Microsoft";
        auto huge = ofNovember("huge"), hugeSpent = ofNovember("huge spent"), bare = ofNovember("bare");
        huge.limit = base::Decimal::parse("10000000000").value();
        hugeSpent.spent = huge.limit;
        bare.currency = base::Currency();
        tell("old", {azure, b, huge, a, other, hugeSpent, bare}, 3, 2);
        auto known = ofNovember("known");
        known.limit.reset();
        known.spent = base::Decimal::parse("0").value();
        known.forecast = base::Decimal::parse("-0.0000000015").value();
        tell("bill", {known}, 4, 0);
        const auto answer = ask(CostView::Effective);
        std::vector<std::string> order;
        for (const BudgetRow &row : answer.rows)
            order.push_back(row.source + ' ' + row.budget.cloud + ' ' + row.budget.account + ' ' + row.budget.name);
        QCOMPARE(
            order,
            (std::vector<std::string>{"bill AWS 111122223333 known", "old AWS 000011112222 a", "old AWS 111122223333 a",
                                      "old AWS 111122223333 b", "old Microsoft 111122223333 z"}));
        QCOMPARE(answer.withoutMoney, std::uint64_t{7});
        QCOMPARE(answer.rejected, std::uint64_t{5});
        const BudgetRow &first = answer.rows.front();
        QVERIFY(!first.limit && first.spent == Money(0, base::Currency::usd())
                && first.forecast == Money(-2, base::Currency::usd()));
        QVERIFY(!answer.rows.back().spent && !answer.rows.back().forecast);
    }

    void canBeStopped()
    {
        tell("bill", {ofNovember("november")});
        std::stop_source stop;
        stop.request_stop();
        const auto answer = m_workspace->spend().budgets(CostView::Effective, stop.get_token());
        QVERIFY(!answer && answer.error().code == base::ErrorCode::Cancelled);
    }

    void failsWithoutASourceThatTellsThem()
    {
        open({"hidden"});
        const auto answer = m_workspace->spend().budgets(CostView::Effective, {});
        QVERIFY(!answer && answer.error().code == base::ErrorCode::NotFound);
        QCOMPARE(answer.error().hint, std::string(base::text(base::Remedy::AddCloudBill)));
        open({"yen", "fees", "old", "euro", "bill"});
    }

private:
    // `hidden` may not be read.
    void open(const std::vector<std::string> &names)
    {
        m_workspace.reset();
        model::Settings settings;
        settings.timeZone = "UTC";
        for (const std::string &name : names) {
            model::SourceSettings &source = settings.sources.emplace_back();
            source.name = name;
            source.kind = "focus";
            source.path = m_folder.filePath(QString::fromStdString(name)).toStdString();
            source.mayRead = name != "hidden";
        }
        settings.prices.exchangeRates.push_back(
            {currency("EUR"), currency("USD"), "1.25", base::parseTime("2026-01-01").value()});
        services::WorkspaceOptions where;
        where.dataFolder = m_folder.filePath(QStringLiteral("data")).toStdString();
        auto opened = services::Workspace::open(settings, where, m_catalog, m_secrets, kClock);
        QVERIFY2(opened, opened ? "" : opened.error().text.c_str());
        m_workspace = std::move(*opened);
    }

    void tell(const char *source, std::vector<CloudBudget> budgets, std::uint64_t withoutMoney = 0,
              std::uint64_t rejected = 0)
    {
        m_catalog.told[source].answer = ports::BudgetList{std::move(budgets), withoutMoney, rejected};
    }

    services::BudgetsAnswer ask(CostView view) { return m_workspace->spend().budgets(view, {}).value(); }

    static const BudgetRow &rowOf(const services::BudgetsAnswer &answer, const std::string &name)
    {
        static const BudgetRow kNone{};
        const auto it = std::find_if(answer.rows.begin(), answer.rows.end(),
                                     [&](const BudgetRow &row) { return row.budget.name == name; });
        return it == answer.rows.end() ? kNone : *it;
    }

    static void compared(const services::BudgetsAnswer &answer, const char *name, const Money &billed,
                         const char *through)
    {
        const BudgetRow &row = rowOf(answer, name);
        QVERIFY2(row.gap == BudgetGap::None && row.billed && row.billedThrough, name);
        QCOMPARE(row.billed->toDecimal(), billed.toDecimal());
        QVERIFY2(row.billed->currency() == billed.currency(), name);
        QVERIFY2(*row.billedThrough == day(through), name);
    }

    QTemporaryDir m_folder;
    BudgetCatalog m_catalog;
    tests::NoSecrets m_secrets;
    std::unique_ptr<services::Workspace> m_workspace;
    std::vector<Line> m_october, m_november, m_euros;
    Line m_fee;
};

GPULEDGER_SUITE(CloudBudgetsTest)

} // namespace tst_cloudbudgets

#include "tst_cloudbudgets.moc"
