// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a heat map that cover more time than is known.
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/heatmap/heatmapcells.h"
#include "app/insight/overview/summary.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <cmath>
#include <random>

namespace tst_partcells {

using namespace gpuledger;
using insight::Bins;
using insight::Dimension;
using insight::Heatmap;
using insight::HeatmapCell;
using insight::HeatmapQuery;
using insight::Metric;
using insight::PackedCells;
using tests::MemoryCube;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;

// A device that team "vision" holds from midnight to the end of the data.
class Fleet : public Scenario {
public:
    explicit Fleet(std::int64_t seconds, int days)
        : Scenario(days)
        , m_end(at(seconds))
    {
        const auto node = Scenario::node("n1"), device = Scenario::device("GPU-1");
        const auto pod = Scenario::pod("a", "uid-a", "n1");
        batch.holders[pod].labels["team"] = "vision";
        runs(pod, 0, seconds);
        reports(device, label("a"), node, 0, seconds, 60);
        batch.covered.end = m_end;
        m_ledger = ledger::Ledger::create(tests::pricedSettings()).value();
        m_facts.add(batch);
        std::vector<base::Day> all;
        for (base::Day d = base::dayOf(at(0)); d.start() < at(seconds); ++d.number)
            all.push_back(d);
        if (!m_ledger->rollup().rebuild(all, m_facts, m_cube))
            qFatal("no roll-up");
        m_reader = m_ledger->attribution(m_facts);
    }

    base::TimeRange range(std::int64_t from, std::int64_t to) const { return {at(from), at(to)}; }

    insight::Reach reach(base::TimeRange asked, bool stale) const
    {
        insight::Reach reach;
        reach.asked = asked;
        reach.from = at(0);
        reach.to = m_end;
        reach.stale = stale;
        insight::SourceReach source;
        source.to = m_end;
        source.stale = stale;
        reach.sources = {source};
        return reach;
    }

    // `known`: the time up to now; empty if the whole queried range is in the past.
    Heatmap heatmap(Bins bins, Metric metric, base::TimeRange asked, bool stale, base::TimeRange known = {})
    {
        HeatmapQuery query;
        query.query.range = asked;
        query.bins = bins;
        query.metric = metric;
        return insight::heatmap(m_cube, *m_reader, query, base::Currency::usd(), {},
                                reach(known.empty() ? asked : known, stale))
            .value();
    }
    insight::Summary summary(base::TimeRange asked, bool stale)
    {
        return insight::summarize(m_cube, *m_reader, {asked, {}}, Dimension::Team, base::Currency::usd(),
                                  reach(asked, stale))
            .value();
    }

private:
    base::UtcTime m_end;
    std::unique_ptr<ledger::Ledger> m_ledger;
    MemoryFacts m_facts;
    MemoryCube m_cube;
    std::unique_ptr<store::AttributionReader> m_reader;
};

bool near(std::optional<double> a, double b)
{
    return a && std::abs(*a - b) < 1e-9;
}

} // namespace

