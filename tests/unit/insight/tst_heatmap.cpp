// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/overview/summary.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <cmath>

namespace tst_heatmap {
using namespace gpuledger;
using insight::Bins;
using insight::Dimension;
using insight::Heatmap;
using insight::HeatmapCell;
using insight::HeatmapQuery;
using insight::Metric;
using tests::MemoryCube;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600, kDay = 86400;
constexpr std::uint32_t kNone = Scenario::kNone;

// A scenario's facts and everything that answers queries about them.
struct Engine {
    explicit Engine(const Scenario &scenario, const model::Settings &settings = tests::pricedSettings())
        : ledger(ledger::Ledger::create(settings).value())
    {
        facts.add(scenario.batch);
        const base::TimeRange r = scenario.covered();
        std::vector<base::Day> days;
        for (base::Day d = base::dayOf(r.start); d.start() < r.end; ++d.number)
            days.push_back(d);
        if (!ledger->rollup().rebuild(days, facts, cube))
            qFatal("no roll-up");
        reader = ledger->attribution(facts);
    }
    insight::Summary summary(const insight::Query &query, Dimension by)
    {
        return insight::summarize(cube, *reader, query, by, base::Currency::usd()).value();
    }
    Heatmap heatmap(const HeatmapQuery &query)
    {
        return insight::heatmap(cube, *reader, query, base::Currency::usd()).value();
    }

    std::unique_ptr<ledger::Ledger> ledger;
    MemoryFacts facts;
    MemoryCube cube;
    std::unique_ptr<store::AttributionReader> reader;
};

// Three days of two nodes: holders that come and go, a MIG device, a shared one, gaps.
Scenario busyFleet()
{
    Scenario s(3);
    const auto n1 = s.node("n1", {{"pool", "research"}}), n2 = s.node("n2");
    const auto whole = s.device("GPU-1"), mig = s.device("GPU-2", 1), shared = s.device("GPU-3");
    s.slice(mig, "1", {3, 7});
    s.slice(mig, "2", {2, 7});
    s.batch.nodes[n2].sharedGpus = true;
    const char *teams[] = {"vision", "speech", ""};
    for (int i = 0; i < 12; ++i) {
        const std::string name = "pod" + std::to_string(i);
        const bool onSecond = i % 3 == 2;
        const auto pod = s.pod(name, "uid-" + name, onSecond ? "n2" : "n1");
        if (*teams[i % 3])
            s.batch.holders[pod].labels["team"] = teams[i % 3];
        s.batch.holders[pod].labels["env"] = i % 2 ? "prod" : "test";
        s.batch.holders[pod].ownerKind = i % 2 ? "Job" : "Deployment";
        s.batch.holders[pod].ownerName = "w" + std::to_string(i);
        const std::int64_t from = i * 5 * kHour + 1234, to = from + 7 * kHour + 17;
        s.runs(pod, from, to);
        const auto device = i % 3 == 0 ? whole : i % 3 == 1 ? mig : shared;
        const std::string instance = i % 3 == 1 ? "1" : "";
        const auto role = onSecond ? model::SeriesRole::CopyPerHolder : model::SeriesRole::Slice;
        s.reports(device, s.label(name), onSecond ? n2 : n1, from, to - 2 * kHour, i * 3 % 25, instance, role);
        s.reports(device, s.label(name), onSecond ? n2 : n1, to - kHour, to, i % 2, instance, role);
    }
    s.reports(mig, kNone, n1, 0, 3 * kDay, 0, "2");
    for (auto &series : s.batch.series) {
        for (std::size_t i = 0; i < series.buckets.size(); i += 2) {
            series.buckets[i].powerDeciwatt = 1234;
            series.buckets[i].memoryMeanMib = 3000;
            series.buckets[i].smActive = 777;
            series.buckets[i].tensorActive = 99;
        }
    }
    return s;
}

insight::Filter everyNode()
{
    insight::Filter filter;
    filter.include[Dimension::Node] = {"n1", "n2", ""};
    return filter;
}

bool same(const HeatmapCell &a, const HeatmapCell &b)
{
    return a.value == b.value && a.heldHours == b.heldHours && a.observed == b.observed
        && a.idleCostNanos == b.idleCostNanos && a.paidHours == b.paidHours && a.notSyncedHours == b.notSyncedHours
        && a.known == b.known;
}

bool same(const std::vector<HeatmapCell> &a, const std::vector<HeatmapCell> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const HeatmapCell &x, const HeatmapCell &y) { return same(x, y); });
}

