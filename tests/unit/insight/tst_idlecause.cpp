// SPDX-License-Identifier: GPL-3.0-or-later
// Why a workload is idle, and whether stopping it ends its cost.
#include "app/insight/idle/idlecause.h"

#include "app/insight/idle/idle.h"
#include "app/ledger/bills/costterms.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTest>

#include <functional>

namespace tst_idlecause {

using namespace gpuledger;
using insight::IdleCause;
using insight::IdleItem;
using insight::IdleList;
using insight::IdleSum;
using model::Recovery;
using tests::MemoryFacts;
using tests::Scenario;
using tests::Telling;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kGib = 1024;

store::IdleCandidate candidate(std::initializer_list<std::pair<std::int64_t, double>> units) // memory in MiB, activity
{
    store::IdleCandidate c;
    std::int64_t id = 0;
    for (const auto &[memory, activity] : units) {
        store::IdleUnit &u = c.units.emplace_back();
        u.device = base::DeviceId{++id};
        u.memoryMib = memory;
        u.peakActivity = activity;
    }
    return c;
}

// Facts with bills.
class BilledFacts final : public store::FactReader {
public:
    void add(const ports::FactBatch &batch) { m_facts.add(batch); }
    base::Result<std::vector<model::Node>> nodes() override { return m_facts.nodes(); }
    base::Result<std::vector<model::Device>> devices() override { return m_facts.devices(); }
    base::Result<std::vector<model::Subject>> subjects() override { return m_facts.subjects(); }
    base::Result<std::vector<model::Holder>> holders(base::TimeRange range) override { return m_facts.holders(range); }
    base::Result<std::vector<store::HolderSpan>> holderSpans(base::TimeRange range) override
    {
        return m_facts.holderSpans(range);
    }
    base::Result<std::vector<std::string>> clustersWithHolders() override { return m_facts.clustersWithHolders(); }
    base::Result<std::vector<store::NodeSpan>> nodeSpans(base::TimeRange range) override
    {
        return m_facts.nodeSpans(range);
    }
    base::Result<std::vector<store::Placement>> placements(base::TimeRange range) override
    {
        return m_facts.placements(range);
    }
    base::Result<void> deviceDays(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                  const DayVisitor &visit) override
    {
        return m_facts.deviceDays(first, last, devices, visit);
    }
    base::Result<base::TimeRange> coveredRange() override { return m_facts.coveredRange(); }
    base::Result<void> billedOn(base::Day day, const store::BilledVisitor &visit) override
    {
        for (const auto &[on, line] : lines) {
            if (on != day)
                continue;
            store::BilledItem item;
            item.line = &line;
            item.billed = line.billed.nanos();
            item.effective = line.effective.nanos();
            GPULEDGER_TRY(visit(item));
        }
        return {};
    }
    std::vector<std::pair<base::Day, model::BillLine>> lines;

private:
    MemoryFacts m_facts;
};

struct Fleet : Scenario {
    Fleet()
        : Scenario(2)
    {
        const auto n = node("n1", {{"pool", "p1"}});
        batch.nodes[n].cloud = "aws";
        batch.nodes[n].providerId = "aws:///us-east-1a/i-0abc";
        batch.nodes[n].instanceType = "p4d.24xlarge";
        batch.nodes[n].region = "us-east-1";
        const auto d = device("GPU-1");
        runs(pod("a", "uid-a", "n1"), 0, kDay);
        reports(d, label("a"), n, 0, kDay, 1);
    }
    IdleItem item(const model::Settings &settings, const std::function<void(BilledFacts &)> &add = {}) const
    {
        const auto ledger = ledger::Ledger::create(settings).value();
        BilledFacts facts;
        facts.add(batch);
        if (add)
            add(facts);
        const auto reader = ledger->attribution(facts);
        const IdleList list = insight::idleAt(*reader, at(10 * kHour), {}, settings.idle, base::Currency::usd(),
                                              [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime when) {
                                                  return ledger->costTerms(facts, devices, when);
                                              })
                                  .value();
        if (list.items.size() != 1)
            qFatal("one idle item was expected");
        return list.items[0];
    }
};

void checkSum(const IdleSum &sum)
{
    QCOMPARE(*sum.avoidable + *sum.sunk + *sum.undecided, *sum.perMonth);
}

} // namespace

class TestIdleCause : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memoryTellsTheCause();
    void rentedCanBeAvoided();
    void ownedIsSunk();
    void committedIsSunkWhateverItsPrice();
    void estimateWithoutACloudIsUnknown();
    void unpricedHasNoAmounts();
    void whatIsOnNoBillHasNoSum();
    void machineThatOthersUseStays_data();
    void machineThatOthersUseStays();
    void machineGoesWhenAllOnItAreStopped();
    void sliceOfAGpuThatOthersUseSavesNothing();
    void partsAddUp();
};