class TestPartCells : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Data to noon of the third day, queried to the end of the fourth: half a day and a whole day are unknown.
    void whatWasNotFetchedIsNotObserved()
    {
        Fleet fleet(2 * kDay + 12 * kHour, 3);
        const auto asked = fleet.range(0, 4 * kDay);
        const Heatmap map = fleet.heatmap(Bins::Day, Metric::Utilization, asked, true);
        QCOMPARE(map.rows.size(), std::size_t{1});
        const auto &cells = map.rows.front().cells;
        QCOMPARE(cells.size(), std::size_t{4});
        for (const std::size_t whole : {0U, 1U}) {
            QVERIFY(near(cells[whole].known, 1) && near(cells[whole].observed, 1) && !cells[whole].isPartial());
            QCOMPARE(cells[whole].notSyncedHours, 0.0);
        }
        QVERIFY(near(cells[2].value, 0.6) && near(cells[2].observed, 0.5) && near(cells[2].known, 0.5));
        QVERIFY(cells[2].isPartial());
        QCOMPARE(cells[2].paidHours, 12.0);
        QCOMPARE(cells[2].notSyncedHours, 12.0);
        QVERIFY(!cells[3].value); // neither zero nor "nothing held"
        QVERIFY(near(cells[3].observed, 0) && near(cells[3].known, 0));
        QCOMPARE(cells[3].notSyncedHours, 24.0);
        for (std::size_t b = 0; b < cells.size(); ++b)
            QCOMPARE(map.columns[b].isPartial(), cells[b].isPartial());
        // Like the summary of the same range.
        const auto total = fleet.summary(asked, true).total;
        QVERIFY(near(map.rows.front().overall.observed, *total.coverage));
        QCOMPARE(map.rows.front().overall.notSyncedHours, total.notSynced.hours());
        QVERIFY(map.reach.stale);
    }

    void coverageCountsIt()
    {
        Fleet fleet(2 * kDay, 2);
        const Heatmap map = fleet.heatmap(Bins::Day, Metric::Coverage, fleet.range(0, 3 * kDay), true);
        const auto &cells = map.rows.front().cells;
        QVERIFY(near(cells[1].value, 1) && near(cells[2].value, 0));
        QVERIFY(near(map.rows.front().overall.value, 2.0 / 3));
    }

    void everythingAskedForMayLieBehindTheData()
    {
        Fleet fleet(kDay, 1);
        for (const Bins bins : {Bins::Day, Bins::Hour, Bins::HourOfDay, Bins::FiveMinutes}) {
            const Heatmap map = fleet.heatmap(bins, Metric::Utilization, fleet.range(2 * kDay, 3 * kDay), true);
            QCOMPARE(map.rows.size(), std::size_t{1});
            QCOMPARE(map.rows.front().key, std::string("vision"));
            QVERIFY(!map.rows.front().overall.value);
            QVERIFY(near(map.rows.front().overall.observed, 0));
            QCOMPARE(map.rows.front().overall.notSyncedHours, 24.0);
        }
    }

    // A day that the range or the data cut; and today, which is not complete.
    void aDayThatIsCutIsKnownInPart()
    {
        Fleet fleet(3 * kDay, 3);
        const Heatmap cut =
            fleet.heatmap(Bins::Day, Metric::IdleCost, fleet.range(6 * kHour, 2 * kDay + 18 * kHour), false);
        const auto &cells = cut.rows.front().cells;
        QVERIFY(near(cells[0].known, 0.75) && near(cells[1].known, 1) && near(cells[2].known, 0.75));
        QVERIFY(near(cells[0].observed, 1) && near(cells[2].observed, 1)); // of the queried part
        QVERIFY(cells[0].isPartial() && !cells[1].isPartial() && cells[2].isPartial());
        // Queried into the future: today ends at the present time.
        const auto ahead = fleet.heatmap(Bins::Day, Metric::IdleCost, fleet.range(0, 6 * kDay), false,
                                         fleet.range(0, 2 * kDay + 12 * kHour));
        QCOMPARE(ahead.rows.front().cells.size(), std::size_t{6});
        QVERIFY(near(ahead.rows.front().cells[1].known, 1) && !ahead.rows.front().cells[1].isPartial());
        QVERIFY(near(ahead.rows.front().cells[2].known, 0.5) && ahead.rows.front().cells[2].isPartial());
        QVERIFY(!ahead.rows.front().cells[4].known); // nothing can be known about it
        // Queried from two days before the data: the same kind of day, for another reason.
        const Heatmap early = fleet.heatmap(Bins::Day, Metric::IdleCost, fleet.range(-2 * kDay, 2 * kDay), false);
        QCOMPARE(early.rows.front().cells.size(), std::size_t{4});
        QVERIFY(!early.rows.front().cells[1].known && near(early.rows.front().cells[2].known, 1));
        const Heatmap hours =
            fleet.heatmap(Bins::Hour, Metric::IdleCost, fleet.range(15 * 60, 2 * kHour + 45 * 60), false);
        QVERIFY(near(hours.rows.front().cells[0].known, 0.75) && near(hours.rows.front().cells[2].known, 0.75));
        // An hour of the week is not a single stretch of time that could be cut.
        const Heatmap week = fleet.heatmap(Bins::HourOfWeek, Metric::IdleCost, fleet.range(15 * 60, 3 * kDay), false);
        for (const HeatmapCell &cell : week.rows.front().cells)
            QVERIFY(!cell.isPartial());
    }

    // Between two syncs the data end a little before now: nothing is stale, but the current hour is only partly known.
    void whatTheNextSyncBringsIsMissingToo()
    {
        Fleet fleet(kDay + 50 * 60, 2);
        const auto asked = fleet.range(0, kDay + kHour);
        const Heatmap map = fleet.heatmap(Bins::Hour, Metric::Utilization, asked, false);
        const HeatmapCell &last = map.rows.front().cells.back();
        QVERIFY(near(last.observed, 1));
        QCOMPARE(last.notSyncedHours, 0.0);
        QVERIFY(near(last.known, 50.0 / 60) && last.isPartial());
        QCOMPARE(*map.rows.front().overall.observed, *fleet.summary(asked, false).total.coverage);
        const Heatmap fine = fleet.heatmap(Bins::FiveMinutes, Metric::Utilization, asked, false);
        QCOMPARE(fine.packed.values.size(), std::size_t{25 * 12});
        QVERIFY(std::isfinite(fine.packed.values[25 * 12 - 3]));
        QVERIFY(std::isnan(fine.packed.values[25 * 12 - 2])); // missing, not "nothing held"
        QVERIFY(std::isnan(fine.packed.values.back()));
        QCOMPARE(int{fine.packed.known[25 * 12 - 3]}, 100);
        QCOMPARE(int{fine.packed.known.back()}, 0);
    }

    // A gap in the telemetry within a cell, with cells of hours and of five minutes.
    void aGapWithinACellIsSeen()
    {
        Scenario s(1);
        const auto node = s.node("n1"), one = s.device("GPU-1"), two = s.device("GPU-2", 1);
        for (const char *name : {"a", "b"}) {
            const auto pod = s.pod(name, std::string("uid-") + name, "n1");
            s.batch.holders[pod].labels["team"] = "vision";
            s.runs(pod, 0, kDay);
        }
        s.reports(one, s.label("a"), node, 0, kDay, 60);
        s.reports(two, s.label("b"), node, 0, 10 * kHour, 60);
        s.reports(two, s.label("b"), node, 11 * kHour, kDay, 60);
        const auto ledger = ledger::Ledger::create(tests::pricedSettings()).value();
        MemoryFacts facts;
        MemoryCube cube;
        facts.add(s.batch);
        const std::vector<base::Day> days{base::dayOf(s.at(0))};
        QVERIFY(ledger->rollup().rebuild(days, facts, cube).has_value());
        const auto reader = ledger->attribution(facts);
        HeatmapQuery query;
        query.query.range = {s.at(0), s.at(kDay)};
        query.bins = Bins::Hour;
        const Heatmap hours = insight::heatmap(cube, *reader, query, base::Currency::usd()).value();
        QVERIFY(near(hours.rows.front().cells[10].known, 0.5) && hours.rows.front().cells[10].isPartial());
        QVERIFY(hours.rows.front().cells[10].value && !hours.rows.front().cells[9].isPartial());
        query.bins = Bins::FiveMinutes;
        const Heatmap fine = insight::heatmap(cube, *reader, query, base::Currency::usd()).value();
        QCOMPARE(int{fine.packed.known[10 * 12 + 5]}, 50);
        QCOMPARE(int{fine.packed.known[9 * 12]}, 100);
    }

    // What a metric does not need is not summed, and changes nothing in its cells.
    void sumsOnlyWhatTheMetricNeeds()
    {
        std::mt19937_64 random(21);
        for (const Metric metric :
             {Metric::Utilization, Metric::SmActive, Metric::TensorActive, Metric::Memory, Metric::Power,
              Metric::Allocation, Metric::Effective, Metric::IdleCost, Metric::Cost, Metric::Coverage}) {
            const insight::MeasureSlots slots(metric);
            QVERIFY(slots.count() < static_cast<std::size_t>(store::kMeasureCount));
            for (int round = 0; round < 50; ++round) {
                insight::MeasureSums all;
                std::vector<std::int64_t> kept(slots.count());
                for (const store::Measure measure : insight::allMeasures()) {
                    for (int part = 0; part < 2; ++part) {
                        const auto amount = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 1'000'000);
                        all[measure] += amount;
                        slots.add(kept.data(), measure, amount);
                    }
                }
                const insight::MeasureSums sums = slots.sums(kept.data());
                const HeatmapCell a = insight::cellOf(metric, all), b = insight::cellOf(metric, sums);
                QCOMPARE(a.value, b.value);
                QCOMPARE(a.heldHours, b.heldHours);
                QCOMPARE(a.observed, b.observed);
                QCOMPARE(a.idleCostNanos, b.idleCostNanos);
                QCOMPARE(a.paidHours, b.paidHours);
                QCOMPARE(a.known, b.known);
                QCOMPARE(all[store::Measure::IdleTicks], sums[store::Measure::IdleTicks]); // rows are sorted by it
            }
        }
    }
};

GPULEDGER_SUITE(TestPartCells)

} // namespace tst_partcells

#include "tst_partcells.moc"