Scenario alwaysIdle(std::string_view start, int days)
{
    Scenario s(days, start);
    const auto node = s.node("n1"), device = s.device("GPU-1");
    s.runs(s.pod("a", "u", "n1"), 0, days * kDay);
    s.reports(device, s.label("a"), node, 0, days * kDay, 1);
    return s;
}

} // namespace

class TestHeatmap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void summaryOfRollupEqualsThatOfFacts_data();
    void summaryOfRollupEqualsThatOfFacts();
    void heatmapOfRollupEqualsThatOfFacts_data();
    void heatmapOfRollupEqualsThatOfFacts();
    void summaryAddsUp();
    void localDaysHaveTheirHours_data();
    void localDaysHaveTheirHours();
    void repeatedHourHasABinOfItsOwn();
    void hourOfWeekTakesBothRepeatedHours();
    void binsSayHowMuchTimeTheyStandFor();
    void onlyTimeWithDataCounts();
    void unallocatedTimeHasItsCost();
    void nothingObservedIsNull();
    void utilizationIsWeightedByHeldTime();
    void emptyRangeHasNoRows();
    void tooManyBinsAreRefused();
    void rangeIsCutToQuarterHours();
    void filterKeepsOnlyItsTeam();
    void excludedAndIncludedMakeTheWhole();
    void fiveMinutesAddUpToHours_data();
    void fiveMinutesAddUpToHours();
    void fiveMinutesTellMissingFromNotHeld();
    void fiveMinutesEndWhenAskedTo();
};

void TestHeatmap::summaryOfRollupEqualsThatOfFacts_data()
{
    QTest::addColumn<int>("by");
    for (int d = 0; d <= static_cast<int>(Dimension::NodePool); ++d)
        QTest::addRow("%d", d) << d;
}

void TestHeatmap::summaryOfRollupEqualsThatOfFacts()
{
    QFETCH(int, by);
    const Scenario s = busyFleet();
    Engine engine(s);
    // Not aligned to hours at either end.
    const base::TimeRange range{s.at(1000), s.at(2 * kDay + 5 * kHour + 901)};
    const auto a = engine.summary({range, {}}, static_cast<Dimension::Kind>(by));
    const auto b = engine.summary({range, everyNode()}, static_cast<Dimension::Kind>(by));
    QCOMPARE(a.rows.size(), b.rows.size());
    QVERIFY(!a.rows.empty());
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
        QCOMPARE(a.rows[i].key, b.rows[i].key);
        QVERIFY(a.rows[i].time.paid() == b.rows[i].time.paid() && a.rows[i].time.idle == b.rows[i].time.idle
                && a.rows[i].time.held() == b.rows[i].time.held()
                && a.rows[i].time.unobserved() == b.rows[i].time.unobserved());
        QCOMPARE(a.rows[i].cost.total(), b.rows[i].cost.total());
        QCOMPARE(a.rows[i].cost.idle, b.rows[i].cost.idle);
        QVERIFY(a.rows[i].utilization == b.rows[i].utilization && a.rows[i].coverage == b.rows[i].coverage);
    }
}

void TestHeatmap::heatmapOfRollupEqualsThatOfFacts_data()
{
    QTest::addColumn<int>("metric");
    for (int m = 0; m <= static_cast<int>(Metric::Coverage); ++m)
        QTest::addRow("%s", std::string(insight::toString(static_cast<Metric>(m))).c_str()) << m;
}

