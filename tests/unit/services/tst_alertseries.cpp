// SPDX-License-Identifier: GPL-3.0-or-later
// What the metrics of alert rules say of made-up facts, with values that can be computed by hand.
#include "app/services/alerts/budgetseries.h"
#include "app/services/alerts/noticewords.h"
#include "app/services/alerts/series/anomalyseries.h"
#include "app/services/alerts/series/billseries.h"
#include "app/services/alerts/series/interruptionseries.h"
#include "app/services/alerts/series/priceseries.h"
#include "app/services/alerts/series/queueseries.h"
#include "app/services/alerts/series/sourceseries.h"
#include "app/services/alerts/series/termseries.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_alertseries {

using namespace gpuledger;
using namespace gpuledger::services;

namespace {

constexpr std::int64_t kOne = 1'000'000'000;
constexpr base::Seconds kHourOfSeries{3600};
const base::UtcTime kNoon = base::parseTime("2026-11-02T12:00:00Z").value();
const base::Day kFirst = base::dayOf(kNoon);

base::Day dayAfter(int days)
{
    return base::Day{kFirst.number + days};
}

model::SourceSettings sourceNamed(const std::string &name, bool mayRead = true)
{
    model::SourceSettings out;
    out.name = name;
    out.mayRead = mayRead;
    return out;
}

store::SyncState syncedAt(const std::string &name, std::optional<base::UtcTime> at)
{
    store::SyncState out;
    out.source = name;
    out.lastSuccess = at;
    return out;
}

store::StoredPrice priceOf(const std::string &list, const std::string &model, std::int64_t units, int from,
                           std::optional<int> to, std::int64_t gpus = 1)
{
    store::StoredPrice out;
    out.list = list;
    out.offer.gpuModel = model;
    out.offer.purchase = "on-demand";
    out.offer.microGpus = gpus * 1'000'000;
    out.offer.perHour = base::Money(units * kOne, base::Currency::usd());
    out.firstSeen = dayAfter(from).start();
    out.lastSeen = dayAfter(to ? *to - 1 : 30).start();
    if (to)
        out.endedAt = dayAfter(*to).start();
    return out;
}

std::optional<std::int64_t> readingAt(const RuleSeries &series, const std::string &scope, base::UtcTime at)
{
    for (const alerts::Reading &one : series.at(scope)) {
        if (one.at == at)
            return one.nanos;
    }
    return std::nullopt;
}

model::PastWait waitOf(const std::string &name, std::int64_t gpus, base::TimeRange range)
{
    model::PastWait out;
    out.cluster = "c";
    out.nameSpace = "ml";
    out.name = name;
    out.resource = "nvidia_com_gpu";
    out.gpus = gpus;
    out.range = range;
    return out;
}

model::Node nodeOf(const std::string &cluster, const std::string &name, bool isSpot)
{
    model::Node out;
    out.cluster = cluster;
    out.name = name;
    if (isSpot)
        out.labels["karpenter_sh_capacity_type"] = "spot";
    return out;
}

model::Holder endedOn(const std::string &node, base::UtcTime at, std::optional<model::EndReason> reason)
{
    model::Holder out;
    out.cluster = "c";
    out.node = node;
    out.endReason = reason;
    out.seen = {at - kHourOfSeries, at};
    return out;
}

} // namespace