void TestIdleCause::memoryTellsTheCause()
{
    const std::map<base::DeviceId, std::int64_t> memory{{base::DeviceId{1}, 80 * kGib}, {base::DeviceId{2}, 80 * kGib}};
    const auto cause = [&](auto units) { return insight::causeOf(candidate(units), memory); };
    using Units = std::initializer_list<std::pair<std::int64_t, double>>;
    QVERIFY(cause(Units{{0, 0}}) == IdleCause::Empty);
    QVERIFY(cause(Units{{kGib, 0}}) == IdleCause::Empty);
    QVERIFY(cause(Units{{kGib + 1, 0}}) == IdleCause::Loaded);
    QVERIFY(cause(Units{{0, 0}, {40 * kGib, 0}}) == IdleCause::Loaded);
    QVERIFY(cause(Units{{-1, 0}}) == IdleCause::Unknown);
    QVERIFY(cause(Units{{0, 0}, {-1, 0}}) == IdleCause::Unknown);
    QVERIFY(cause(Units{{10 * kGib, 0.01}}) == IdleCause::Oversized);
    QVERIFY(cause(Units{{10 * kGib + 1, 0.01}}) == IdleCause::Loaded);
    QVERIFY(cause(Units{{0, 0.01}, {40 * kGib, 0}}) == IdleCause::Loaded);
    QVERIFY(cause(Units{{0, 0}, {0, 0}, {0, 0.01}}) == IdleCause::Loaded); // the size of the third is unknown
    store::IdleCandidate slice = candidate({{kGib, 0.02}});
    slice.units[0].gpuInstance = "1";
    QVERIFY(insight::causeOf(slice, memory) == IdleCause::Loaded);
}

void TestIdleCause::rentedCanBeAvoided()
{
    const IdleItem item = Fleet().item(tests::pricedSettings());
    QVERIFY(item.recoverable == Recovery::Now);
    QCOMPARE(item.avoidablePerMonth->nanos(), item.perMonth->nanos());
    QCOMPARE(item.sunkPerMonth->nanos(), std::int64_t{0});
}

void TestIdleCause::ownedIsSunk()
{
    model::Settings settings = tests::pricedSettings();
    model::OwnedMachine owned;
    owned.nodeLabels = {{"pool", "p1"}};
    owned.price = "100000";
    owned.residual = "0";
    owned.powerW = "1000";
    owned.pue = "1.2";
    owned.usdPerKwh = "0.2";
    owned.operationPerYear = "0";
    settings.prices.owned.push_back(owned);
    const IdleItem item = Fleet().item(settings);
    QVERIFY(item.recoverable == Recovery::Never);
    QCOMPARE(item.avoidablePerMonth->nanos(), std::int64_t{0});
    QCOMPARE(item.sunkPerMonth->nanos(), item.perMonth->nanos());
}

void TestIdleCause::committedIsSunkWhateverItsPrice()
{
    const Fleet fleet;
    const auto billed = [&](model::PricingCategory pricing, const std::string &resource, int days) {
        return fleet.item(tests::pricedSettings(), [&](BilledFacts &facts) {
            model::BillLine line;
            line.category = model::ChargeCategory::Usage;
            line.pricing = pricing;
            line.product.provider = "AWS";
            line.resource.id = resource;
            facts.lines.emplace_back(fleet.day(-days), line);
        });
    };
    using model::PricingCategory;
    QVERIFY(billed(PricingCategory::Committed, "i-0abc", 1).recoverable == Recovery::AtDate);
    QVERIFY(billed(PricingCategory::Committed, "i-0other", 1).recoverable == Recovery::Now);
    QVERIFY(billed(PricingCategory::Standard, "i-0abc", 1).recoverable == Recovery::Now);
    QVERIFY(billed(PricingCategory::Committed, "i-0abc", ledger::kBillLookbackDays).recoverable == Recovery::Now);
    const IdleItem item = billed(PricingCategory::Committed, "i-0abc", 1);
    QCOMPARE(item.sunkPerMonth->nanos(), item.perMonth->nanos());
}

void TestIdleCause::estimateWithoutACloudIsUnknown()
{
    Fleet fleet;
    fleet.batch.nodes[0].cloud.clear();
    fleet.batch.nodes[0].providerId.clear();
    fleet.batch.nodes[0].instanceType.clear();
    fleet.batch.devices[0].model = "NVIDIA H100 80GB HBM3";
    const IdleItem item = fleet.item(model::Settings());
    QVERIFY(item.perMonth);
    QVERIFY(item.recoverable == Recovery::Unknown);
    QVERIFY(!item.avoidablePerMonth && !item.sunkPerMonth);
}