void TestHeatmap::heatmapOfRollupEqualsThatOfFacts()
{
    QFETCH(int, metric);
    const Scenario s = busyFleet();
    Engine engine(s);
    bool anyValue = false;
    for (const Bins bins : {Bins::HourOfWeek, Bins::HourOfDay, Bins::Day, Bins::Hour}) {
        HeatmapQuery query;
        query.query.range = {s.at(2 * kHour), s.at(3 * kDay - 900)};
        query.bins = bins;
        query.metric = static_cast<Metric>(metric);
        query.zone = base::TimeZone::find("Asia/Kathmandu").value();
        const Heatmap a = engine.heatmap(query);
        query.query.filter = everyNode();
        const Heatmap b = engine.heatmap(query);
        QVERIFY(a.bins == b.bins && !a.bins.empty());
        QCOMPARE(a.rows.size(), b.rows.size());
        for (std::size_t i = 0; i < a.rows.size(); ++i) {
            QCOMPARE(a.rows[i].key, b.rows[i].key);
            QVERIFY(same(a.rows[i].cells, b.rows[i].cells));
            QVERIFY(same(a.rows[i].overall, b.rows[i].overall));
            anyValue = anyValue || a.rows[i].overall.value.value_or(0) > 0;
        }
        QVERIFY(same(a.columns, b.columns));
    }
    QVERIFY(anyValue);
}

void TestHeatmap::summaryAddsUp()
{
    const Scenario s = busyFleet();
    Engine engine(s);
    for (const Dimension by : {Dimension::Team, Dimension::Workload, Dimension::Device, Dimension::Node}) {
        const auto sum = engine.summary({s.covered(), {}}, by);
        base::GpuTime paid;
        std::int64_t cost = 0;
        for (const auto &row : sum.rows) {
            paid += row.time.paid();
            cost += row.cost.total();
        }
        QVERIFY(paid == base::GpuTime::wholeDevice(base::Seconds{3 * 3 * kDay}));
        QVERIFY(sum.total.time.paid() == paid);
        QCOMPARE(sum.total.cost.total(), cost);
        QCOMPARE(cost, std::int64_t{9 * kDay} * 1'000'000);
    }
}

void TestHeatmap::localDaysHaveTheirHours_data()
{
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<QByteArray>("date");
    QTest::addColumn<double>("hours");
    const auto row = [](const char *zone, const char *date, double hours) {
        QTest::addRow("%s %s", zone, date) << QByteArray(zone) << QByteArray(date) << hours;
    };
    row("UTC", "2026-10-25", 24);
    row("Europe/Berlin", "2026-03-29", 23);
    row("Europe/Berlin", "2026-10-25", 25);
    row("America/New_York", "2026-11-01", 25);
    row("Asia/Kathmandu", "2026-10-25", 24);
    row("Australia/Lord_Howe", "2026-04-05", 24.5);
    row("Australia/Lord_Howe", "2026-10-04", 23.5);
}

void TestHeatmap::localDaysHaveTheirHours()
{
    QFETCH(QByteArray, zone);
    QFETCH(QByteArray, date);
    QFETCH(double, hours);
    const base::UtcTime midnight = base::parseTime(date.toStdString()).value();
    const std::string start = base::toRfc3339(midnight - 2 * base::kDay).substr(0, 10);
    const Scenario s = alwaysIdle(start, 5);
    Engine engine(s);
    HeatmapQuery query;
    query.bins = Bins::Day;
    query.metric = Metric::IdleCost;
    query.zone = base::TimeZone::find(zone.toStdString()).value();
    const std::int32_t day = base::dayOf(midnight).number;
    query.query.range = {query.zone.startOfLocalDay(day - 1), query.zone.startOfLocalDay(day + 2)};
    const Heatmap map = engine.heatmap(query);
    QCOMPARE(map.bins.size(), std::size_t{3});
    QCOMPARE(map.bins[1], date.toStdString());
    QCOMPARE(map.columns[0].paidHours, 24.0);
    QCOMPARE(map.columns[1].paidHours, hours);
    QCOMPARE(map.columns[1].heldHours, hours);
    QVERIFY(std::abs(map.columns[1].value.value() - hours * 3.6) < 1e-9);
    QCOMPARE(map.columns[2].paidHours, 24.0);
}

