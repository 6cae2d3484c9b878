// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idle.h"
#include "app/insight/overview/summary.h"
#include "app/insight/query/labels.h"
#include "app/insight/query/values.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

namespace tst_labels {

using namespace gpuledger;
using insight::Dimension;
using insight::Filter;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
const Dimension kApp(Dimension::WorkloadLabel, "app");
const Dimension kUnit(Dimension::NamespaceLabel, "unit");
const Dimension kPool(Dimension::NodeLabel, "pool");

// Two nodes of two pools with a device each for a day; three pods, one of them without labels, and free time.
Scenario labelled()
{
    Scenario s(1);
    const auto n1 = s.node("n1", {{"pool", "research"}}), n2 = s.node("n2", {{"pool", "serving"}, {"rack", "7"}});
    const auto d1 = s.device("GPU-1"), d2 = s.device("GPU-2");
    const auto add = [&](const std::string &name, std::uint32_t node, std::uint32_t device, std::int64_t from,
                         std::int64_t to) {
        const auto pod = s.pod(name, "uid-" + name, node == n1 ? "n1" : "n2");
        s.runs(pod, from * kHour, to * kHour);
        s.reports(device, s.label(name), node, from * kHour, to * kHour, 0);
        return pod;
    };
    const auto a = add("a", n1, d1, 0, 6), b = add("b", n1, d1, 6, 24), c = add("c", n2, d2, 0, 24);
    s.batch.holders[a].labels = {{"app", "trainer"}};
    s.batch.holders[a].namespaceLabels = {{"unit", "north"}};
    s.batch.holders[b].labels = {{"app", "notebook"}, {"tier", "<b>gold</b>"}};
    Q_UNUSED(c);
    return s;
}

struct Engine {
    Engine()
        : ledger(ledger::Ledger::create(settings).value())
    {
        facts.add(scenario.batch);
        if (!ledger->rollup().rebuild(std::vector{scenario.day()}, facts, cube))
            qFatal("no roll-up");
        reader = ledger->attribution(facts);
    }
    std::map<std::string, double> hours(const Dimension &by, const Filter &filter = {})
    {
        const auto summary =
            insight::summarize(cube, *reader, {scenario.covered(), filter}, by, base::Currency::usd()).value();
        std::map<std::string, double> out;
        for (const auto &row : summary.rows)
            out[row.key] = row.time.paid().hours();
        return out;
    }
    std::vector<std::string> idle(const Filter &filter)
    {
        const auto at = scenario.covered().end;
        const auto list = insight::idleAt(*reader, at, filter, settings.idle, base::Currency::usd()).value();
        std::vector<std::string> names;
        for (const auto &item : list.items)
            names.push_back(item.name);
        std::sort(names.begin(), names.end());
        return names;
    }

    Scenario scenario = labelled();
    model::Settings settings = tests::pricedSettings();
    std::unique_ptr<ledger::Ledger> ledger;
    tests::MemoryFacts facts;
    tests::MemoryCube cube;
    std::unique_ptr<store::AttributionReader> reader;
};

Filter only(const Dimension &dimension, const std::string &value)
{
    Filter filter;
    filter.include[dimension] = {value};
    return filter;
}

using Hours = std::map<std::string, double>;
using Names = std::vector<std::string>;

} // namespace

// A label groups and filters like any other dimension.
class TestLabels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreReadBack()
    {
        for (const Dimension &label : {kApp, kUnit, kPool}) {
            const auto back = insight::dimensionFromString(insight::toString(label));
            QVERIFY(back && *back == label);
        }
        QCOMPARE(insight::toString(kPool), std::string("node-label:pool"));
        QVERIFY(!insight::dimensionFromString("label:"));
        QVERIFY(!insight::dimensionFromString("labels:app"));
    }

    void timeIsGroupedByLabel()
    {
        Engine engine;
        QCOMPARE(engine.hours(kApp), (Hours{{"trainer", 6}, {"notebook", 18}, {"", 24}}));
        QCOMPARE(engine.hours(kUnit), (Hours{{"north", 6}, {"", 42}}));
        QCOMPARE(engine.hours(kPool), (Hours{{"research", 24}, {"serving", 24}}));
    }

    void filtersIncludeExcludeAndTakeWhatHasNone()
    {
        Engine engine;
        QCOMPARE(engine.hours(Dimension::Device, only(kApp, "trainer")), (Hours{{"GPU-1", 6}}));
        QCOMPARE(engine.hours(Dimension::Device, only(kApp, "")), (Hours{{"GPU-2", 24}}));
        Filter notTrainer;
        notTrainer.exclude[kApp] = {"trainer"};
        notTrainer.include[kPool] = {"research"};
        QCOMPARE(engine.hours(Dimension::Device, notTrainer), (Hours{{"GPU-1", 18}}));
        QVERIFY(engine.hours(Dimension::Device, only(kApp, "absent")).empty());
    }

    void idleListIsFilteredByLabel()
    {
        Engine engine;
        QCOMPARE(engine.idle({}), (Names{"b", "c"}));
        QCOMPARE(engine.idle(only(kApp, "notebook")), Names{"b"});
        QCOMPARE(engine.idle(only(kPool, "serving")), Names{"c"});
        Filter filter;
        filter.exclude[kApp] = {""};
        QCOMPARE(engine.idle(filter), Names{"b"});
    }

    void labelsInUseTellHowManyHaveThem()
    {
        Engine engine;
        const auto uses = insight::labelsInUse(engine.facts).value();
        std::vector<std::pair<std::string, double>> got;
        for (const auto &use : uses)
            got.emplace_back(insight::toString(use.dimension), std::round(use.share * 100));
        const decltype(got) expected{{"label:app", 67},
                                     {"label:tier", 33},
                                     {"namespace-label:unit", 33},
                                     {"node-label:pool", 100},
                                     {"node-label:rack", 50}};
        QCOMPARE(got, expected);
    }

    void valuesAreThoseThatOccur()
    {
        Engine engine;
        const auto of = [&](const Dimension &label) {
            std::vector<std::string> out;
            const auto values = insight::dimensionValues(engine.cube, *engine.reader, engine.facts, label).value();
            for (const auto &v : values)
                out.push_back(v.value);
            return out;
        };
        QCOMPARE(of(kApp), (Names{"", "notebook", "trainer"}));
        QCOMPARE(of(kPool), (Names{"research", "serving"}));
        QCOMPARE(of(Dimension(Dimension::WorkloadLabel, "tier")), (Names{"", "<b>gold</b>"}));
    }
};

GPULEDGER_SUITE(TestLabels)

} // namespace tst_labels

#include "tst_labels.moc"