void TestIdleCause::unpricedHasNoAmounts()
{
    Fleet fleet;
    fleet.batch.nodes[0].instanceType.clear();
    fleet.batch.devices[0].model = "no such model";
    const IdleItem item = fleet.item(model::Settings());
    QVERIFY(!item.perMonth);
    QVERIFY(item.recoverable == Recovery::Unknown);
    QVERIFY(!item.avoidablePerMonth && !item.sunkPerMonth);
}

// As billed, the cost so far needs a bill for each idle day: without one it is unknown, not the sum of the others.
void TestIdleCause::whatIsOnNoBillHasNoSum()
{
    Fleet fleet;
    fleet.batch.holderSpans.clear();
    fleet.batch.series.clear();
    fleet.runs(0, 0, 2 * kDay);
    fleet.reports(0, 0, 0, 0, 2 * kDay, 1);
    const auto ledger = ledger::Ledger::create(tests::pricedSettings()).value();
    const auto itemOf = [&](std::initializer_list<int> billedDays, model::CostView view) {
        BilledFacts facts;
        facts.add(fleet.batch);
        for (const int day : billedDays) {
            model::BillLine line;
            line.category = model::ChargeCategory::Usage;
            line.product.provider = "AWS";
            line.resource.id = "i-0abc";
            line.billed = line.effective = base::Money(24'000'000'000, base::Currency::usd());
            facts.lines.emplace_back(fleet.day(day), line);
        }
        const auto reader = ledger->attribution(facts, view);
        const IdleList list =
            insight::idleAt(*reader, fleet.at(34 * kHour), {}, tests::pricedSettings().idle, base::Currency::usd())
                .value();
        if (list.items.size() != 1)
            qFatal("one idle item was expected");
        return list.items[0];
    };
    const auto hours = [](const std::optional<base::Money> &amount) { return amount ? amount->toDouble() : -1; };
    const IdleItem both = itemOf({0, 1}, model::CostView::Billed);
    QVERIFY(std::abs(hours(both.ratePerHour) - 1) < 1e-6);
    QVERIFY2(std::abs(hours(both.wasted) - 34) < 1e-6, qPrintable(QString::number(hours(both.wasted))));
    const IdleItem half = itemOf({1}, model::CostView::Billed);
    QVERIFY(half.ratePerHour == both.ratePerHour && half.perMonth == both.perMonth);
    QVERIFY(!half.wasted);
    QCOMPARE(half.idleHours, both.idleHours);
    const IdleItem none = itemOf({0}, model::CostView::Billed);
    QVERIFY(!none.ratePerHour && !none.wasted);
    QVERIFY(std::abs(hours(itemOf({1}, model::CostView::List).wasted) - 34 * 3.6) < 1e-6);
}

// Another workload on the machine, or on another one.
void TestIdleCause::machineThatOthersUseStays_data()
{
    QTest::addColumn<QString>("where");
    QTest::addColumn<double>("percent");
    QTest::addColumn<qint64>("born");
    QTest::addColumn<bool>("stays");
    QTest::newRow("busy beside it") << "n1" << 80.0 << qint64{0} << true;
    QTest::newRow("busy elsewhere") << "n2" << 80.0 << qint64{0} << false;
    QTest::newRow("idle, but too young") << "n1" << 1.0 << qint64{10 * kHour - 600} << true;
    QTest::newRow("not there yet") << "n1" << 80.0 << qint64{11 * kHour} << false;
}

void TestIdleCause::machineThatOthersUseStays()
{
    QFETCH(QString, where);
    QFETCH(double, percent);
    QFETCH(qint64, born);
    QFETCH(bool, stays);
    Fleet fleet;
    const std::string name = where.toStdString();
    const std::uint32_t node = name == "n1" ? 0 : fleet.node(name);
    fleet.runs(fleet.pod("b", "uid-b", name), born, kDay);
    fleet.reports(fleet.device("GPU-2", 1), fleet.label("b"), node, born, kDay, percent);
    const IdleItem item = fleet.item(tests::pricedSettings());
    QVERIFY(item.recoverable == (stays ? Recovery::WithMachine : Recovery::Now));
    QVERIFY(item.stopWith.empty() && !item.sharesGpu);
    QCOMPARE(item.avoidablePerMonth->nanos(), stays ? std::int64_t{0} : item.perMonth->nanos());
    QCOMPARE(item.sunkPerMonth->nanos(), stays ? item.perMonth->nanos() : std::int64_t{0});
}

void TestIdleCause::machineGoesWhenAllOnItAreStopped()
{
    Fleet fleet;
    fleet.runs(fleet.pod("b", "uid-b", "n1"), 0, kDay);
    fleet.reports(fleet.device("GPU-2", 1), fleet.label("b"), 0, 0, kDay, 1);
    const auto listOf = [&](const model::Settings &settings, const insight::Filter &filter) {
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(fleet.batch);
        const auto reader = ledger->attribution(facts);
        return insight::idleAt(*reader, fleet.at(10 * kHour), filter, settings.idle, base::Currency::usd(),
                               [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime when) {
                                   return ledger->costTerms(facts, devices, when);
                               })
            .value();
    };
    const IdleList both = listOf(tests::pricedSettings(), {});
    QCOMPARE(both.items.size(), std::size_t{2});
    QVERIFY(both.items[0].recoverable == Recovery::Now && both.items[1].recoverable == Recovery::Now);
    QCOMPARE(both.items[0].stopWith, std::vector<std::string>{both.items[1].id});
    QCOMPARE(both.items[1].stopWith, std::vector<std::string>{both.items[0].id});
    insight::Filter filter; // says the same of the one that is left
    filter.include[insight::Dimension::Device] = {"GPU-1"};
    const IdleList one = listOf(tests::pricedSettings(), filter);
    QCOMPARE(one.items.size(), std::size_t{1});
    QCOMPARE(one.items[0].stopWith, std::vector<std::string>{"prod/ml/b/uid-b"});
}

void TestIdleCause::sliceOfAGpuThatOthersUseSavesNothing()
{
    Scenario fleet(2);
    const auto node = fleet.node("n1");
    fleet.batch.nodes[node].cloud = "aws";
    const auto gpu = fleet.device("GPU-1");
    const std::pair<const char *, double> slices[] = {{"1", 1}, {"2", 80}};
    for (const auto &[instance, percent] : slices) {
        const std::string name = std::string("pod") + instance;
        fleet.slice(gpu, instance, {3, 7});
        fleet.runs(fleet.pod(name, "uid-" + name, "n1", 1, "nvidia_com_mig_3g_40gb"), 0, kDay);
        fleet.reports(gpu, fleet.label(name), node, 0, kDay, percent, instance);
    }
    const model::Settings settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    const IdleList list = insight::idleAt(*reader, fleet.at(10 * kHour), {}, settings.idle, base::Currency::usd(),
                                          [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime when) {
                                              return ledger->costTerms(facts, devices, when);
                                          })
                              .value();
    QCOMPARE(list.items.size(), std::size_t{1});
    QVERIFY(list.items[0].recoverable == Recovery::WithMachine);
    QVERIFY(list.items[0].sharesGpu);
    QCOMPARE(list.items[0].avoidablePerMonth->nanos(), std::int64_t{0});
}

void TestIdleCause::partsAddUp()
{
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        tests::Random random(seed);
        const Scenario fleet = tests::randomFleet(random, seed % 2 ? Telling::Loose : Telling::Wild);
        const model::Settings settings = tests::pricedSettings();
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(fleet.batch);
        const auto reader = ledger->attribution(facts);
        const auto terms = [&](const std::vector<model::PlacedDevice> &devices,
                               base::UtcTime) -> base::Result<model::CostTerms> {
            model::CostTerms out;
            for (const model::PlacedDevice &one : devices)
                out[one.device] = static_cast<Recovery>(tests::pick(random, 0, 4));
            return out;
        };
        const IdleList list =
            insight::idleAt(*reader, fleet.at(70 * kHour), {}, settings.idle, base::Currency::usd(), terms).value();
        for (const IdleItem &item : list.items) {
            ++seen;
            QCOMPARE(item.recoverable == Recovery::Unknown, !item.avoidablePerMonth.has_value());
            if (item.avoidablePerMonth)
                QCOMPARE(item.avoidablePerMonth->nanos() + item.sunkPerMonth->nanos(), item.perMonth->nanos());
        }
        const insight::IdleTotals totals = insight::totalsOf(list.items);
        checkSum(totals.all);
        IdleSum sum;
        for (const IdleSum &one : totals.byCause) {
            checkSum(one);
            sum.items += one.items;
            *sum.perMonth += *one.perMonth;
            *sum.avoidable += *one.avoidable;
            *sum.sunk += *one.sunk;
        }
        QCOMPARE(sum.items, list.items.size());
        QCOMPARE(*sum.perMonth, *totals.all.perMonth);
        QCOMPARE(*sum.avoidable, *totals.all.avoidable);
        QCOMPARE(*sum.sunk, *totals.all.sunk);
    }
    QVERIFY(seen > 20);
}

GPULEDGER_SUITE(TestIdleCause)

} // namespace tst_idlecause

#include "tst_idlecause.moc"