void TestHeatmap::repeatedHourHasABinOfItsOwn()
{
    const Scenario s = alwaysIdle("2026-10-24", 3);
    Engine engine(s);
    HeatmapQuery query;
    query.bins = Bins::Hour;
    query.zone = base::TimeZone::find("Europe/Berlin").value();
    const std::int32_t day = s.day(1).number;
    query.query.range = {query.zone.startOfLocalDay(day), query.zone.startOfLocalDay(day + 1)};
    const Heatmap map = engine.heatmap(query);
    QCOMPARE(map.bins.size(), std::size_t{25});
    QCOMPARE(map.bins[2], std::string("2026-10-25T02:00+02:00"));
    QCOMPARE(map.bins[3], std::string("2026-10-25T02:00+01:00"));
    for (const HeatmapCell &cell : map.columns)
        QCOMPARE(cell.paidHours, 1.0);
    // On Lord Howe Island, half an hour is repeated.
    const Scenario howe = alwaysIdle("2026-04-03", 4);
    Engine other(howe);
    query.zone = base::TimeZone::find("Australia/Lord_Howe").value();
    const std::int32_t sunday = howe.day(2).number;
    query.query.range = {query.zone.startOfLocalDay(sunday), query.zone.startOfLocalDay(sunday + 1)};
    const Heatmap half = other.heatmap(query);
    QCOMPARE(half.bins.size(), std::size_t{25});
    QCOMPARE(half.bins[2], std::string("2026-04-05T01:00+10:30"));
    QCOMPARE(half.columns[2].paidHours, 0.5);
}

void TestHeatmap::hourOfWeekTakesBothRepeatedHours()
{
    const Scenario s = alwaysIdle("2026-10-19", 8);
    Engine engine(s);
    HeatmapQuery query;
    query.zone = base::TimeZone::find("Europe/Berlin").value();
    const std::int32_t monday = s.day().number;
    query.query.range = {s.at(0), query.zone.startOfLocalDay(monday + 7)};
    const Heatmap map = engine.heatmap(query);
    QCOMPARE(map.bins.size(), std::size_t{168});
    QCOMPARE(map.columns[6 * 24 + 2].paidHours, 2.0);
    QCOMPARE(map.columns[6 * 24 + 3].paidHours, 1.0);
    QCOMPARE(map.columns[0].paidHours, 0.0); // the data begins at 02:00 local
    QVERIFY(!map.columns[0].value && !map.columns[0].observed);
}

// Ten days from a Monday: three hours of the week occur twice where the others occur once.
void TestHeatmap::binsSayHowMuchTimeTheyStandFor()
{
    const Scenario s = alwaysIdle("2026-03-02", 10);
    Engine engine(s);
    HeatmapQuery query{{s.covered(), {}}, Dimension::Team, Bins::HourOfWeek, Metric::IdleCost, {}};
    const Heatmap week = engine.heatmap(query);
    QCOMPARE(week.lengths.size(), std::size_t{168});
    QCOMPARE(week.lengths[2 * 24 + 5].count(), 2 * kHour); // Wednesdays
    QCOMPARE(week.lengths[3 * 24 + 5].count(), kHour); // a Thursday
    // The same workload costs the same in every hour, but not in every sum.
    const auto &cells = week.rows.front().cells;
    QVERIFY(std::abs(cells[2 * 24 + 5].value.value() - 2 * cells[3 * 24 + 5].value.value()) < 1e-9);
    query.query.range.end -= base::Seconds{1800};
    query.bins = Bins::Day;
    const Heatmap days = engine.heatmap(query);
    QCOMPARE(days.lengths.front().count(), kDay);
    QCOMPARE(days.lengths.back().count(), kDay - 1800);
    query.bins = Bins::FiveMinutes;
    QVERIFY(engine.heatmap(query).lengths.empty());
}

void TestHeatmap::onlyTimeWithDataCounts()
{
    const Scenario s = alwaysIdle("2026-03-02", 2);
    Engine engine(s);
    const base::TimeRange covered = s.covered();
    const HeatmapQuery query{
        {{covered.start - base::kDay, covered.end + base::kDay}, {}}, Dimension::Team, Bins::Day, Metric::IdleCost, {}};
    insight::Reach reach;
    reach.asked = query.query.range;
    reach.from = covered.start;
    reach.to = covered.end;
    insight::SourceReach one, another;
    one.to = covered.end;
    another.to = covered.end - base::kDay;
    reach.sources = {one, another};
    const auto map = insight::heatmap(engine.cube, *engine.reader, query, base::Currency::usd(), {}, reach);
    const base::Seconds none{0}, day = base::kDay;
    QVERIFY(map.has_value() && map->lengths == (std::vector<base::Seconds>{none, day, day, none}));
    reach.asked.end = covered.end + 2 * base::kBucket; // the newest data end after the last whole cell
    reach.sources = {one};
    reach.sources[0].to = reach.to = covered.end + base::kBucket;
    const HeatmapQuery open{{{covered.start, reach.asked.end}, {}}, Dimension::Team, Bins::Day, Metric::IdleCost, {}};
    QVERIFY(insight::heatmap(engine.cube, *engine.reader, open, base::Currency::usd(), {}, reach).has_value());
}

