// SPDX-License-Identifier: GPL-3.0-or-later
// The demo company's smaller accounts: what their bills say, and what becomes of it beside the fleet's telemetry.
#include "app/insight/spend/ledgerquery.h"
#include "app/services/environment/demosettings.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/values/integrityproblem.h"
#include "connectors/connectorregistry.h"
#include "connectors/demo/clouds/cloudbills.h"
#include "connectors/demo/clouds/cloudmachines.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tst_democlouds {

using namespace gpuledger;

namespace {

const base::FrozenClock kClock(base::parseTime("2026-11-21T12:00:00Z").value());
const base::TimeRange kOctober{base::parseTime("2026-10-01").value(), base::parseTime("2026-11-01").value()};
constexpr std::int64_t kHoursOfOctober = 31 * 24;
// GPUs of each account, with those of its cluster.
const std::map<std::string, int> kGpus{{"azure", 4 + 4}, {"coreweave", 8}, {"lambda", 8},
                                       {"nebius", 8},    {"runpod", 1},    {"vastai", 2}};

model::SourceSettings accountSettings(const std::string &cloud, bool hasClusters = true)
{
    model::SourceSettings settings;
    settings.name = "demo-" + cloud;
    settings.kind = "demo-cloud";
    settings.firstSync = 61 * base::kDay;
    settings.options = {{"cloud", cloud}, {"gpus", "56"}, {"days", "61"}};
    if (hasClusters)
        settings.options["clouds"] = "1";
    return settings;
}

tests::MemoryBillSink imported(const model::SourceSettings &settings, const base::Clock &clock)
{
    tests::MemoryBillSink sink;
    const auto bills = demo::CloudBills::create(settings, clock).value();
    const auto deliveries = bills->deliveries({}).value();
    for (const ports::BillDelivery &delivery : deliveries)
        bills->import(delivery, sink, {}).value();
    return sink;
}

base::Money billedIn(const tests::MemoryBillSink &sink, base::TimeRange month)
{
    base::Money sum(0, base::Currency::usd());
    for (const auto &[key, lines] : sink.bills) {
        for (const model::BillLine &line : lines) {
            if (key.periodStart == month.start)
                sum = base::Money(sum.nanos() + line.billed.nanos(), sum.currency());
        }
    }
    return sum;
}

} // namespace

class DemoCloudsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        model::Settings settings = services::demoSettings({{"gpus", "56"}, {"days", "61"}});
        std::erase_if(settings.sources, [](const model::SourceSettings &one) { return one.kind != "demo"; });
        settings.sources.front().options["clouds"] = "1";
        for (const auto &[cloud, gpus] : kGpus)
            settings.sources.push_back(accountSettings(cloud));
        services::WorkspaceOptions where;
        where.dataFolder = m_folder.path().toStdString();
        auto opened = services::Workspace::open(settings, where, *m_catalog, m_secrets, kClock);
        QVERIFY2(opened, opened ? "" : opened.error().text.c_str());
        m_workspace = std::move(*opened);
        const auto reports = m_workspace->sources().sync(std::nullopt, {}, {});
        QVERIFY(reports);
        for (const services::SyncReport &report : *reports)
            QVERIFY2(!report.error, (report.name + (report.error ? ": " + report.error->text : "")).c_str());
    }
    void cleanupTestCase() { m_workspace.reset(); }

    void theWholeDemoHasThem()
    {
        std::set<std::string> clouds;
        for (const model::SourceSettings &source : services::demoSettings({}).sources) {
            if (source.kind != "demo-cloud")
                continue;
            clouds.insert(source.options.at("cloud"));
            const auto bills = m_catalog->createCost(source, m_secrets, kClock);
            QVERIFY2(bills, bills ? "" : bills.error().text.c_str());
        }
        QCOMPARE(clouds.size(), kGpus.size());
        for (const auto &[cloud, gpus] : kGpus)
            QVERIFY(clouds.contains(cloud));
        const auto chosen = services::demoSettings({{"days", "21"}}).sources; // without a past
        QVERIFY(std::none_of(chosen.begin(), chosen.end(),
                             [](const model::SourceSettings &source) { return source.kind == "demo-cloud"; }));
    }

    // Every GPU-hour of an account is there once, and the money is the bill's.
    void eachAccountAddsUp()
    {
        insight::LedgerQuery query;
        query.range = kOctober;
        query.by = {insight::LedgerDimension::Source};
        std::map<std::string, insight::LedgerRow> rows;
        const auto answer = m_workspace->spend().ledger(query).value();
        for (const insight::LedgerRow &row : answer.rows)
            rows.emplace(row.keys.front(), row);
        for (const auto &[cloud, gpus] : kGpus) {
            const auto row = rows.find("demo-" + cloud);
            QVERIFY2(row != rows.end(), cloud.c_str());
            const base::Money bill = billedIn(imported(accountSettings(cloud), kClock), kOctober);
            QVERIFY(bill.nanos() > 0);
            QVERIFY2(row->second.billed == bill && row->second.effective == bill, cloud.c_str());
            QVERIFY2(row->second.gpuTimeComplete, cloud.c_str());
            const std::int64_t hours = row->second.gpuTime.ticks / base::GpuTime::kTicksPerSecond / 3600;
            QVERIFY2(hours == gpus * kHoursOfOctober, (cloud + ": " + std::to_string(hours)).c_str());
        }
        for (const insight::LedgerTotal &total : answer.totals)
            QVERIFY(total.billed == total.billBilled && total.unexplainedBilled.isZero());
    }

    // Clusters have telemetry; everything else has none, and belongs to the team of its tag.
    void whatIsNotSeenIsUnobserved()
    {
        insight::LedgerQuery query;
        query.range = kOctober;
        query.by = {insight::LedgerDimension::Source, insight::LedgerDimension::Team, insight::LedgerDimension::State};
        std::map<std::string, std::set<std::string>> teams, states;
        std::map<std::string, std::int64_t> unobserved;
        const auto answer = m_workspace->spend().ledger(query).value();
        for (const insight::LedgerRow &row : answer.rows) {
            states[row.keys[0]].insert(row.keys[2]);
            if (row.keys[2] != "unobserved")
                continue;
            teams[row.keys[0]].insert(row.keys[1]);
            unobserved[row.keys[0]] += row.gpuTime.ticks / base::GpuTime::kTicksPerSecond / 3600;
        }
        const std::map<std::string, std::string> owners{
            {"lambda", "speech"}, {"nebius", "vision"}, {"runpod", "research"}, {"vastai", "unowned"}};
        for (const auto &[cloud, team] : owners) {
            QVERIFY2(states["demo-" + cloud] == std::set<std::string>{"unobserved"}, cloud.c_str());
            QVERIFY2(teams["demo-" + cloud] == std::set<std::string>{team}, cloud.c_str());
        }
        for (const char *cloud : {"azure", "coreweave"})
            QVERIFY2(states[std::string("demo-") + cloud].contains("active"), cloud);
        QVERIFY(unobserved["demo-azure"] >= 4 * kHoursOfOctober && unobserved["demo-azure"] < 5 * kHoursOfOctober);
        QVERIFY(teams["demo-azure"].contains("robotics"));
        QVERIFY(unobserved["demo-coreweave"] < 8 * kHoursOfOctober / 10); // some buckets have no samples
    }

    // A machine of a cluster is in the bill, the list and the telemetry, and it is one.
    void aMachineIsNotListedTwice()
    {
        const auto azure = demo::CloudMachines::create(accountSettings("azure"), kClock).value();
        const auto listed = azure->read({}, {}).value().machines;
        QCOMPARE(listed.size(), std::size_t{2});
        QCOMPARE(std::count_if(listed.begin(), listed.end(), [](const auto &one) { return one.isMember; }), 1);
        for (const ports::ListedMachine &machine : listed) {
            QVERIFY(machine.since && *machine.since < kOctober.start + base::kDay);
            QVERIFY(machine.perHour && machine.perHour->nanos() > 0);
        }
        const auto coreweave = demo::CloudMachines::create(accountSettings("coreweave"), kClock).value();
        QVERIFY(coreweave->read({}, {}).value().machines.empty());
    }

    void theRunningMonthGrows()
    {
        const base::FrozenClock earlier(kClock.now() - 5 * base::kDay);
        const auto before = imported(accountSettings("vastai"), earlier),
                   after = imported(accountSettings("vastai"), kClock);
        QCOMPARE(before.bills.size(), after.bills.size());
        for (const auto &[key, lines] : before.bills) {
            const auto &later = after.bills.at(key);
            QVERIFY(later.size() >= lines.size() && std::equal(lines.begin(), lines.end(), later.begin()));
        }
        std::set<std::int64_t> prices; // a market's
        for (const auto &[key, lines] : after.bills) {
            for (const model::BillLine &line : lines)
                prices.insert(line.billed.nanos());
        }
        QVERIFY(prices.size() > 10);
    }

    // A fleet without the clusters has no account at CoreWeave.
    void anAccountWithoutMachinesHasNoBill()
    {
        const auto bills = demo::CloudBills::create(accountSettings("coreweave", false), kClock).value();
        QVERIFY(bills->deliveries({}).value().empty());
        QVERIFY(bills->probe({}).value().usable);
    }

    void refusesCloudsThatItDoesNotHave()
    {
        for (const char *word : {"", "aws", "Azure"}) {
            const auto bills = demo::CloudBills::create(accountSettings(word), kClock);
            QVERIFY(!bills && bills.error().code == base::ErrorCode::InvalidConfig && !bills.error().hint.empty());
        }
        const auto bills = demo::CloudBills::create(accountSettings("lambda"), kClock).value();
        tests::MemoryBillSink sink;
        const auto none = bills->import({{"lambda-1999-01.demo"}}, sink, {});
        QVERIFY(!none && none.error().code == base::ErrorCode::NotFound);
    }

    void isSound() { QVERIFY(m_workspace->verify().value().empty()); }

private:
    QTemporaryDir m_folder;
    tests::NoSecrets m_secrets;
    const std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(DemoCloudsTest)

} // namespace tst_democlouds

#include "tst_democlouds.moc"
