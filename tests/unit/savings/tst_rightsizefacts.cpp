// SPDX-License-Identifier: GPL-3.0-or-later
// What a smaller machine could hold, read from the facts of a small fleet: by the reader alone, and through a cache.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savingsinputs/rightsizefacts.h"
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "resources/resources.h"
#include "tests/support/fakes/collected.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <set>

namespace tst_rightsizefacts {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr int kDays = 21;
constexpr std::int64_t kEnd = kDays * Scenario::kDaySeconds;
constexpr std::int64_t kMachineNanos = 21'957'642'000; // p4d.24xlarge, us-east-1
constexpr std::int64_t kHourTicks = base::GpuTime::kTicksPerSecond * 3600;

std::uint32_t addMachine(Scenario &fleet, const std::string &name, const model::Labels &labels = {})
{
    const auto node = fleet.node(name, labels);
    fleet.batch.nodes[node].cloud = "aws";
    fleet.batch.nodes[node].region = "us-east-1";
    fleet.batch.nodes[node].instanceType = "p4d.24xlarge";
    return node;
}

// A pod that holds GPUs [first, first + count) of a machine, the first `busy` of them at 20 % with 8 GiB, the others
// without memory.
void addPod(Scenario &fleet, const std::string &name, std::uint32_t node, const std::string &kind, int first, int count,
            int busy)
{
    const std::string uid = "uid-" + name, machine = fleet.batch.nodes[node].name;
    const auto label = fleet.label(name + "-0", uid);
    const auto pod = fleet.pod(name + "-0", uid, machine, count);
    fleet.batch.holders[pod].ownerKind = kind;
    fleet.batch.holders[pod].ownerName = name;
    fleet.runs(pod, 0, kEnd);
    for (int i = 0; i < count; ++i) {
        const auto device = fleet.device("GPU-" + machine + "-" + std::to_string(first + i), first + i);
        fleet.reports(device, label, node, 0, kEnd, i < busy ? 20 : 0);
        for (model::UsageBucket &bucket : fleet.batch.series.back().buckets)
            bucket.memoryMeanMib = bucket.memoryMaxMib = i < busy ? 8192 : 3;
    }
}

// "alone" has a machine and uses one GPU of eight; "three" uses three together; "first" and "second" share a machine;
// "owned" is on own hardware.
Scenario fleetOf()
{
    Scenario fleet(kDays);
    addPod(fleet, "alone", addMachine(fleet, "node-1"), "Notebook", 0, 8, 1);
    addPod(fleet, "three", addMachine(fleet, "node-2"), "Job", 0, 8, 3);
    const auto shared = addMachine(fleet, "node-3");
    addPod(fleet, "first", shared, "Deployment", 0, 4, 4);
    addPod(fleet, "second", shared, "Deployment", 4, 4, 4);
    addPod(fleet, "owned", addMachine(fleet, "node-4", {{"on_premises", "true"}}), "Notebook", 0, 8, 1);
    return fleet;
}

model::Settings settingsOf()
{
    model::Settings settings;
    settings.prices.owned.emplace_back().nodeLabels = {{"on_premises", "true"}};
    settings.prices.owned.back().price = "10000";
    return settings;
}

savings::RightSizePast pastOf(const Scenario &fleet, const model::Settings &settings = settingsOf(),
                              bool recentOnly = false)
{
    const auto ledger = ledger::Ledger::create(settings).value();
    const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
    const auto prices = ledger::PriceBook::create(settings.prices, base::Currency::usd(),
                                                  resources::find("prices/instances.csv").value(), catalog)
                            .value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    const auto collector =
        services::rightSizeCollector(
            *reader, {fleet.covered(), base::Currency::usd(), model::toShare(0.05), {}, recentOnly}, catalog, prices,
            [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
                return ledger->costTerms(facts, devices, at);
            },
            {})
            .value();
    collectAll(*collector, *reader);
    return collector->take().value();
}

const savings::RightSizeWorkload &named(const savings::RightSizePast &past, const std::string &name)
{
    return *std::find_if(past.workloads.begin(), past.workloads.end(),
                         [&](const auto &one) { return one.controllerName == name; });
}

const savings::Proposal &named(const std::vector<savings::Proposal> &list, const std::string &id)
{
    return *std::find_if(list.begin(), list.end(), [&](const auto &one) { return one.id == id; });
}

// All that a proposal is and says.
std::string told(const savings::Proposal &one)
{
    std::string out = one.id + '|' + one.target + '|' + one.owner + '|' + one.how + '|' + tests::said(one.excludedBy);
    for (const auto &amount : {one.perMonth ? std::optional(one.perMonth->p50) : std::nullopt, one.avoidable})
        out += '|' + (amount ? std::to_string(amount->nanos()) : std::string("?"));
    for (const savings::Assumption &assumed : one.assumptions)
        out += '|' + assumed.name + '=' + assumed.value;
    for (const savings::Evidence &line : one.evidence)
        out += '|' + ui::textOf(line.label).english() + ": " + ui::valueOf(line.value).english();
    for (const savings::Remark &risk : one.risks)
        out += '|' + tests::said(risk);
    for (const std::string &resource : one.resources)
        out += '|' + resource;
    return out;
}

std::vector<std::string> told(const std::vector<savings::Proposal> &all)
{
    std::vector<std::string> out;
    for (const savings::Proposal &one : all)
        out.push_back(told(one));
    return out;
}

bool says(const savings::Proposal &proposal, const std::string &label, const std::string &value)
{
    return tests::evidenceOf(proposal, label) == value;
}

} // namespace

class TestRightSizeFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void useAndCostAreThoseOfTheFacts()
    {
        const auto past = pastOf(fleetOf());
        QCOMPARE(past.hours, kDays * 24);
        QCOMPARE(past.workloads.size(), std::size_t(5));
        const savings::RightSizeWorkload &alone = named(past, "alone");
        QCOMPARE(alone.id, std::string("right-size:prod/ml/Notebook/alone"));
        QCOMPARE(past.gpus.at(static_cast<std::size_t>(alone.gpu)).model, std::string("A100 40GB"));
        QCOMPARE(past.gpus.at(static_cast<std::size_t>(alone.gpu)).capability, std::string("8.0"));
        QCOMPARE(alone.machine, std::string("p4d.24xlarge"));
        QCOMPARE(alone.machineGpus, 8);
        QCOMPARE(alone.heldGpus, 8);
        QCOMPARE(alone.usedGpus, 1);
        QCOMPARE(alone.podGpus, 1);
        QCOMPARE(alone.held.ticks, 8 * kDays * 24 * kHourTicks);
        QCOMPARE(alone.coarse.ticks, alone.held.ticks); // the scenario has GPU utilization alone
        QVERIFY(alone.tier == savings::WorkTier::Development && !alone.inference && !alone.spread);
        QCOMPARE(alone.loads.size(), std::size_t(1));
        QVERIFY((alone.loads.begin()->first == savings::RightSizeLoad{8192 / 64, 20}));
        QCOMPARE(alone.loads.begin()->second, kDays * 24 * kHourTicks);
        QCOMPARE(alone.hours.size(), std::size_t(kDays * 24));
        for (const savings::RightSizeHour &h : alone.hours) {
            QCOMPARE(h.machineSeconds, std::int64_t(3600));
            QCOMPARE(h.cost, kMachineNanos);
            QCOMPARE(h.base, h.cost);
        }
        QCOMPARE(alone.resources.size(), std::size_t(8));
        QCOMPARE(named(past, "three").podGpus, 3);
        QVERIFY(named(past, "three").tier == savings::WorkTier::Batch);
    }

    void moneyOfMachinesThatStayIsNotCounted()
    {
        const auto past = pastOf(fleetOf());
        const std::int64_t half = 4 * kDays * 24 * kHourTicks;
        for (const char *name : {"first", "second"}) {
            QVERIFY(named(past, name).hours.empty() && named(past, name).resources.empty());
            QCOMPARE(named(past, name).shared.ticks, half);
            QVERIFY(named(past, name).tier == savings::WorkTier::Production);
        }
        QVERIFY(named(past, "owned").hours.empty());
        QCOMPARE(named(past, "owned").sunk.ticks, 2 * half);
    }

    // GPUs that nobody claimed: free, busy outside the scheduler, with memory in use, or not observed.
    void aMachineThatIsUsedWithoutAClaimIsShared()
    {
        const auto sharedHours = [](int activity, std::uint32_t memoryMib) {
            Scenario fleet(1);
            const auto node = addMachine(fleet, "node-1");
            addPod(fleet, "alone", node, "Notebook", 0, 1, 1);
            const auto rest = fleet.device("GPU-node-1-1", 1);
            fleet.reports(rest, Scenario::kNone, node, 0, Scenario::kDaySeconds, activity);
            for (model::UsageBucket &bucket : fleet.batch.series.back().buckets)
                bucket.memoryMeanMib = bucket.memoryMaxMib = memoryMib;
            const auto past = pastOf(fleet);
            const savings::RightSizeWorkload &one = named(past, "alone");
            return std::pair(one.shared.ticks / kHourTicks, one.hours.size());
        };
        const std::pair<std::int64_t, std::size_t> none{0, 24}, all{24, 0};
        QCOMPARE(sharedHours(0, 3), none);
        QCOMPARE(sharedHours(4, 1023), none);
        QCOMPARE(sharedHours(0, model::kNoMemory), none);
        QCOMPARE(sharedHours(5, 3), all);
        QCOMPARE(sharedHours(0, 1024), all);
        QCOMPARE(sharedHours(-1, model::kNoMemory), all);
    }

    // An idle GPU of the machine has no price, so what the machine costs is not known.
    void aMachineWithAnUnpricedPartSavesNothing()
    {
        const auto pricedIf = [](bool isPriced) {
            Scenario fleet(1);
            const auto node = addMachine(fleet, "node-1");
            addPod(fleet, "alone", node, "Notebook", 0, 1, 1);
            const auto rest = fleet.device("GPU-node-1-1", 1);
            fleet.batch.devices[rest].model = "NVIDIA H100 80GB HBM3";
            fleet.reports(rest, Scenario::kNone, node, 0, Scenario::kDaySeconds, 0);
            auto settings = settingsOf();
            if (!isPriced) { // no exchange rate
                settings.prices.overrides.emplace_back().gpuModel = "NVIDIA H100 80GB HBM3";
                settings.prices.overrides.back().perGpuHour = "1";
                settings.prices.overrides.back().currency = base::Currency::parse("CHF").value();
            }
            return pastOf(fleet, settings);
        };
        const auto priced = pricedIf(true), unpriced = pricedIf(false);
        QCOMPARE(named(priced, "alone").unpriced.ticks, std::int64_t(0));
        QCOMPARE(named(priced, "alone").hours.size(), std::size_t(24));
        QCOMPARE(named(unpriced, "alone").unpriced.ticks, 24 * kHourTicks);
        QVERIFY(named(unpriced, "alone").hours.empty());
    }

    void aJobOnTwoMachinesIsSpread()
    {
        Scenario fleet(1);
        addPod(fleet, "train", addMachine(fleet, "node-1"), "PyTorchJob", 0, 8, 8);
        addPod(fleet, "other", addMachine(fleet, "node-2"), "PyTorchJob", 0, 8, 8);
        QVERIFY(!named(pastOf(fleet), "train").spread);
        for (auto &holder : fleet.batch.holders)
            holder.ownerName = "train";
        QVERIFY(named(pastOf(fleet), "train").training);
        QVERIFY(named(pastOf(fleet), "train").spread);
    }

    // 26 workloads share machines. Of these, 20 are listed, and the others count for slices; the costliest of them runs
    // in a series with a run that had a machine to itself.
    void whatNoListShowsIsLeftOut()
    {
        Scenario fleet = fleetOf();
        for (int i = 0; i < 12; ++i) {
            const auto node = addMachine(fleet, "pair-" + std::to_string(i));
            addPod(fleet, "left-" + std::to_string(i), node, i % 3 == 0 ? "Job" : "Deployment", 0, 1 + i % 4, 1);
            addPod(fleet, "right-" + std::to_string(i), node, "Deployment", 4, 2, i % 3);
        }
        addPod(fleet, "train-bbbbb", addMachine(fleet, "node-5"), "Job", 0, 8, 1);
        const auto pair = addMachine(fleet, "node-6");
        addPod(fleet, "train-ccccc", pair, "Job", 0, 1, 1);
        addPod(fleet, "beside", pair, "Deployment", 1, 1, 1);
        const auto whole = pastOf(fleet), brief = pastOf(fleet, settingsOf(), true);
        QCOMPARE(whole.workloads.size(), std::size_t(32));
        QVERIFY(whole.sliceWork.empty());
        QVERIFY(brief.workloads.size() < 28 && brief.workloads.size() >= 24);
        QCOMPARE(brief.sliceWork.size(), std::size_t(1));
        std::set<std::size_t> slices; // of the packing
        for (const int memory : {85, 15, 5}) {
            for (const int headroom : {20, 100, 600}) {
                savings::RightSizeRules rules;
                rules.mostMemoryPercent = memory;
                rules.headroom = {headroom, headroom};
                const auto all = savings::proposeRightSizes(whole, rules).value();
                const auto same = savings::proposeRightSizes(brief, rules).value();
                QCOMPARE(told(same), told(all));
                slices.insert(all.size());
            }
        }
        QVERIFY(slices.size() > 1);
        MemoryFacts facts;
        facts.add(fleet.batch);
        const auto spots = [&](const savings::RightSizePast &past) {
            return savings::proposeSpots(services::spotPast(past, facts, fleet.covered()).value(), {}).value();
        };
        QCOMPARE(told(spots(brief)), told(spots(whole)));
        const auto isTrain = [](const savings::Proposal &one) { return one.target == "ml/Job/train"; };
        const auto listed = spots(brief);
        QVERIFY(std::any_of(listed.begin(), listed.end(), isTrain));
    }

    void engineProposesFromTheCache()
    {
        const QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        const Scenario fleet = fleetOf();
        {
            const auto store = store::LedgerStore::open(folder).value();
            const auto ledger = ledger::Ledger::create(settingsOf()).value();
            QVERIFY(ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", fleet.batch));
        }
        const base::FrozenClock clock(fleet.covered().end);
        const FakeCatalog catalog;
        NoSecrets secrets;
        const auto engine =
            services::Engine::open(settingsOf(), {folder, "UTC", false, "alex"}, catalog, secrets, clock).value();
        const auto list = services::rightSizeReplay(*engine, {fleet.covered(), model::CostView::Effective}, {})
                              .value()
                              .proposals({}, {})
                              .value();
        tests::checked(list);
        const savings::Proposal &alone = named(list, "right-size:prod/ml/Notebook/alone");
        QVERIFY2(!alone.excludedBy, tests::said(alone.excludedBy).c_str());
        QVERIFY(
            says(alone, "proposed machine", "g6.xlarge (1 x L4)")); // the cheapest of AWS with compute capability 8.0
        QVERIFY(says(alone, "most GPUs in use at the same time", "1 of 8 held on a machine"));
        QCOMPARE(alone.avoidable->nanos(), kMachineNanos * 730);
        QCOMPARE(alone.perMonth->p50.nanos(), (kMachineNanos - 804'800'000) * 730);
        // Three GPUs that work together need NVLink, which no smaller machine of AWS has.
        const savings::Proposal &three = named(list, "right-size:prod/ml/Job/three");
        QVERIFY(tests::isExcludedBy(three, savings::RemarkText::NothingCheaper));
        QVERIFY(tests::isExcludedBy(named(list, "right-size:prod/ml/Deployment/first"),
                                    savings::RemarkText::OthersUseMachines));
        QVERIFY(
            tests::isExcludedBy(named(list, "right-size:prod/ml/Notebook/owned"), savings::RemarkText::MachinesSunk));
        std::stop_source source;
        source.request_stop();
        const auto stopped = services::rightSizeReplay(*engine, {fleet.covered(), {}}, source.get_token());
        QVERIFY(!stopped && stopped.error().code == base::ErrorCode::Cancelled);
    }
};

GPULEDGER_PLAIN_SUITE(TestRightSizeFacts)

} // namespace tst_rightsizefacts

#include "tst_rightsizefacts.moc"