void TestHeatmap::unallocatedTimeHasItsCost()
{
    Scenario s(1);
    const auto node = s.node("n1"), device = s.device("GPU-1");
    s.runs(s.pod("a", "u", "n1"), 0, 6 * kHour);
    s.reports(device, s.label("a"), node, 0, 6 * kHour, 1);
    s.reports(device, kNone, node, 6 * kHour, kDay, 0);
    Engine engine(s);
    const HeatmapQuery query{{s.covered(), {}}, Dimension::Team, Bins::HourOfDay, Metric::IdleCost, {}};
    const Heatmap map = engine.heatmap(query);
    const auto free = std::find_if(map.rows.begin(), map.rows.end(), [](const auto &r) { return r.key == "shared"; });
    QVERIFY(free != map.rows.end());
    const auto summary = engine.summary(query.query, Dimension::Team);
    std::int64_t unallocated = 0;
    for (const auto &row : summary.rows)
        unallocated += row.cost.unallocated;
    QVERIFY(unallocated > 0);
    QCOMPARE(free->overall.unallocatedCostNanos, unallocated);
    QCOMPARE(free->overall.idleCostNanos, 0);
    QCOMPARE(free->cells[3].unallocatedCostNanos, 0);
    QVERIFY(free->cells[7].unallocatedCostNanos > 0);
    for (const auto &row : map.rows)
        QVERIFY(row.key == "shared" || row.overall.unallocatedCostNanos == 0);
}

void TestHeatmap::nothingObservedIsNull()
{
    Scenario s;
    const auto node = s.node("n1"), device = s.device("GPU-1");
    s.runs(s.pod("a", "u", "n1"), 0, kDay);
    s.reports(device, s.label("a"), node, 0, kHour, 0);
    Engine engine(s);
    HeatmapQuery query;
    query.query.range = s.covered();
    query.bins = Bins::Hour;
    for (const Metric metric :
         {Metric::Utilization, Metric::SmActive, Metric::Memory, Metric::Power, Metric::Effective, Metric::IdleCost}) {
        query.metric = metric;
        const Heatmap map = engine.heatmap(query);
        QVERIFY(!map.columns[5].value);
        QCOMPARE(map.columns[5].observed, std::optional(0.0));
    }
    query.metric = Metric::Utilization;
    QCOMPARE(engine.heatmap(query).columns[0].value, std::optional(0.0)); // observed as zero
    query.metric = Metric::Coverage;
    QCOMPARE(engine.heatmap(query).columns[5].value, std::optional(0.0));
    Scenario unpriced = s;
    unpriced.batch.devices[0].model = "Unheard-of 9000";
    Engine poor(unpriced, {});
    query.metric = Metric::Cost;
    QVERIFY(!poor.heatmap(query).columns[0].value);
    QVERIFY(engine.heatmap(query).columns[0].value);
}

void TestHeatmap::utilizationIsWeightedByHeldTime()
{
    Scenario s;
    const auto node = s.node("n1"), whole = s.device("GPU-1"), mig = s.device("GPU-2", 1);
    s.slice(mig, "1", {1, 7});
    for (const char *name : {"a", "b"}) {
        s.runs(s.pod(name, name, "n1"), 0, kDay);
        s.batch.holders.back().labels["team"] = "t";
    }
    s.reports(whole, s.label("a"), node, 0, kDay, 50);
    s.reports(mig, s.label("b"), node, 0, kDay, 100, "1");
    Engine engine(s);
    const auto sum = engine.summary({s.covered(), {}}, Dimension::Team);
    const auto row = std::find_if(sum.rows.begin(), sum.rows.end(), [](const auto &r) { return r.key == "t"; });
    QVERIFY(row != sum.rows.end());
    const double expected = (0.5 + 1.0 / 7) / (1 + 1.0 / 7);
    QVERIFY(std::abs(row->utilization.value() - expected) < 1e-9);
    QCOMPARE(row->allocation, std::optional(1.0));
    QVERIFY(std::abs(sum.total.allocation.value() - (1 + 1.0 / 7) / 2) < 1e-12);
}