class tst_alertseries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Labels of one key and value may be of workloads, namespaces and nodes; the command asks for the right ones.
    void budgetsOfLabelsHaveNamesOfTheirOwn()
    {
        alerts::Rule rule;
        rule.metric = alerts::RuleMetric::Budget;
        rule.scope = alerts::RuleScope::Label;
        const auto shown = [&](const char *by, alerts::PeriodKind period) {
            alerts::Budget budget;
            budget.by = by;
            budget.key = "a=b";
            budget.period = period;
            const std::string scope = budgetScopeOf(budget);
            return scope + ": " + alertCommand(rule, scope);
        };
        QCOMPARE(shown("label:team", alerts::PeriodKind::Month),
                 std::string("team=a=b: gpuledger-cli forecast --by 'label:team'"));
        QCOMPARE(shown("namespace-label:team", alerts::PeriodKind::Quarter),
                 std::string("namespace-label:team=a=b (quarter): gpuledger-cli forecast --by 'namespace-label:team'"));
    }

    void sourcesAreLateSinceTheirLastSync()
    {
        const base::UtcTime synced = kNoon - 3 * kHourOfSeries - base::Seconds{60};
        const RuleSeries series = sourceSeriesOf({sourceNamed("a"), sourceNamed("ahead"), sourceNamed("off", false)},
                                                 {syncedAt("a", synced), syncedAt("ahead", kNoon + kHourOfSeries)},
                                                 {kNoon - base::kDay, kNoon});
        QCOMPARE(series.size(), std::size_t{2});
        const auto &readings = series.at("a");
        QCOMPARE(readings.size(), std::size_t{13}); // 0:00, 0:15 … 3:00 after the sync
        QCOMPARE(readings.front(), (alerts::Reading{synced, 0}));
        QCOMPARE(readings.back(), (alerts::Reading{synced + 3 * kHourOfSeries, 3 * kOne}));
        QCOMPARE(series.at("ahead").back(), (alerts::Reading{kNoon, 0}));
    }

    // When it fired must not depend on when it is asked.
    void lateSourcesKeepTheirBegin()
    {
        const base::UtcTime synced = kNoon - base::Seconds{400};
        for (const int later : {0, 100, 1000, 86400}) {
            const base::TimeRange range{kNoon - base::kDay, kNoon + base::Seconds{later}};
            const auto readings = sourceSeriesOf({sourceNamed("a")}, {syncedAt("a", synced)}, range).at("a");
            for (std::size_t i = 0; i < readings.size(); ++i)
                QCOMPARE(readings[i].at, synced + static_cast<std::int64_t>(i) * base::kCell);
            QVERIFY(range.end - readings.back().at < base::kCell);
        }
        // Also if the sync was long before the range.
        const base::TimeRange range{kNoon, kNoon + base::kDay};
        const auto readings =
            sourceSeriesOf({sourceNamed("a")}, {syncedAt("a", kNoon - 10 * base::kDay)}, range).at("a");
        QCOMPARE(readings.front(), (alerts::Reading{kNoon, 240 * kOne}));
    }

    void neverSyncedIsLateForTheWholeTime()
    {
        const base::TimeRange range{kNoon - 90 * base::kDay, kNoon};
        const std::vector<std::vector<store::SyncState>> unsynced{{}, {syncedAt("a", std::nullopt)}};
        for (const auto &states : unsynced) {
            const RuleSeries series = sourceSeriesOf({sourceNamed("a")}, states, range);
            QCOMPARE(series.at("a").back(), (alerts::Reading{kNoon, 90 * 24 * kOne}));
        }
    }

    void pricesChangeAgainstAWeekBefore()
    {
        const auto history = std::vector{priceOf("l", "H100", 4, 0, 10), priceOf("l", "H100", 5, 10, std::nullopt),
                                         priceOf("l", "H100", 48, 0, std::nullopt, 8), // 6 per GPU-hour
                                         priceOf("l", "A100", 2, 0, std::nullopt)};
        const RuleSeries series = priceSeriesOf(history, {kFirst.start(), dayAfter(20).start()});
        QVERIFY(!readingAt(series, "H100", dayAfter(6).start())); // nothing is known a week before
        QCOMPARE(readingAt(series, "H100", dayAfter(9).start()), 0);
        QCOMPARE(readingAt(series, "H100", dayAfter(10).start()), kOne / 4);
        QCOMPARE(readingAt(series, "H100", dayAfter(16).start()), kOne / 4);
        QCOMPARE(readingAt(series, "H100", dayAfter(17).start()), 0);
        QCOMPARE(readingAt(series, "A100", dayAfter(16).start()), 0);
    }

    void aNewListIsNoChangeOfPrice()
    {
        auto history =
            std::vector{priceOf("old", "H100", 4, 0, std::nullopt), priceOf("new", "H100", 2, 10, std::nullopt)};
        QCOMPARE(
            readingAt(priceSeriesOf(history, {kFirst.start(), dayAfter(20).start()}), "H100", dayAfter(12).start()), 0);
        history[1].offer.purchase = "spot";
        history[1].list = "old";
        QCOMPARE(
            readingAt(priceSeriesOf(history, {kFirst.start(), dayAfter(20).start()}), "H100", dayAfter(12).start()), 0);
    }

    void waitingCountsEachPodOnce()
    {
        const base::TimeRange hour{kNoon, kNoon + kHourOfSeries};
        store::PastWaiting past;
        past.known.push_back({"c", {kNoon, kNoon + base::Seconds{2700}}});
        past.waits.push_back(waitOf("p", 8, {kNoon + base::Seconds{300}, kNoon + base::Seconds{1200}}));
        past.waits.push_back(waitOf("p", 8, {kNoon + base::Seconds{600}, kNoon + base::Seconds{1500}})); // the same pod
        past.waits.push_back(waitOf("q", 1, {kNoon - base::kDay, kNoon + base::Seconds{900}}));
        past.waits.push_back(waitOf("r", 4, hour));
        past.waits.back().cluster = "unknown";
        const auto cells = waitedCells(past, {}, hour);
        QCOMPARE(cells.size(), std::size_t{1});
        const std::vector<std::int64_t> gpuSeconds{8 * 600 + 900, 8 * 600, 0, 0}, known{900, 900, 900, 0};
        QCOMPARE(cells.at("c").gpuSeconds, gpuSeconds);
        QCOMPARE(cells.at("c").known, known);
        const std::vector<std::int64_t> shared{600 + 900, 600, 0, 0};
        QCOMPARE(waitedCells(past, {"c"}, hour).at("c").gpuSeconds, shared);
    }

    void interruptionsOfANodeAreOne()
    {
        SpotInterruptionCount count(
            {nodeOf("c", "spot", true), nodeOf("c", "other", false), nodeOf("d", "own", false)});
        QCOMPARE(count.clusters(), std::set<std::string>{"c"});
        using enum model::EndReason;
        for (const int minutes : {0, 5, 14, 15, 40})
            count.add(endedOn("spot", kNoon + base::Seconds{60 * minutes}, NodeShutdown));
        count.add(endedOn("spot", kNoon + base::kDay, NodeLost));
        count.add(endedOn("spot", kNoon + base::kDay + 2 * kHourOfSeries, Preempted)); // the machine stays
        count.add(endedOn("spot", kNoon + 5 * kHourOfSeries, EvictedByApi));
        count.add(endedOn("spot", kNoon + 5 * kHourOfSeries, std::nullopt));
        count.add(endedOn("other", kNoon, NodeShutdown));
        const std::map<base::Day, std::int64_t> expected{{kFirst, 3}, {dayAfter(1), 1}};
        QCOMPARE(count.of("c"), expected);
        QVERIFY(count.of("d").empty());
    }

    void commitmentsThatNobodyUses()
    {
        model::BillLine usage;
        usage.category = model::ChargeCategory::Usage;
        usage.billingAccountId = "acc";
        usage.billed = base::Money(0, base::Currency::usd());
        model::BillLine unused = usage;
        unused.commitment.id = "sp-1";
        unused.commitment.status = model::UseStatus::Unused;
        UnusedCommitments sums(base::Currency::usd());
        for (int i = 0; i < 6; ++i) {
            store::BilledItem item;
            item.covers = true;
            item.line = &usage;
            QVERIFY(i == 2 || sums.add(dayAfter(i), item));
            item.covers = false;
            item.line = &unused;
            item.effective = 10 * kOne;
            QVERIFY(i % 2 != 0 || sums.add(dayAfter(i), item));
            QVERIFY(i != 0 || sums.add(dayAfter(i), item));
        }
        const RuleSeries series = sums.take({kFirst.start(), dayAfter(8).start()});
        QCOMPARE(series.size(), std::size_t{1});
        const auto on = [&](int day) { return readingAt(series, "sp-1", dayAfter(day).end()); };
        QCOMPARE(on(0), 20 * kOne);
        QCOMPARE(on(1), 0);
        QVERIFY(!on(2)); // the bill has no usage of that day
        QCOMPARE(on(3), 0);
        QVERIFY(!on(4)); // the newest two days of the bill may still change
        QVERIFY(!on(7));
        UnusedCommitments others(base::Currency::parse("EUR").value());
        store::BilledItem item;
        item.line = &unused;
        item.covers = true;
        for (int i = 0; i < 6; ++i)
            QVERIFY(others.add(dayAfter(i), item));
        QVERIFY(!readingAt(others.take({kFirst.start(), dayAfter(8).start()}), "sp-1", dayAfter(1).end()));
    }

    void unexplainedShareOfTheWorstCurrency()
    {
        insight::Reconciliation month;
        QVERIFY(!unexplainedShare(month));
        const auto total = [](const char *code, std::int64_t bill, std::int64_t unexplained, std::int64_t difference) {
            const base::Currency currency = base::Currency::parse(code).value();
            insight::ReconcileTotal out;
            out.currency = currency;
            out.billBilled = base::Money(bill * kOne, currency);
            out.unexplainedBilled = base::Money(unexplained * kOne, currency);
            out.differenceBilled = base::Money(difference * kOne, currency);
            return out;
        };
        month.totals.push_back(total("USD", 0, 5, 0));
        QVERIFY(!unexplainedShare(month));
        month.totals.push_back(total("EUR", 200, -1, 1));
        QCOMPARE(unexplainedShare(month), 0.01);
        month.totals.push_back(total("CHF", 100, 4, 0));
        QCOMPARE(unexplainedShare(month), 0.04);
    }

    void anomaliesOfCostAreAboveAndOfUtilizationBelow()
    {
        std::vector<double> values(30, 100);
        values[28] = 130;
        values[29] = 70;
        const auto cost = anomalyReadings(values, kFirst, dayAfter(20), alerts::RuleMetric::AnomalyCost);
        QCOMPARE(cost.size(), std::size_t{10});
        QCOMPARE(cost.front(), (alerts::Reading{dayAfter(20).end(), std::nullopt})); // two weeks are too little
        QCOMPARE(cost[8], (alerts::Reading{dayAfter(28).end(), 6 * kOne}));
        QCOMPARE(cost[9].nanos, -6 * kOne);
        for (double &one : values)
            one /= 100;
        const auto use = anomalyReadings(values, kFirst, dayAfter(20), alerts::RuleMetric::AnomalyUtilization);
        QCOMPARE(use[8].nanos, -6 * kOne);
        QCOMPARE(use[9].nanos, 6 * kOne);
    }

    void knownEventsAreNoAnomaliesAndNoBaseline()
    {
        // From the fifth week on, one day of each costs four times as much; all but the last of them are events.
        std::vector<double> values(57, 100);
        for (const std::size_t day : {28U, 35U, 42U, 49U, 56U})
            values[day] = 400;
        const auto scoreOn = [&](int day, const alerts::EventCalendar &events, const std::optional<std::string> &team) {
            return anomalyReadings(values, kFirst, kFirst, alerts::RuleMetric::AnomalyCost, events,
                                   team)[static_cast<std::size_t>(day)];
        };
        const auto eventOn = [&](int day) {
            return model::KnownEvent{"burst", dayAfter(day).number, dayAfter(day).number, {"vision"}, false};
        };
        const alerts::EventCalendar four({eventOn(28), eventOn(35), eventOn(42), eventOn(49)}, {});
        QVERIFY(*scoreOn(28, {}, "vision").nanos > 4 * kOne);
        QCOMPARE(scoreOn(28, four, "vision"), (alerts::Reading{dayAfter(28).end(), std::nullopt, true}));
        QVERIFY(*scoreOn(28, four, "speech").nanos > 4 * kOne);
        // Without them, the last one is as unusual as the first one was; with them it has become usual.
        QVERIFY(*scoreOn(56, {}, "vision").nanos < 4 * kOne);
        QCOMPARE(scoreOn(56, four, "vision").nanos, scoreOn(28, {}, "vision").nanos);
        alerts::Rule rule;
        rule.scope = alerts::RuleScope::Cluster;
        QVERIFY(!eventTeamOf(rule, "vision"));
        rule.scope = alerts::RuleScope::Team;
        QCOMPARE(eventTeamOf(rule, "vision"), std::optional<std::string>("vision"));
    }

    void commitmentsThatEnd()
    {
        model::BillLine fee;
        fee.category = model::ChargeCategory::Purchase;
        fee.frequency = model::ChargeFrequency::OneTime;
        fee.commitment.id = "ri-1";
        fee.billingPeriod = {dayAfter(-10).start(), dayAfter(1).start()};
        model::BillLine usage;
        usage.category = model::ChargeCategory::Usage;
        usage.commitment.id = "sp-2"; // paid by the month: no bill says when it ends
        CommitmentTerms terms;
        for (int i = 0; i < 6; ++i) {
            store::BilledItem item;
            item.line = &fee;
            QVERIFY(i > 3 || terms.add(dayAfter(i), item));
            item.line = &usage;
            QVERIFY(i == 0 || !terms.add(dayAfter(i), item));
        }
        const RuleSeries series = terms.take({kFirst.start(), dayAfter(7).start()});
        QCOMPARE(series.size(), std::size_t{2});
        QCOMPARE(series.at("ri-1").size(), std::size_t{7});
        QCOMPARE(series.at("ri-1")[0], (alerts::Reading{kFirst.end(), 3 * kOne}));
        QCOMPARE(series.at("ri-1")[3].nanos, std::optional<std::int64_t>(0)); // its last day
        QCOMPARE(series.at("ri-1")[4], (alerts::Reading{dayAfter(4).end(), std::nullopt, true}));
        QCOMPARE(series.at("sp-2").front(), (alerts::Reading{dayAfter(1).end(), std::nullopt}));
        // What a cloud told fills what the bills lack, whatever case it is in.
        const base::UtcTime read = dayAfter(5).start() + base::Seconds{7200}, end = dayAfter(9).start();
        terms.tell({"SP-2", end, read, false});
        terms.tell({"ri-1", end, read, true});
        terms.tell({"new", end, read, true});
        terms.tell({"without GPUs", end, read, false});
        const RuleSeries told = terms.take({kFirst.start(), dayAfter(10).start()});
        QCOMPARE(told.size(), std::size_t{3});
        QCOMPARE(told.at("sp-2").front(), (alerts::Reading{dayAfter(1).end(), 7 * kOne}));
        QVERIFY(told.at("sp-2").back().nothing && told.at("ri-1")[4].nothing);
        QCOMPARE(told.at("new").front(), (alerts::Reading{dayAfter(5).end(), 3 * kOne}));
        // A fee within its own month is no term.
        CommitmentTerms others;
        fee.billingPeriod = {dayAfter(-10).start(), dayAfter(20).start()};
        store::BilledItem item;
        item.line = &fee;
        QVERIFY(others.add(kFirst, item));
        QVERIFY(!others.take({kFirst.start(), dayAfter(1).start()}).at("ri-1").front().nanos);
    }
};

GPULEDGER_PLAIN_SUITE(tst_alertseries)

} // namespace tst_alertseries

#include "tst_alertseries.moc"
