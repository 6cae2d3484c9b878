// SPDX-License-Identifier: GPL-3.0-or-later
// The quarter hours that several alert rules share are those that each would read alone, and are read once.
#include "app/services/alerts/series/rulecells.h"
#include "app/services/alerts/series/rulereader.h"
#include "tests/support/suite.h"
#include "tests/unit/services/deskfleet.h"

#include <QTest>

#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace tst_rulecells {

using namespace gpuledger;
using namespace gpuledger::tests;
using services::CellColumn;
using services::RuleCells;

namespace {

alerts::Rule ruleAbout(const char *metric, const char *per, const char *bound)
{
    model::AlertRule rule;
    rule.name = std::string(metric) + ' ' + per + ' ' + bound;
    rule.metric = metric;
    rule.per = per;
    rule.bound = bound;
    return alerts::ruleOf(rule, base::Currency::usd(), {}).value();
}

std::vector<alerts::Rule> manyRules()
{
    std::vector<alerts::Rule> out;
    for (const char *per : {"team", "cluster", "pool", "all"}) {
        out.push_back(ruleAbout("idle-cost", per, "50 USD/day"));
        out.push_back(ruleAbout("idle-hours", per, "10 h/day"));
        out.push_back(ruleAbout("utilization", per, "30 %"));
        out.push_back(ruleAbout("allocation-without-use", per, "50 %"));
        out.push_back(ruleAbout("unallocated", per, "8 GPU"));
        out.push_back(ruleAbout("unallocated", per, "50 USD/day"));
        if (std::string(per) != "team")
            out.push_back(ruleAbout("attribution-coverage", per, "95 %"));
    }
    out.push_back(ruleAbout("anomaly-cost", "team", "4"));
    return out;
}

// The fleet as rules see it.
struct SeenFleet {
    DeskFleet fleet{{"speech", "vision"}};
    std::unique_ptr<store::LedgerStore> store = store::LedgerStore::open(fleet.folder).value();
    std::unique_ptr<ledger::Ledger> ledger = ledger::Ledger::create(alertSettings()).value();
    services::View view = services::viewOf(*store, *ledger).value();
    base::TimeRange range{base::parseTime(kFirstDay).value(), base::parseTime(kFirstDay).value() + base::kDay};
};

// Two clusters with a pool "gpu" each: two devices in that of prod, one in that of c2, and one of c2 in no pool.
struct TwoClusters {
    static ports::FactBatch batch()
    {
        Scenario day(1, kFirstDay);
        const std::uint32_t nodes[]{day.node("n0", {{"pool", "gpu"}}), day.node("n1", {{"pool", "gpu"}}),
                                    day.node("n2")};
        const std::uint32_t nodeOf[]{nodes[0], nodes[0], nodes[1], nodes[2]};
        for (std::uint32_t i = 0; i < 4; ++i)
            day.reports(day.device("GPU-" + std::to_string(i)), Scenario::kNone, nodeOf[i], 0, Scenario::kDaySeconds,
                        0);
        for (const std::uint32_t other : {nodes[1], nodes[2]})
            day.batch.nodes[other].cluster = "c2";
        for (const std::size_t other : {2, 3})
            day.batch.devices[other].cluster = "c2";
        return day.batch;
    }
    TwoClusters()
    {
        if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", batch()))
            qFatal("telemetry is refused");
        view = services::viewOf(*store, *ledger).value();
    }
    QTemporaryDir dir;
    std::unique_ptr<store::LedgerStore> store = store::LedgerStore::open(dir.path().toStdString()).value();
    std::unique_ptr<ledger::Ledger> ledger = ledger::Ledger::create(alertSettings()).value();
    services::View view;
    base::TimeRange range{base::parseTime(kFirstDay).value(), base::parseTime(kFirstDay).value() + base::kDay};
};

// What a rule of the last hour looks at.
std::vector<CellColumn> columnsFor(const alerts::Rule &rule)
{
    const auto columns = services::columnsOf(rule).value();
    std::vector<CellColumn> out{CellColumn::Paid, CellColumn::Unobserved, CellColumn::Unpriced, columns.part};
    if (columns.whole)
        out.push_back(*columns.whole);
    return out;
}

std::int64_t sumOf(const services::ScopeCells &cells, CellColumn column)
{
    const auto &values = cells[static_cast<std::size_t>(column)];
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

} // namespace

class TestRuleCells : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharedCellsAreThoseOfEachRule()
    {
        SeenFleet seen;
        const auto rules = manyRules();
        RuleCells shared(rules, seen.range);
        for (const alerts::Rule &rule : rules) {
            if (!services::columnsOf(rule))
                continue;
            RuleCells own({&rule, 1}, seen.range);
            const auto all = shared.of(seen.view, rule.scope), alone = own.of(seen.view, rule.scope);
            QVERIFY(all && alone);
            QCOMPARE((*all)->size(), (*alone)->size());
            QVERIFY(!(*all)->empty());
            for (const auto &[scope, cells] : **alone) {
                for (const CellColumn column : columnsFor(rule)) {
                    const auto index = static_cast<std::size_t>(column);
                    QVERIFY2((*all)->at(scope)[index] == cells[index], (rule.name + ' ' + scope).c_str());
                    QCOMPARE(cells[index].size(), own.width());
                }
            }
        }
    }