void TestHeatmap::emptyRangeHasNoRows()
{
    const Scenario s = busyFleet();
    Engine engine(s);
    for (const base::TimeRange range :
         {base::TimeRange{}, base::TimeRange{s.at(10), s.at(20)}, base::TimeRange{s.at(kHour), s.at(0)}}) {
        for (const Bins bins : {Bins::Day, Bins::Hour, Bins::HourOfWeek}) {
            HeatmapQuery query;
            query.query.range = range;
            query.bins = bins;
            const Heatmap map = engine.heatmap(query);
            QVERIFY(map.rows.empty());
            QCOMPARE(map.bins.size(), map.columns.size());
        }
        QVERIFY(engine.summary({range, {}}, Dimension::Team).rows.empty());
    }
}

void TestHeatmap::tooManyBinsAreRefused()
{
    const Scenario s = busyFleet();
    Engine engine(s);
    HeatmapQuery query;
    query.query.range = {s.at(0), s.at(0) + base::kDay * 20001 / 24 + base::kDay};
    query.bins = Bins::Hour;
    const auto map = insight::heatmap(engine.cube, *engine.reader, query, base::Currency::usd());
    QVERIFY(!map);
    QVERIFY(map.error().code == base::ErrorCode::InvalidArgument);
}

void TestHeatmap::rangeIsCutToQuarterHours()
{
    const Scenario s = alwaysIdle("2026-11-02", 1);
    Engine engine(s);
    const auto sum = engine.summary({{s.at(1), s.at(2 * kHour - 1)}, {}}, Dimension::Team);
    QVERIFY((sum.range == base::TimeRange{s.at(900), s.at(2 * kHour - 900)}));
    QCOMPARE(sum.total.time.paid().hours(), 1.5);
}

void TestHeatmap::filterKeepsOnlyItsTeam()
{
    const Scenario s = busyFleet();
    Engine engine(s);
    insight::Filter filter;
    filter.include[Dimension::Team] = {"vision"};
    const auto all = engine.summary({s.covered(), {}}, Dimension::Team);
    const auto only = engine.summary({s.covered(), filter}, Dimension::Team);
    QCOMPARE(only.rows.size(), std::size_t{1});
    const auto row = std::find_if(all.rows.begin(), all.rows.end(), [](const auto &r) { return r.key == "vision"; });
    QVERIFY(row != all.rows.end() && row->time.paid() == only.total.time.paid());
    filter.include[Dimension::Team] = {"nobody has this name"};
    QVERIFY(engine.summary({s.covered(), filter}, Dimension::Team).rows.empty());
}

void TestHeatmap::fiveMinutesAddUpToHours_data()
{
    QTest::addColumn<int>("by");
    for (const Dimension::Kind by : {Dimension::Team, Dimension::Workload, Dimension::Node, Dimension::Device})
        QTest::addRow("%s", insight::toString(by).c_str()) << static_cast<int>(by);
}

