// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/overview/overview.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_overview {

using namespace gpuledger;
using insight::Dimension;
using insight::Overview;
using insight::OverviewQuery;
using tests::MemoryCube;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kDay = 86400;

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
    Overview overview(const OverviewQuery &query, const insight::Reach &now = {}, const insight::Reach &before = {})
    {
        return insight::overview(cube, *reader, query, base::Currency::usd(), now, before).value();
    }

    std::unique_ptr<ledger::Ledger> ledger;
    MemoryFacts facts;
    MemoryCube cube;
    std::unique_ptr<store::AttributionReader> reader;
};

// Four days: vision holds a device on all of them, speech a second one on the last two, and mlops that one on the first
// two.
Scenario fourDays()
{
    Scenario s(4);
    const auto node = s.node("n1");
    const auto one = s.device("GPU-1"), two = s.device("GPU-2", 1);
    const auto run = [&](const std::string &team, std::uint32_t device, std::int64_t from, std::int64_t to,
                         double busy) {
        const auto pod = s.pod(team + "-pod", "uid-" + team, "n1");
        s.batch.holders[pod].labels["team"] = team;
        s.runs(pod, from, to);
        s.reports(device, s.label(team + "-pod"), node, from, to, busy);
    };
    run("vision", one, 0, 4 * kDay, 60);
    run("mlops", two, 0, 2 * kDay, 0);
    run("speech", two, 2 * kDay, 4 * kDay, 80);
    return s;
}

const insight::OverviewTeam &team(const Overview &o, const std::string &key)
{
    const auto it = std::find_if(o.teams.begin(), o.teams.end(), [&](const auto &t) { return t.now.key == key; });
    if (it == o.teams.end())
        qFatal("no team %s", key.c_str());
    return *it;
}

} // namespace