    // Two GPUs all day, idle from 06:00 to 12:00, at 3.60 USD an hour.
    void theirSumsAreThoseOfTheFleet()
    {
        SeenFleet seen;
        const auto rules = manyRules();
        RuleCells cells(rules, seen.range);
        const services::ScopeCells all = cells.of(seen.view, alerts::RuleScope::All).value()->at("all");
        constexpr std::int64_t kHourTicks = 3600 * base::GpuTime::kTicksPerSecond;
        QCOMPARE(sumOf(all, CellColumn::Paid), 48 * kHourTicks);
        QCOMPARE(sumOf(all, CellColumn::Idle), 12 * kHourTicks);
        QCOMPARE(sumOf(all, CellColumn::Held), 48 * kHourTicks);
        QCOMPARE(sumOf(all, CellColumn::CostIdle), 12 * 3'600'000'000);
        QCOMPARE(sumOf(all, CellColumn::CostAll), 48 * 3'600'000'000);
        QCOMPARE(sumOf(all, CellColumn::CostOwned), 48 * 3'600'000'000);
        const services::ScopeCells vision = cells.of(seen.view, alerts::RuleScope::Team).value()->at("vision");
        QCOMPARE(sumOf(vision, CellColumn::CostIdle), 6 * 3'600'000'000);
    }

    // Pools of the same name in two clusters are two, and so are nodes of a cluster that are in none.
    void aPoolIsOneOfItsCluster()
    {
        TwoClusters seen;
        const auto rules = manyRules();
        RuleCells cells(rules, seen.range);
        constexpr std::int64_t kHourTicks = 3600 * base::GpuTime::kTicksPerSecond;
        std::map<std::string, std::int64_t> hours;
        for (const auto &[scope, of] : *cells.of(seen.view, alerts::RuleScope::Pool).value())
            hours[scope] = sumOf(of, CellColumn::Paid) / kHourTicks;
        QVERIFY((hours == std::map<std::string, std::int64_t>{{"prod/gpu", 48}, {"c2/", 24}, {"c2/gpu", 24}}));
        for (const auto &[scope, paid] : {std::pair{"prod", 48}, std::pair{"c2", 48}})
            QCOMPARE(sumOf(cells.of(seen.view, alerts::RuleScope::Cluster).value()->at(scope), CellColumn::Paid),
                     paid * kHourTicks);
    }

    // Without a view, nothing can be read again.
    void theyAreReadOnce()
    {
        SeenFleet seen;
        const auto rules = manyRules();
        RuleCells cells(rules, seen.range);
        QVERIFY(cells.of(seen.view, alerts::RuleScope::Team).has_value());
        seen.view.cube.reset();
        seen.view.attribution.reset();
        for (const auto scope : {alerts::RuleScope::Team, alerts::RuleScope::Cluster, alerts::RuleScope::All})
            QVERIFY(!cells.of(seen.view, scope).value()->empty());
    }

    // Rules that were evaluated until different times ask for different ones.
    void aReaderAnswersEachRuleForItsTime()
    {
        DeskFleet fleet({"speech", "vision"});
        fleet.at(20);
        const auto engine = services::Engine::open(alertSettings(), {fleet.folder, "UTC", false, "alex"}, fleet.catalog,
                                                   fleet.secrets, fleet.clock)
                                .value();
        const auto rules = manyRules();
        const base::UtcTime day = base::parseTime(kFirstDay).value();
        std::vector<services::RuleReader::Request> requests;
        for (std::size_t i = 0; i < rules.size(); ++i)
            requests.push_back(
                {&rules[i], day + base::Seconds{kHourSeconds} * static_cast<int>(4 * (i % 3)), {"gone"}});
        services::RuleReader together(*engine, requests);
        for (std::size_t i = 0; i < rules.size(); ++i) {
            services::RuleReader alone(*engine, {requests[i]});
            const auto both = together.series(i), own = alone.series(0);
            QVERIFY(both && own);
            QVERIFY2(*both == *own, rules[i].name.c_str());
            QVERIFY(both->contains("gone"));
            if (services::columnsOf(rules[i]))
                QVERIFY(both->at("gone").front().at == *requests[i].from + base::Seconds{kHourSeconds});
        }
    }
};

GPULEDGER_SUITE(TestRuleCells)

} // namespace tst_rulecells

#include "tst_rulecells.moc"
