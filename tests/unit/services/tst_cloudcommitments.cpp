// SPDX-License-Identifier: GPL-3.0-or-later
// Commitments of clouds beside bills that the test writes, and when a sync asks for them.
#include "app/services/commitments/cloudcommitments.h"

#include "app/base/remedy.h"
#include "app/services/commitments/commitmentmemory.h"
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
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tst_cloudcommitments {

using namespace gpuledger;
using base::Day;
using base::Money;
using model::CloudCommitment;
using model::CloudCommitmentKind;
using model::CommitmentCoverage;
using ports::CommitmentReport;
using services::CommitmentRow;
using services::KeptCommitments;

namespace {

base::UtcTime timeAt(std::string_view text)
{
    return base::parseTime(text).value();
}

Day dayAt(std::string_view text)
{
    return base::dayOf(timeAt(text));
}

class SetClock final : public base::Clock {
public:
    base::UtcTime now() const override { return time; }
    base::UtcTime time = timeAt("2026-11-20T12:00:00Z");
};

struct ToldCommitments {
    base::Result<CommitmentReport> answer = CommitmentReport{};
    std::optional<std::uint64_t> requests; // that a reading pays for; std::nullopt: it is free
    int asked = 0;
};

class FakeCommitments final : public ports::CommitmentSource {
public:
    FakeCommitments(std::string name, ToldCommitments &told)
        : m_name(std::move(name))
        , m_told(told)
    {
    }
    const std::string &name() const override { return m_name; }
    base::Result<CommitmentReport> read(base::UtcTime, std::stop_token) override
    {
        ++m_told.asked;
        m_paid = m_told.requests.value_or(0);
        return m_told.answer;
    }
    base::Result<std::vector<ports::Finding>> probe(std::stop_token) override { return std::vector<ports::Finding>(); }
    std::optional<ports::PaidCalls> paid() const override
    {
        if (!m_told.requests)
            return std::nullopt;
        const auto cents = static_cast<std::int64_t>(m_paid);
        return ports::PaidCalls{m_paid, Money(cents * (Money::kNanosPerUnit / 100), base::Currency::usd())};
    }

private:
    std::string m_name;
    ToldCommitments &m_told;
    std::uint64_t m_paid = 0;
};

// Bills are files, and each of their sources tells the commitments that the test says.
class CommitmentCatalog final : public ports::SourceCatalog {
public:
    mutable std::map<std::string, ToldCommitments> told; // by source
    bool isAny = true;

    ports::SourceKinds kinds() const override
    {
        ports::SourceKinds all = m_real->kinds();
        for (ports::SourceKind &one : all) {
            if (one.kind == "focus" && isAny)
                one.can = {ports::Capability::Bills, ports::Capability::Commitments};
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
    base::Result<std::unique_ptr<ports::CommitmentSource>>
    createCommitments(const model::SourceSettings &settings, ports::SecretStore &, const base::Clock &) const override
    {
        if (settings.name == "unmade")
            return base::fail(base::ErrorCode::InvalidConfig, "no region");
        return std::make_unique<FakeCommitments>(settings.name, told[settings.name]);
    }

private:
    std::unique_ptr<ports::SourceCatalog> m_real = connectors::makeSourceCatalog();
};

constexpr const char *kReservation = "/providers/Microsoft.Capacity/reservationOrders/O/reservations/R";
constexpr const char *kPlan = "arn:aws:savingsplans::111122223333:savingsplan/p1";

struct Use {
    const char *id;
    std::string used, unused; // a day; empty: no line
    const char *code = "USD";
};

void writeUses(const std::filesystem::path &file, const std::string &month, const std::string &end, Day first, Day last,
               const std::vector<Use> &uses)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file);
    out << "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,"
           "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeClass,ChargeDescription,ProviderName,"
           "ServiceCategory,ServiceName,SubAccountId,RegionId,ResourceId,SkuPriceDetails,ConsumedQuantity,"
           "ConsumedUnit,ListCost,Tags,CommitmentDiscountId,CommitmentDiscountCategory,CommitmentDiscountStatus\n";
    for (Day day = first; day <= last; ++day.number) {
        for (const Use &use : uses) {
            for (const auto &[cost, status] : {std::pair(use.used, "Used"), std::pair(use.unused, "Unused")}) {
                if (cost.empty())
                    continue;
                out << "0," << cost << ",acc," << use.code << ',' << month << ',' << end << ','
                    << base::toRfc3339(day.start()) << ',' << base::toRfc3339(day.end())
                    << ",Usage,,,AWS,Compute,Amazon Elastic Compute Cloud,,,,,,,,," << use.id << ",Spend," << status
                    << '\n';
            }
        }
    }
    out.close();
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

CloudCommitment commitment(const char *id, const char *machine = "")
{
    CloudCommitment one;
    one.cloud = "AWS";
    one.account = "111122223333";
    one.id = id;
    one.machine = machine;
    one.kind = CloudCommitmentKind::SavingsPlan;
    one.currency = base::Currency::usd();
    return one;
}

CloudCommitment ofDays(CloudCommitment one, const char *first, const char *last)
{
    one.first = dayAt(first);
    one.last = dayAt(last);
    return one;
}

CommitmentCoverage coverage(const char *machine, const char *region)
{
    CommitmentCoverage one;
    one.cloud = "AWS";
    one.machine = machine;
    one.region = region;
    one.covered = 0.625;
    one.first = dayAt("2026-10-21");
    one.last = dayAt("2026-11-19");
    return one;
}

bool isNear(const std::optional<double> &share, double wanted)
{
    return share && std::abs(*share - wanted) < 1e-9;
}

} // namespace

class CloudCommitmentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::filesystem::path folder = m_folder.path().toStdString();
        const std::vector<Use> october{{kPlan, "3", "1"}, {kReservation, "10", ""}};
        const std::vector<Use> november{{kPlan, "1.5", "0.5"}, {kReservation, "", "8"}, {"eu", "1", "1", "EUR"}};
        writeUses(folder / "bill/10.csv", "2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z", dayAt("2026-10-01"),
                  dayAt("2026-10-31"), october);
        writeUses(folder / "bill/11.csv", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", dayAt("2026-11-01"),
                  dayAt("2026-11-10"), november);
        writeUses(folder / "other/11.csv", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", dayAt("2026-11-01"),
                  dayAt("2026-11-10"), {{"eu", "1", "1"}});
        std::filesystem::create_directories(folder / "cloud");
    }
    void init()
    {
        m_clock.time = timeAt("2026-11-20T12:00:00Z");
        m_catalog.told.clear();
        m_catalog.isAny = true;
        std::filesystem::remove_all(m_folder.filePath(QStringLiteral("data")).toStdString());
    }
    void cleanup() { m_workspace.reset(); }

    // In the days that the cloud tells of; without these, in the last 30 that are billed. Ids differ in case only.
    void isBesideTheBills()
    {
        open({"bill", "other"});
        std::string lower = kReservation;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
        tell("bill",
             {ofDays(commitment(kPlan), "2026-10-21", "2026-11-19"),
              ofDays(commitment("eu"), "2026-11-01", "2026-11-10"), commitment("unknown")});
        tell("other", {commitment(lower.c_str())});
        sync();
        const auto answer = ask();
        QCOMPARE(answer.rows.size(), std::size_t{4});
        const CommitmentRow &plan = rowOf(answer, "bill", kPlan);
        QVERIFY(isNear(plan.billed, (11 * 3 + 10 * 1.5) / (11 * 4 + 10 * 2.0)));
        QVERIFY(plan.billedFirst == dayAt("2026-10-21") && plan.billedLast == dayAt("2026-11-10"));
        const CommitmentRow &last = rowOf(answer, "other", lower); // 12 October to 10 November
        QVERIFY(isNear(last.billed, 20 * 10 / (20 * 10 + 10 * 8.0)));
        QVERIFY(last.billedFirst == dayAt("2026-10-12") && last.billedLast == dayAt("2026-11-10"));
        m_clock.time += base::kDay;
        tell("bill", {ofDays(commitment(kPlan), "2026-11-12", "2026-11-19")});
        tell("other", {ofDays(commitment(lower.c_str()), "2026-10-30", "2026-11-01")});
        sync();
        const auto next = ask();
        QVERIFY(isNear(rowOf(next, "other", lower).billed, 20 / 28.0));
        for (const CommitmentRow *none : {&rowOf(answer, "bill", "eu"), &rowOf(answer, "bill", "unknown"),
                                          &rowOf(next, "bill", kPlan)}) // two currencies; no line; no line then
            QVERIFY(!none->commitment.id.empty() && !none->billed && !none->billedFirst && !none->billedLast);
    }

    void onlyWhatMayBeForGpus()
    {
        open({"cloud"});
        CloudCommitment gpu = commitment("gcp", "A3");
        gpu.cloud = "Google Cloud";
        gpu.isMachineGpu = true;
        CloudCommitment azure = commitment("nd", "Standard_ND96isr_H100_v5"),
                        other = commitment("d", "Standard_D4s_v5");
        azure.cloud = other.cloud = "Microsoft";
        tell("cloud",
             {commitment("any"), commitment("p5", "p5"), commitment("g6", "g6.12xlarge"), commitment("m5", "m5"),
              commitment("c", "c7g.large"), gpu, azure, other});
        told("cloud").answer->coverage = {coverage("p5", ""), coverage("m5", ""), coverage("p4d.24xlarge", "us-east-1"),
                                          coverage("", "")};
        told("cloud").answer->rejected = 3;
        sync();
        const auto answer = ask();
        std::vector<std::string> ids;
        for (const CommitmentRow &row : answer.rows)
            ids.push_back(row.commitment.id);
        QCOMPARE(ids, (std::vector<std::string>{"any", "g6", "gcp", "nd", "p5"}));
        QCOMPARE(answer.coverage.size(), std::size_t{2});
        QCOMPARE(answer.coverage[0].coverage.machine, std::string("p4d.24xlarge"));
        QCOMPARE(answer.withoutGpus, std::uint64_t{5});
        QCOMPARE(answer.rejected, std::uint64_t{3});
    }

    // By source and end; what ended since or is told twice is left out, and what is no amount is counted.
    void isSortedAndConverted()
    {
        open({"cloud", "bill"});
        CloudCommitment late = commitment("a"), soon = commitment("z"), over = commitment("over"),
                        never = commitment("0"), huge = commitment("huge"), bare = commitment("bare");
        late.end = timeAt("2028-01-01");
        soon.end = timeAt("2026-12-01");
        over.end = timeAt("2026-11-20T13:00:00Z");
        huge.unused = base::Decimal::parse("10000000000").value();
        soon.perHour = base::Decimal::parse("12.3456789994").value();
        soon.unused = base::Decimal::parse("0").value();
        bare.perHour = soon.perHour;
        bare.currency = base::Currency();
        CloudCommitment shared = late, again = late;
        shared.id = "shared";
        again.id = "SHARED";
        tell("cloud", {never, late, huge, over, again, soon, bare});
        tell("bill", {shared});
        sync();
        m_clock.time = timeAt("2026-11-20T14:00:00Z");
        const auto answer = ask();
        std::vector<std::string> order;
        for (const CommitmentRow &row : answer.rows)
            order.push_back(row.source + ' ' + row.commitment.id);
        QCOMPARE(order, (std::vector<std::string>{"bill shared", "cloud z", "cloud a", "cloud 0", "cloud bare"}));
        QCOMPARE(answer.rejected, std::uint64_t{1});
        const CommitmentRow &row = answer.rows[1];
        QVERIFY(row.perHour == Money(12'345'678'999, base::Currency::usd()));
        QVERIFY(row.unused == Money(0, base::Currency::usd()));
        QVERIFY(!answer.rows[4].perHour && !answer.rows[2].perHour);
        QCOMPARE(answer.readings.size(), std::size_t{2});
        QVERIFY(answer.readings[1].readAt == timeAt("2026-11-20T12:00:00Z") && !answer.readings[1].failedAt);
    }

    void isReadOnceADay()
    {
        open({"cloud"});
        tell("cloud", {commitment("a")});
        sync();
        m_clock.time += base::Seconds{86399};
        sync();
        QCOMPARE(told("cloud").asked, 1);
        m_clock.time += base::Seconds{1};
        sync();
        QCOMPARE(told("cloud").asked, 2);
        m_clock.time -= base::Seconds{7200}; // a clock that was ahead is put right
        sync();
        QCOMPARE(told("cloud").asked, 3);
    }

    void aFailureKeepsWhatWasRead()
    {
        open({"cloud", "unmade"});
        tell("cloud", {commitment("a")});
        sync();
        m_clock.time += base::kDay;
        told("cloud").answer = base::fail(base::ErrorCode::Server, "it is ill");
        const auto report = reportOf("cloud");
        QVERIFY(!report.error && report.partial);
        QCOMPARE(report.warnings, (std::vector<std::string>{"its commitments are left out: it is ill"}));
        const auto answer = ask();
        QCOMPARE(answer.rows.size(), std::size_t{1});
        QCOMPARE(answer.readings[0].failure, std::string("it is ill"));
        QVERIFY(answer.readings[0].failedAt == m_clock.time);
        QVERIFY(answer.readings[0].readAt == m_clock.time - base::kDay);
        QVERIFY(!answer.readings[1].readAt);
        told("cloud").answer = base::fail(base::ErrorCode::Forbidden, "not allowed");
        const auto refused = reportOf("cloud"); // the account is for something else
        QVERIFY(!refused.partial && !refused.error && refused.warnings.empty());
        QCOMPARE(ask().readings[0].failure, std::string("not allowed"));
        QVERIFY(!reportOf("unmade").partial && !reportOf("unmade").error);
        tell("cloud", {commitment("b")});
        sync();
        QVERIFY(!ask().readings[0].failedAt && ask().rows[0].commitment.id == "b");
    }

    void whatIsPaidIsCountedAndNotRepeated()
    {
        open({"cloud"});
        tell("cloud", {commitment("a")});
        told("cloud").requests = 4;
        told("cloud").answer->withheld = {"the coverage can't be read without the right x"};
        const auto first = reportOf("cloud");
        QVERIFY(first.paid && first.paid->requests == 4);
        QCOMPARE(first.paid->amount.toDecimal(), std::string("0.040000000"));
        QVERIFY(first.warnings.empty() && !first.partial);
        QCOMPARE(ask().readings[0].withheld, told("cloud").answer->withheld);
        m_clock.time += base::Seconds{3600};
        const auto second = reportOf("cloud");
        QVERIFY(!second.paid);
        m_clock.time += base::kDay;
        told("cloud").answer = base::fail(base::ErrorCode::Timeout, "no answer");
        reportOf("cloud");
        m_clock.time += base::Seconds{3599};
        reportOf("cloud");
        QCOMPARE(told("cloud").asked, 2);
        m_clock.time += base::Seconds{1};
        reportOf("cloud");
        QCOMPARE(told("cloud").asked, 3);
        const auto statuses = m_workspace->sources().statuses();
        QVERIFY(statuses && statuses->front().paid && statuses->front().paid->calls.requests == 12);
        told("cloud").requests = 0; // refused at once, which is free
        m_clock.time += base::Seconds{3600};
        reportOf("cloud");
        reportOf("cloud");
        QCOMPARE(told("cloud").asked, 5);
    }

    // The right may have been given, and asking again costs nothing.
    void whatIsFreeAndWithheldIsAskedAgain()
    {
        open({"cloud"});
        tell("cloud", {commitment("a")});
        told("cloud").answer->withheld = {"reservations can't be read without the role x"};
        sync();
        QCOMPARE(ask().readings[0].withheld, told("cloud").answer->withheld);
        told("cloud").answer->withheld.clear();
        sync();
        sync();
        QCOMPARE(told("cloud").asked, 2);
        QVERIFY(ask().readings[0].withheld.empty());
    }

    void failsWithoutASourceThatTellsThem()
    {
        m_catalog.isAny = false;
        open({"cloud"});
        const auto answer = m_workspace->spend().commitments({});
        QVERIFY(!answer && answer.error().code == base::ErrorCode::NotFound);
        QCOMPARE(answer.error().hint, std::string(base::text(base::Remedy::AddCloudBill)));
        m_catalog.isAny = true;
        open({"cloud"});
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = m_workspace->spend().commitments(stop.get_token());
        QVERIFY(!stopped && stopped.error().code == base::ErrorCode::Cancelled);
        QVERIFY(ask().rows.empty() && !ask().readings[0].readAt);
    }

    void textsSayEverything()
    {
        KeptCommitments kept;
        kept.readAt = timeAt("2026-11-20T12:00:00Z");
        kept.failedAt = timeAt("2026-11-21T12:00:00Z");
        kept.failure = "it's \"ill\"\n\xc3\xa4";
        kept.isFailurePaid = true;
        CloudCommitment full = ofDays(commitment(kPlan, "p5"), "2026-10-21", "2026-11-19");
        full.name = "plan";
        full.terms = "Compute, 3yr";
        full.region = "us-east-1";
        full.count = 8;
        full.perHour = base::Decimal::parse("-0.000000000000000001").value();
        full.unused = base::Decimal::parse("12345678901234567890.5").value();
        full.start = timeAt("2025-01-01");
        full.end = timeAt("2028-01-01");
        full.utilization = 0.1 + 0.2;
        full.isMachineGpu = true;
        CommitmentCoverage covered = coverage("p5", "us-east-1");
        covered.currency = base::Currency::usd();
        covered.onDemand = full.unused;
        kept.report = {{full, commitment("bare")}, {covered, coverage("g6", "")}, 7, {"one", "two"}};
        const std::string text = services::commitmentsText(kept);
        QVERIFY(services::commitmentsOfText(text) == kept);
        for (std::size_t i = 0; i < text.size(); ++i) // any part of it is nothing
            QVERIFY(services::commitmentsOfText(text.substr(0, i)) == KeptCommitments());
        for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
                 {"\"version\":1", "\"version\":2"},
                 {"\"kind\":0", "\"kind\":3"},
                 {"\"USD\"", "\"dollars\""},
                 {"\"count\":8", "\"count\":18446744073709551615"},
                 {"\"covered\":0.625", "\"covered\":-1"},
                 {"\"first\":", "\"first\":99999999999"},
                 {"\"gpu\":true", "\"gpu\":1"},
                 {"\"one\"", "1"}}) {
            std::string changed = text;
            changed.replace(changed.find(from), std::string_view(from).size(), to);
            QVERIFY2(changed != text && services::commitmentsOfText(changed) == KeptCommitments(), from);
        }
    }

private:
    void open(const std::vector<std::string> &names)
    {
        m_workspace.reset();
        model::Settings settings;
        settings.timeZone = "UTC";
        for (const std::string &name : names) {
            model::SourceSettings &source = settings.sources.emplace_back();
            source.name = name;
            source.kind = "focus";
            const std::string folder = name == "unmade" ? "cloud" : name;
            source.path = m_folder.filePath(QString::fromStdString(folder)).toStdString();
        }
        services::WorkspaceOptions where;
        where.dataFolder = m_folder.filePath(QStringLiteral("data")).toStdString();
        auto opened = services::Workspace::open(settings, where, m_catalog, m_secrets, m_clock);
        QVERIFY2(opened, opened ? "" : opened.error().text.c_str());
        m_workspace = std::move(*opened);
    }

    ToldCommitments &told(const char *source) { return m_catalog.told[source]; }
    void tell(const char *source, std::vector<CloudCommitment> commitments)
    {
        told(source).answer = CommitmentReport{std::move(commitments), {}, 0, {}};
    }
    void sync() { QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {})); }
    services::SyncReport reportOf(const std::string &source)
    {
        return m_workspace->sources().sync(source, {}, {}).value().front();
    }
    services::CommitmentsAnswer ask() { return m_workspace->spend().commitments({}).value(); }

    static const CommitmentRow &rowOf(const services::CommitmentsAnswer &answer, const std::string &source,
                                      const std::string &id)
    {
        static const CommitmentRow kNone{};
        const auto it = std::find_if(answer.rows.begin(), answer.rows.end(), [&](const CommitmentRow &row) {
            return row.source == source && row.commitment.id == id;
        });
        return it == answer.rows.end() ? kNone : *it;
    }

    QTemporaryDir m_folder;
    CommitmentCatalog m_catalog;
    tests::NoSecrets m_secrets;
    SetClock m_clock;
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(CloudCommitmentsTest)

} // namespace tst_cloudcommitments

#include "tst_cloudcommitments.moc"