// The same rows in the same order; cost is a sum, so twelve buckets add up to the hour.
void TestHeatmap::fiveMinutesAddUpToHours()
{
    QFETCH(int, by);
    const Scenario s = busyFleet();
    Engine engine(s);
    HeatmapQuery query;
    query.query.range = {s.at(2 * kHour), s.at(3 * kDay - 3 * kHour)};
    query.by = static_cast<Dimension::Kind>(by);
    query.metric = Metric::Cost;
    query.bins = Bins::Hour;
    query.zone = base::TimeZone::find("Europe/Berlin").value();
    const Heatmap hours = engine.heatmap(query);
    query.bins = Bins::FiveMinutes;
    const Heatmap fine = engine.heatmap(query);
    QCOMPARE(fine.bins.size(), hours.bins.size() * 12);
    QCOMPARE(fine.bins[13], hours.bins[1].substr(0, 14) + "05" + hours.bins[1].substr(16));
    QCOMPARE(fine.rows.size(), hours.rows.size());
    QCOMPARE(fine.packed.values.size(), fine.rows.size() * fine.bins.size());
    QVERIFY(!fine.rows.empty());
    for (std::size_t row = 0; row < fine.rows.size(); ++row) {
        QCOMPARE(fine.rows[row].key, hours.rows[row].key);
        QVERIFY(same(fine.rows[row].overall, hours.rows[row].overall));
        for (std::size_t hour = 0; hour < hours.bins.size(); ++hour) {
            double sum = 0;
            for (std::size_t bucket = hour * 12; bucket < hour * 12 + 12; ++bucket)
                sum += fine.packed.value(row * fine.bins.size() + bucket).value_or(0);
            QVERIFY(std::abs(sum - hours.rows[row].cells[hour].value.value_or(0)) < 1e-5);
        }
    }
    for (std::size_t hour = 0; hour < hours.bins.size(); ++hour) {
        double held = 0;
        for (std::size_t bucket = hour * 12; bucket < hour * 12 + 12; ++bucket)
            held += fine.columns[bucket].heldHours;
        QVERIFY(std::abs(held - hours.columns[hour].heldHours) < 1e-9);
    }
}

void TestHeatmap::fiveMinutesTellMissingFromNotHeld()
{
    Scenario s;
    const auto node = s.node("n1"), device = s.device("GPU-1");
    s.runs(s.pod("a", "u", "n1"), 0, 2 * kHour);
    s.reports(device, s.label("a"), node, 0, kHour, 50); // then an hour held and unobserved, then free and observed
    s.reports(device, kNone, node, 2 * kHour, kDay, 0);
    Engine engine(s);
    HeatmapQuery query;
    query.query.range = {s.at(0), s.at(kDay)};
    query.by = Dimension::Device;
    query.bins = Bins::FiveMinutes;
    const Heatmap map = engine.heatmap(query);
    QCOMPARE(map.rows.size(), std::size_t{1});
    QVERIFY(std::abs(map.packed.value(0).value() - 0.5) < 1e-3);
    QVERIFY(std::isnan(map.packed.values[12 + 6]));
    QVERIFY(std::isinf(map.packed.values[3 * 12]));
    QVERIFY(!map.packed.value(3 * 12));
}

void TestHeatmap::fiveMinutesEndWhenAskedTo()
{
    const Scenario s = busyFleet();
    Engine engine(s);
    HeatmapQuery query;
    query.query.range = s.covered();
    query.bins = Bins::FiveMinutes;
    std::stop_source stop;
    stop.request_stop();
    const auto map = insight::heatmap(engine.cube, *engine.reader, query, base::Currency::usd(), stop.get_token());
    QVERIFY(!map);
    QVERIFY(map.error().code == base::ErrorCode::Cancelled);
}

void TestHeatmap::excludedAndIncludedMakeTheWhole()
{
    const Scenario s = busyFleet();
    Engine engine(s);
    const auto all = engine.summary({s.covered(), {}}, Dimension::Team);
    for (const Dimension by : {Dimension::Team, Dimension::Node}) { // from the roll-up and from the facts
        insight::Filter with, without;
        with.include[Dimension::Team] = {"vision"};
        without.exclude[Dimension::Team] = {"vision"};
        const auto in = engine.summary({s.covered(), with}, by);
        const auto out = engine.summary({s.covered(), without}, by);
        QVERIFY(in.total.time.paid().ticks > 0 && out.total.time.paid().ticks > 0);
        QCOMPARE(in.total.time.paid() + out.total.time.paid(), all.total.time.paid());
        QCOMPARE(in.total.cost.total() + out.total.cost.total(), all.total.cost.total());
        with.exclude[Dimension::Team] = {"vision"};
        QVERIFY(engine.summary({s.covered(), with}, by).rows.empty());
    }
}

GPULEDGER_PLAIN_SUITE(TestHeatmap)
} // namespace tst_heatmap
#include "tst_heatmap.moc"