class TestOverview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What was not fetched, or only in part, is not compared as zero.
    void comparesOnlyWhatWasFetched_data()
    {
        using State = insight::Comparison::State;
        QTest::addColumn<double>("now");
        QTest::addColumn<double>("before");
        QTest::addColumn<State>("state");
        QTest::newRow("both as a whole") << 1.0 << 1.0 << State::Made;
        QTest::newRow("as good as whole") << 0.96 << 0.95 << State::Made;
        QTest::newRow("nothing before") << 1.0 << 0.0 << State::NothingBefore;
        QTest::newRow("half before") << 1.0 << 0.5 << State::PartBefore;
        QTest::newRow("half now") << 0.5 << 1.0 << State::PartNow;
    }

    void comparesOnlyWhatWasFetched()
    {
        using State = insight::Comparison::State;
        QFETCH(double, now);
        QFETCH(double, before);
        QFETCH(State, state);
        const Scenario s = fourDays();
        Engine engine(s);
        OverviewQuery query;
        query.query.range = {s.at(2 * kDay), s.at(4 * kDay)};
        query.previous = {s.at(0), s.at(2 * kDay)};
        const auto reach = [](double fetched) {
            insight::Reach out;
            insight::SourceReach source;
            source.fetched = fetched;
            out.sources = {source, insight::SourceReach{}};
            out.sources.back().cluster = "another"; // without fetched data
            return out;
        };
        query.query.filter.include[Dimension::Cluster] = {s.batch.devices.front().cluster};
        const Overview o = engine.overview(query, reach(now), reach(before));
        QVERIFY(o.comparison.state == state);
        QCOMPARE(o.before.has_value(), state == State::Made);
        QCOMPARE(o.change.has_value(), state == State::Made);
        QCOMPARE(team(o, "vision").before.has_value(), state == State::Made);
        QCOMPARE(o.movers.empty(), state != State::Made);
        QVERIFY(o.total.cost.total() > 0); // the range itself is shown
        if (state != State::Made)
            QCOMPARE(o.comparison.fetched, state == State::PartNow ? now : before);
    }

    void daysBehindTheDataAreNotKnown()
    {
        const Scenario s = fourDays();
        Engine engine(s);
        OverviewQuery query;
        query.query.range = {s.at(2 * kDay), s.at(6 * kDay)};
        insight::Reach reach;
        reach.asked = query.query.range;
        insight::SourceReach source;
        source.to = s.at(4 * kDay);
        source.stale = reach.stale = true;
        reach.sources = {source};
        const Overview o = engine.overview(query, reach);
        QCOMPARE(o.days.size(), std::size_t{4});
        for (std::size_t d = 0; d < o.days.size(); ++d) {
            QCOMPARE(o.days[d].isKnown(), d < 2);
            QCOMPARE(o.days[d].sums.hasKnownCost(), d < 2);
            QCOMPARE(o.days[d].sums.notSynced.hours(), d < 2 ? 0.0 : 48.0);
            QCOMPARE(team(o, "vision").daily[d].has_value(), d < 2);
        }
        QCOMPARE(*o.total.coverage, 0.5);
        QCOMPARE(o.total.notSynced.hours(), 96.0);
    }

    void comparesWithThePeriodBefore()
    {
        const Scenario s = fourDays();
        Engine engine(s);
        const Overview o =
            engine.overview({{{s.at(2 * kDay), s.at(4 * kDay)}, {}}, {s.at(0), s.at(2 * kDay)}, base::TimeZone()});
        QCOMPARE(o.total.time.paid().hours(), 96.0);
        QCOMPARE(o.before->time.paid().hours(), 96.0);
        QCOMPARE(o.total.cost.total(), 96 * 3'600'000'000LL);
        QCOMPARE(o.before->cost.idle, 48 * 3'600'000'000LL);
        QCOMPARE(o.total.cost.idle, 0);
        // The same fleet: the cost of more or less work is offset by efficiency.
        const insight::CostChange &c = *o.change;
        QVERIFY(c.before == o.before->cost.total() && c.after == o.total.cost.total());
        QVERIFY(c.price == 0 && c.mix == 0 && c.hours == -c.efficiency);
        QCOMPARE(team(o, "vision").now.cost.total(), team(o, "vision").before->cost.total());
        QVERIFY(!team(o, "speech").before);
        QCOMPARE(team(o, "mlops").now.cost.total(), 0); // gone, but still listed
        QCOMPARE(team(o, "mlops").before->cost.total(), 48 * 3'600'000'000LL);
        QCOMPARE(o.movers.size(), std::size_t{2});
        QVERIFY(o.teams[o.movers[0]].now.key != "vision" && o.teams[o.movers[1]].now.key != "vision");
        // Why each team's cost changed: the parts add up to its change, and the changes of all teams to the total.
        const auto gone = team(o, "mlops").change.value(), same = team(o, "vision").change.value();
        QCOMPARE(gone.hours, -48 * 3'600'000'000LL);
        QVERIFY(gone.price == 0 && gone.mix == 0 && gone.after == 0);
        QVERIFY(same.price == 0 && same.hours == 0 && same.mix == 0);
        std::int64_t all = 0;
        for (const auto &t : o.teams)
            all += t.change->price + t.change->hours + t.change->mix;
        QCOMPARE(all, o.change->after - o.change->before);
    }

    void daysAndTeamsAddUp()
    {
        const Scenario s = fourDays();
        Engine engine(s);
        for (const char *zone : {"UTC", "Europe/Berlin", "Asia/Kathmandu"}) {
            const OverviewQuery query{{{s.at(kDay), s.at(4 * kDay)}, {}}, {}, base::TimeZone::find(zone).value()};
            const Overview o = engine.overview(query);
            QVERIFY(!o.before && !o.change && o.movers.empty() && !o.teams.front().change);
            std::int64_t days = 0, teams = 0, teamDays = 0;
            for (const auto &day : o.days)
                days += day.sums.cost.total();
            for (const auto &t : o.teams) {
                teams += t.now.cost.total();
                QCOMPARE(t.daily.size(), o.days.size());
                for (const auto &cost : t.daily)
                    teamDays += cost.value();
            }
            QCOMPARE(days, o.total.cost.total());
            QCOMPARE(teams, o.total.cost.total());
            QCOMPARE(teamDays, o.total.cost.total());
            const bool utc = std::string_view(zone) == "UTC";
            QCOMPARE(o.days.size(), std::size_t(utc ? 3 : 4)); // in other zones the first and the last day are partial
            QCOMPARE(o.days.front().whole, utc);
            QCOMPARE(o.days.back().whole, utc);
            QVERIFY(o.days[1].whole);
        }
    }

    void unpricedDaysAreUnknownNotZero()
    {
        Scenario s = fourDays();
        for (auto &device : s.batch.devices)
            device.model = "A model that no list has";
        Engine engine(s, model::Settings());
        const Overview o = engine.overview({{{s.at(0), s.at(kDay)}, {}}, {}, base::TimeZone()});
        QCOMPARE(o.total.cost.unpriced.ticks, o.total.time.paid().ticks);
        QVERIFY(!team(o, "vision").daily.front());
    }

    void answersTheSameFromFactsAndRollup()
    {
        const Scenario s = fourDays();
        Engine engine(s);
        OverviewQuery query{{{s.at(2 * kDay), s.at(4 * kDay)}, {}}, {s.at(0), s.at(2 * kDay)}, base::TimeZone()};
        const Overview rollup = engine.overview(query);
        query.query.filter.include[Dimension::Node] = {"n1"}; // not a dimension of the roll-up
        const Overview facts = engine.overview(query);
        QCOMPARE(facts.total.cost.total(), rollup.total.cost.total());
        QCOMPARE(facts.total.utilization.value(), rollup.total.utilization.value());
        QVERIFY(*facts.change == *rollup.change);
        QCOMPARE(facts.teams.size(), rollup.teams.size());
    }

    void nothingIsNothing()
    {
        const Scenario s = fourDays();
        Engine engine(s);
        const Overview o = engine.overview({{{s.at(0), s.at(0)}, {}}, {}, base::TimeZone()});
        QVERIFY(o.days.empty() && o.teams.empty() && !o.total.utilization);
    }
};

GPULEDGER_PLAIN_SUITE(TestOverview)

} // namespace tst_overview

#include "tst_overview.moc"
