// SPDX-License-Identifier: GPL-3.0-or-later
// Runs, labels, prices and interruptions for spot proposals, read from the facts of a small fleet.
#include "app/services/savingsinputs/rightsizefacts.h"
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "resources/resources.h"
#include "tests/support/fakes/collected.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tst_spotfacts {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr int kDays = 21;
constexpr std::int64_t kEnd = kDays * Scenario::kDaySeconds;
constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kMachineNanos = 21'957'642'000; // p4d.24xlarge, us-east-1

std::uint32_t addMachine(Scenario &fleet, const std::string &name, const model::Labels &labels = {})
{
    const auto node = fleet.node(name, labels);
    fleet.batch.nodes[node].cloud = "aws";
    fleet.batch.nodes[node].region = "us-east-1";
    fleet.batch.nodes[node].instanceType = "p4d.24xlarge";
    return node;
}

// A pod of a controller that has all GPUs of a machine in [from, to).
std::uint32_t addPod(Scenario &fleet, const std::string &name, std::uint32_t node, const std::string &kind,
                     const std::string &owner, std::int64_t from, std::int64_t to)
{
    const std::string machine = fleet.batch.nodes[node].name;
    const auto label = fleet.label(name, "uid-" + name);
    const auto pod = fleet.pod(name, "uid-" + name, machine, 8);
    fleet.batch.holders[pod].ownerKind = kind;
    fleet.batch.holders[pod].ownerName = owner;
    fleet.runs(pod, from, to);
    for (int i = 0; i < 8; ++i)
        fleet.reports(fleet.device("GPU-" + machine + "-" + std::to_string(i), i), label, node, from, to, 60);
    return pod;
}

struct Read {
    savings::RightSizePast sized;
    savings::SpotPast past;
    std::map<services::SpotKey, services::SeenSpot> seen;
};

const ledger::GpuCatalog &catalog()
{
    static const auto kCatalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
    return kCatalog;
}

const ledger::PriceBook &prices()
{
    static const auto kPrices =
        ledger::PriceBook::create({}, base::Currency::usd(), resources::find("prices/instances.csv").value(), catalog())
            .value();
    return kPrices;
}

Read readOf(const Scenario &fleet, const std::set<base::NodeId> &billed = {}, bool recentOnly = false)
{
    const auto ledger = ledger::Ledger::create({}).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    Read out;
    const auto collector =
        services::rightSizeCollector(*reader,
                                     {fleet.covered(), base::Currency::usd(), model::toShare(0.05), billed, recentOnly},
                                     catalog(), prices(),
                                     [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
                                         return ledger->costTerms(facts, devices, at);
                                     },
                                     {})
            .value();
    collectAll(*collector, *reader);
    out.sized = collector->take().value();
    out.past = services::spotPast(out.sized, facts, fleet.covered()).value();
    out.seen = services::spotSeen(facts, fleet.covered(), billed).value();
    return out;
}

const savings::SpotCandidate &named(const savings::SpotPast &past, const std::string &target)
{
    const auto at = std::find_if(past.candidates.begin(), past.candidates.end(),
                                 [&](const auto &one) { return one.target == target; });
    if (at == past.candidates.end())
        qFatal("no candidate %s", target.c_str());
    return *at;
}

// Runs of one series for three weeks, one of which comes back on another machine; two workloads that ended, and one
// that goes on.
Scenario seriesOf()
{
    Scenario fleet(kDays);
    const auto first = addMachine(fleet, "node-1"), second = addMachine(fleet, "node-2");
    const auto other = addMachine(fleet, "node-3", {{"karpenter_sh_capacity_type", "spot"}});
    fleet.batch.nodes[other].instanceType = "p4de.24xlarge";
    const auto run = [&](const std::string &name, std::uint32_t node, const std::string &kind, int day, int hours) {
        addPod(fleet, name + "-" + std::to_string(day), node, kind, name, day * Scenario::kDaySeconds,
               day * Scenario::kDaySeconds + hours * kHour);
    };
    run("train-bbbbb", first, "Job", 0, 10);
    run("train-ccccc", first, "Job", 1, 11);
    run("train-ddddd", second, "Job", 1, 12);
    run("train-fffff", first, "Job", 2, 30);
    run("train-ggggg", second, "Job", 3, 5);
    run("train-ccccc", other, "Job", 5, 6);
    run("train-hhhhh", first, "Job", 6, 4);
    run("over-bbbbb", first, "Job", 8, 4);
    run("gone", second, "Deployment", 6, 40);
    run("train-jjjjj", first, "Job", 16, 8);
    run("train-kkkkk", other, "Job", 17, 8);
    run("stays", second, "Deployment", 10, 200);
    return fleet;
}

const services::SpotKey kP4d{"aws", "us-east-1", "p4d.24xlarge"};

// Spot nodes of a day each, of which all but the last one, which goes on, are gone while something runs on them, unless
// `empties` ends the work an hour before.
Scenario vanishing(int count, bool empties)
{
    Scenario fleet(kDays);
    const auto stays = addMachine(fleet, "stays", {{"karpenter_sh_capacity_type", "spot"}});
    addPod(fleet, "stays-0", stays, "Job", "stays", 0, kEnd);
    for (int i = 0; i < count; ++i) {
        const std::string name = "gone-" + std::to_string(i);
        const auto node = addMachine(fleet, name, {{"karpenter_sh_capacity_type", "spot"}});
        fleet.batch.nodeSpans.back().range.end = fleet.at(Scenario::kDaySeconds);
        addPod(fleet, name, node, "Job", "train-" + std::to_string(i), 0,
               Scenario::kDaySeconds - (empties ? kHour : 0));
    }
    return fleet;
}

} // namespace

class TestSpotFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void generatedEndsAreNoNames()
    {
        QCOMPARE(services::spotSeries("Job", "train-x7k2p"), std::string("train"));
        QCOMPARE(services::spotSeries("PyTorchJob", "long-context-gtjj9"), std::string("long-context"));
        QCOMPARE(services::spotSeries("Job", "train-large"), std::string("train-large")); // vowels are not generated
        QCOMPARE(services::spotSeries("Job", "train-x7k2"), std::string("train-x7k2"));
        QCOMPARE(services::spotSeries("CronJob", "train-x7k2p"), std::string("train-x7k2p"));
        QCOMPARE(services::spotSeries("StatefulSet", "train-x7k2p"), std::string("train-x7k2p"));
        QCOMPARE(services::spotSeries("", "-x7k2p"), std::string("-x7k2p"));
        QCOMPARE(services::spotSeries("Job", "-x7k2p"), std::string("-x7k2p"));
    }

    void aDeadlineIsADurationOrATime()
    {
        const auto stated = [](const char *deadline) {
            Scenario fleet(kDays);
            const auto node = addMachine(fleet, "node-1");
            const auto pod = addPod(fleet, "a", node, "Job", "train-bbbbb", 0, 10 * kHour);
            fleet.batch.holders[pod].labels = {{services::kDeadlineLabel, deadline}};
            return named(readOf(fleet).past, "ml/Job/train");
        };
        const auto time = stated("2026-12-01T08:00:00Z"), length = stated("48h"),
                   wrong = stated("2026-13-01T08:00:00Z");
        QCOMPARE(base::toRfc3339(time.deadlineAt.value()), std::string("2026-12-01T08:00:00Z"));
        QVERIFY(!time.deadline && time.misread.empty());
        QCOMPARE(length.deadline, std::optional<std::int64_t>(48 * kHour));
        QVERIFY(!length.deadlineAt && !wrong.deadlineAt && !wrong.deadline);
        QVERIFY(wrong.misread.contains("gpu-ledger.io/deadline"));
        QVERIFY(time.runs.size() == 1 && time.runs.front().start.time_since_epoch().count() > 0);
    }

    void runsAreThoseOfTheirPods()
    {
        Scenario fleet(kDays);
        const auto node = addMachine(fleet, "node-1");
        // Two jobs of one series; the second was restarted after ten minutes, and by a new job after two hours.
        addPod(fleet, "a", node, "Job", "train-bbbbb", 0, 10 * kHour);
        addPod(fleet, "b", node, "Job", "train-ccccc", 20 * kHour, 24 * kHour);
        addPod(fleet, "c", node, "Job", "train-ccccc", 24 * kHour + 600, 30 * kHour);
        const auto last = addPod(fleet, "d", node, "Job", "train-ccccc", 32 * kHour, 33 * kHour);
        fleet.batch.holders[last].labels = {{services::kCheckpointLabel, "30m"},
                                            {services::kDeadlineLabel, "soon"},
                                            {services::kInterruptibleLabel, "false"}};
        const auto read = readOf(fleet);
        const savings::SpotCandidate &one = named(read.past, "ml/Job/train");
        QCOMPARE(read.past.candidates.size(), std::size_t(1));
        QCOMPARE(one.id, std::string("spot:prod/ml/Job/train"));
        std::vector<std::int64_t> lengths;
        for (const savings::SpotPastRun &run : one.runs) {
            lengths.push_back(run.seconds);
            QCOMPARE(run.machines, 1);
        }
        std::sort(lengths.begin(), lengths.end());
        QCOMPARE(lengths, (std::vector<std::int64_t>{kHour, 10 * kHour, 10 * kHour}));
        QCOMPARE(one.restarts, 1);
        QVERIFY(one.batch && !one.inference && one.work != model::WorkloadKind::Inference);
        QCOMPARE(one.checkpointEvery, std::optional<std::int64_t>(1800));
        QCOMPARE(one.deadline, std::optional<std::int64_t>());
        QCOMPARE(one.misread, (std::map<std::string, std::string>{{"gpu-ledger.io/deadline", "soon"}}));
        QCOMPARE(one.interruptible, savings::SpotAnswer::No);
        // 10, 10 and 1 h, without the hour of the restart, in part of which its GPUs were free and not observed.
        QCOMPARE(one.ownSeconds, 20 * kHour);
        QCOMPARE(one.ownBase, one.ownCost);
        QVERIFY(std::abs(static_cast<double>(one.ownCost) - static_cast<double>(one.ownSeconds) / kHour * kMachineNanos)
                < 1e6);
        QCOMPARE(one.resources.size(), std::size_t(8));
    }

    void runsThatGoOnAreNotTakenAsEnded()
    {
        const auto lengths = [](bool ended, std::int64_t from, bool completed) {
            Scenario fleet(kDays);
            const auto node = addMachine(fleet, "node-1");
            if (ended)
                addPod(fleet, "a", node, "Job", "train-bbbbb", 0, 10 * kHour);
            const auto last = addPod(fleet, "b", node, "Job", "train-ccccc", from, kEnd);
            if (completed)
                fleet.batch.holders[last].completedAt = fleet.at(kEnd);
            const auto &past = readOf(fleet).past;
            const savings::SpotCandidate &one = named(past, "ml/Job/train");
            std::vector<std::int64_t> out{one.unfinished};
            for (const savings::SpotPastRun &run : one.runs)
                out.push_back(run.seconds);
            return out;
        };
        using Lengths = std::vector<std::int64_t>;
        QCOMPARE(lengths(true, kEnd - 2 * kHour, false), (Lengths{1, 10 * kHour, 10 * kHour}));
        QCOMPARE(lengths(true, kEnd - 20 * kHour, false), (Lengths{1, 10 * kHour, 20 * kHour}));
        QCOMPARE(lengths(true, kEnd - 2 * kHour, true), (Lengths{0, 10 * kHour, 2 * kHour}));
        QCOMPARE(lengths(false, kEnd - 2 * kHour, false), (Lengths{1}));
    }

    void runsThatBeganBeforeTheDataAreNotTakenAsWhole()
    {
        // Two runs; the first begins `from` seconds after the data, and nothing was seen of it before.
        const auto lengths = [](std::int64_t from, std::optional<std::int64_t> startedAt, bool another = true) {
            Scenario fleet(kDays);
            const auto node = addMachine(fleet, "node-1");
            const auto pod = addPod(fleet, "a", node, "Job", "train-bbbbb", from, from + 5 * kHour);
            if (another)
                addPod(fleet, "b", node, "Job", "train-ccccc", kEnd - 9 * kHour, kEnd - kHour);
            fleet.batch.holders[pod].startedAt = startedAt ? std::optional(fleet.at(*startedAt)) : std::nullopt;
            const auto &past = readOf(fleet).past;
            const savings::SpotCandidate &one = named(past, "ml/Job/train");
            std::vector<std::int64_t> out{one.begunEarlier};
            for (const savings::SpotPastRun &run : one.runs)
                out.push_back(run.seconds);
            std::sort(out.begin() + 1, out.end());
            return out;
        };
        using Lengths = std::vector<std::int64_t>;
        QCOMPARE(lengths(0, -20 * kHour), (Lengths{0, 8 * kHour, 25 * kHour}));
        QCOMPARE(lengths(40 * kHour, 36 * kHour), (Lengths{0, 8 * kHour, 9 * kHour}));
        QCOMPARE(lengths(40 * kHour, 40 * kHour - 600), (Lengths{0, 5 * kHour, 8 * kHour})); // it was being set up
        QCOMPARE(lengths(0, std::nullopt), (Lengths{1, 8 * kHour, 8 * kHour}));
        QCOMPARE(lengths(0, std::nullopt, false), (Lengths{1}));
        QCOMPARE(lengths(kHour, std::nullopt), (Lengths{0, 5 * kHour, 8 * kHour}));
        QCOMPARE(lengths(0, -400 * Scenario::kDaySeconds), (Lengths{1, 8 * kHour, 8 * kHour})); // not believed
    }

    void machinesOfOneRunAreCounted()
    {
        Scenario fleet(kDays);
        const auto first = addMachine(fleet, "node-1"), second = addMachine(fleet, "node-2");
        addPod(fleet, "w0", first, "PyTorchJob", "big-bbbbb", 0, 10 * kHour);
        addPod(fleet, "w1", second, "PyTorchJob", "big-bbbbb", 0, 10 * kHour);
        addPod(fleet, "n0", first, "CronJob", "nightly", 20 * kHour, 21 * kHour);
        addPod(fleet, "n1", second, "CronJob", "nightly", 20 * kHour, 22 * kHour);
        const auto read = readOf(fleet);
        const auto &big = named(read.past, "ml/PyTorchJob/big");
        QCOMPARE(big.runs.size(), std::size_t(1));
        QCOMPARE(big.runs.front().machines, 2);
        QCOMPARE(named(read.past, "ml/CronJob/nightly").runs.size(), std::size_t(2));
    }

    // By a sweep over the spans: thousands of pods one after the other, of which at most two are there at a time.
    void machinesOfManySpansAreCounted()
    {
        Scenario fleet(kDays);
        addPod(fleet, "first", addMachine(fleet, "node-0"), "Job", "many", 0, 10 * kHour);
        int pods = 0;
        const auto pod = [&](const std::string &node, std::int64_t from, std::int64_t to) {
            const std::string name = "p" + std::to_string(pods++);
            const auto one = fleet.pod(name, "uid-" + name, node, 1);
            fleet.batch.holders[one].ownerKind = "Job";
            fleet.batch.holders[one].ownerName = "many";
            fleet.runs(one, from, to);
        };
        for (int i = 0; i < 5'000; ++i)
            pod("node-1", i, i + 1 + i % 2);
        pod("node-2", 5 * kHour, 6 * kHour);
        pod("node-2", 5 * kHour, 5 * kHour + 60);
        pod("node-3", 6 * kHour, 7 * kHour); // when the first one on node-2 ends
        pod("node-2", 6 * kHour + 60, 7 * kHour);
        const auto read = readOf(fleet);
        QCOMPARE(named(read.past, "ml/Job/many").runs.size(), std::size_t(1));
        QCOMPARE(named(read.past, "ml/Job/many").runs.front().machines, 3);
        std::stop_source stop;
        stop.request_stop();
        MemoryFacts facts;
        facts.add(fleet.batch);
        QVERIFY(services::spotPast(read.sized, facts, fleet.covered(), stop.get_token()).error().code
                == base::ErrorCode::Cancelled);
    }

    void spotTimeIsNoOnDemandTime()
    {
        Scenario fleet(kDays);
        addPod(fleet, "a", addMachine(fleet, "node-1"), "Job", "train-bbbbb", 0, 10 * kHour);
        addPod(fleet, "b", addMachine(fleet, "node-2", {{"eks_amazonaws_com_capacityType", "SPOT"}}), "Job",
               "train-ccccc", 0, 10 * kHour);
        const auto read = readOf(fleet);
        const auto &one = named(read.past, "ml/Job/train");
        QCOMPARE(one.spot.ticks * 2, one.held.ticks);
        QVERIFY(one.ownSeconds >= 10 * kHour && one.ownSeconds <= 11 * kHour);
        // The bills know it where labels do not.
        MemoryFacts facts;
        facts.add(fleet.batch);
        std::set<base::NodeId> billed;
        const auto nodes = facts.nodes().value();
        for (const model::Node &node : nodes)
            billed.insert(node.id);
        const auto all = readOf(fleet, billed);
        QCOMPARE(named(all.past, "ml/Job/train").spot.ticks, one.held.ticks);
        QCOMPARE(named(all.past, "ml/Job/train").ownSeconds, std::int64_t(0));
    }

    // What only had spot machines is always excluded, and a list has 20 excluded ones.
    void onlyTheCostliestOfThoseThatAreExcludedAnyway()
    {
        constexpr int kPods = 23, kListed = 20;
        Scenario fleet(kDays);
        const auto node = addMachine(fleet, "node-1");
        const auto spot = addMachine(fleet, "node-2", {{"karpenter_sh_capacity_type", "spot"}});
        std::int64_t at = 15 * Scenario::kDaySeconds;
        addPod(fleet, "own", node, "Deployment", "own", at, at + kHour);
        for (int i = 1; i <= kPods; ++i) {
            const std::string name = "spot-" + std::to_string(i);
            const std::int64_t end = at + i * kHour / 4;
            addPod(fleet, name, spot, "Deployment", name, at, end);
            at = end + kHour / 4;
        }
        const auto past = readOf(fleet).past;
        QCOMPARE(past.candidates.size(), std::size_t{kListed + 1});
        QVERIFY(named(past, "ml/Deployment/own").ownSeconds > 0);
        for (int i = 1; i <= kPods; ++i) {
            const std::string target = "ml/Deployment/spot-" + std::to_string(i);
            const auto found = std::find_if(past.candidates.begin(), past.candidates.end(),
                                            [&](const auto &one) { return one.target == target; });
            QCOMPARE(found != past.candidates.end(), i > kPods - kListed);
            if (found != past.candidates.end())
                QCOMPARE(found->runs.size(), std::size_t{1});
        }
    }

    void sumsOfEarlierWorkloadsGiveTheSame()
    {
        const Scenario fleet = seriesOf();
        const auto whole = readOf(fleet), brief = readOf(fleet, {}, true);
        QCOMPARE(whole.sized.workloads.size(), std::size_t(11));
        QVERIFY(whole.sized.earlier.empty() && whole.sized.earlierNames.empty());
        // The first run of the series, the two of the last week and what stays; the rest of the series is in sums.
        QCOMPARE(brief.sized.earlierNames.size(), std::size_t(5));
        QCOMPARE(brief.sized.workloads.size(), std::size_t(4));
        std::size_t compared = 0;
        for (const savings::SpotCandidate &one : whole.past.candidates) {
            if (one.lastHour < whole.past.hours - 168)
                continue;
            ++compared;
            const savings::SpotCandidate &other = named(brief.past, one.target);
            QCOMPARE(std::tie(other.id, other.owner, other.batch, other.inference, other.severalMarkets),
                     std::tie(one.id, one.owner, one.batch, one.inference, one.severalMarkets));
            for (const auto time :
                 {&savings::SpotCandidate::held, &savings::SpotCandidate::sunk, &savings::SpotCandidate::shared,
                  &savings::SpotCandidate::unknown, &savings::SpotCandidate::unpriced, &savings::SpotCandidate::spot})
                QCOMPARE((other.*time).ticks, (one.*time).ticks);
            QCOMPARE(std::tie(other.cost, other.ownSeconds, other.ownCost, other.ownBase),
                     std::tie(one.cost, one.ownSeconds, one.ownCost, one.ownBase));
            QCOMPARE(std::tie(other.firstHour, other.lastHour, other.restarts, other.resources),
                     std::tie(one.firstHour, one.lastHour, one.restarts, one.resources));
            QCOMPARE(other.runs.size(), one.runs.size());
            for (std::size_t i = 0; i < one.runs.size(); ++i)
                QCOMPARE(other.runs[i].seconds, one.runs[i].seconds);
            QCOMPARE(other.market < 0, one.market < 0);
        }
        QCOMPARE(compared, std::size_t(2));
        QVERIFY(named(whole.past, "ml/Job/train").runs.size() > 8);
        QVERIFY(named(whole.past, "ml/Job/train").severalMarkets);
        const auto offers = savings::proposeRightSizes(whole.sized).value();
        const auto same = savings::proposeRightSizes(brief.sized).value();
        QCOMPARE(same.size(), offers.size());
        QVERIFY(!offers.empty());
        for (std::size_t i = 0; i < offers.size(); ++i) {
            QCOMPARE(same[i].id, offers[i].id);
            QVERIFY(same[i].resources == offers[i].resources && same[i].avoidable == offers[i].avoidable);
            QCOMPARE(same[i].evidence.size(), offers[i].evidence.size());
            QVERIFY(same[i].excludedBy.has_value() == offers[i].excludedBy.has_value());
            if (same[i].perMonth && offers[i].perMonth)
                QVERIFY(same[i].perMonth->p50 == offers[i].perMonth->p50);
        }
    }

    void vanishedNodesGiveARate()
    {
        const auto few = readOf(vanishing(4, false)).seen.at(kP4d);
        QCOMPARE(few.vanished, 4);
        QVERIFY(!few.perHour());
        const auto enough = readOf(vanishing(6, false)).seen.at(kP4d);
        QCOMPARE(enough.vanished, 6);
        QCOMPARE(enough.present, base::Seconds{(kDays + 6) * Scenario::kDaySeconds});
        QVERIFY(std::abs(*enough.perHour() - 6.0 / ((kDays + 6) * 24)) < 1e-12);
        QCOMPARE(readOf(vanishing(6, true)).seen.at(kP4d).vanished, 0); // what a scaler removes is empty
    }

    // In a managed group a new machine takes the name of the one that was taken away.
    void nodesThatReturnWereTakenAway()
    {
        const auto back = [](bool empties, bool allGone) {
            Scenario fleet(kDays);
            const model::Labels spot{{"karpenter_sh_capacity_type", "spot"}};
            const auto stays = addMachine(fleet, "stays", spot);
            const auto node = addMachine(fleet, "back", spot);
            const auto record = fleet.batch.nodeSpans.back();
            fleet.batch.nodeSpans.pop_back();
            for (int day = 0; day < 6; ++day) {
                const std::int64_t from = day * Scenario::kDaySeconds, to = from + Scenario::kDaySeconds - 600;
                auto span = record;
                span.range = {fleet.at(from), fleet.at(day == 5 ? kEnd : to)};
                fleet.batch.nodeSpans.push_back(span);
                addPod(fleet, "w" + std::to_string(day), node, "Job", "train", from, empties ? to - kHour : to);
            }
            if (allGone) // the telemetry was away
                fleet.batch.nodeSpans.front().range.end = fleet.at(Scenario::kDaySeconds - 600);
            addPod(fleet, "stays-0", stays, "Job", "stays", 0, allGone ? kHour : kEnd);
            return readOf(fleet).seen.at(kP4d).vanished;
        };
        QCOMPARE(back(false, false), 5);
        QCOMPARE(back(true, false), 0);
        QCOMPARE(back(false, true), 0);
    }

    void completedWorkWasNotInterrupted()
    {
        Scenario fleet = vanishing(6, false);
        for (model::Holder &holder : fleet.batch.holders) {
            if (holder.name == "gone-0" || holder.name == "gone-1")
                holder.completedAt = fleet.at(Scenario::kDaySeconds - (holder.name == "gone-0" ? 300 : 10));
        }
        QCOMPARE(readOf(fleet).seen.at(kP4d).vanished, 5); // the second one ended with its node
    }

    // Pods of a spot machine that stays say that they were interrupted.
    void interruptedPodsCount()
    {
        using enum model::EndReason;
        using Reason = std::optional<model::EndReason>;
        const auto seenWith = [](Reason reason, bool spot, std::int64_t apart) {
            Scenario fleet(kDays);
            const auto node = addMachine(fleet, "stays", {{"karpenter_sh_capacity_type", spot ? "spot" : "on-demand"}});
            const auto other = addMachine(fleet, "other", {{"karpenter_sh_capacity_type", "spot"}});
            addPod(fleet, "other-0", other, "Job", "other", 0, kEnd);
            std::int64_t end = kHour;
            for (int i = 0; i < 6; ++i, end += apart) {
                const std::string name = "cut-" + std::to_string(i);
                const auto pod = fleet.pod(name, "uid-" + name, "stays", 1);
                fleet.runs(pod, 0, end);
                fleet.batch.holders[pod].endReason = reason;
                fleet.batch.holders[pod].completedAt = fleet.at(end);
            }
            const auto on = fleet.pod("on", "uid-on", fleet.batch.nodes[node].name, 1); // stated, but it goes on
            fleet.runs(on, 0, kEnd);
            fleet.batch.holders[on].endReason = reason;
            return readOf(fleet).seen.at(kP4d);
        };
        for (const Reason reason : {NodeShutdown, NodeLost, NodeGone}) {
            const services::SeenSpot apart = seenWith(reason, true, 2 * kHour);
            QCOMPARE(apart.podsEnded, 6);
            QCOMPARE(apart.vanished, 0);
            QVERIFY(std::abs(*apart.perHour() - 6.0 / (2 * kDays * 24)) < 1e-12);
            QCOMPARE(seenWith(reason, true, 60).podsEnded, 1); // together
            QCOMPARE(seenWith(reason, false, 2 * kHour).podsEnded, 0); // not on a spot machine
        }
        for (const Reason reason : {Reason(), Reason(Preempted), Reason(EvictedByApi), Reason(EvictedByTaint),
                                    Reason(Evicted), Reason(EndedByKubelet), Reason(Rejected)}) {
            const services::SeenSpot seen = seenWith(reason, true, 2 * kHour);
            QCOMPARE(seen.podsEnded, 0);
            QVERIFY(!seen.perHour());
        }
    }

    void aPodAndItsMachineAreOneInterruption()
    {
        Scenario fleet = vanishing(6, false);
        for (model::Holder &holder : fleet.batch.holders) {
            if (holder.name.starts_with("gone-"))
                holder.endReason = model::EndReason::NodeShutdown;
            if (holder.name == "gone-0") // completed before its machine ended, but the reason says why
                holder.completedAt = fleet.at(Scenario::kDaySeconds - 300);
        }
        const services::SeenSpot seen = readOf(fleet).seen.at(kP4d);
        QCOMPARE(seen.vanished, 6);
        QCOMPARE(seen.podsEnded, 0);
        const auto pod = fleet.pod("earlier", "uid-earlier", "gone-1", 1);
        fleet.runs(pod, 0, kHour);
        fleet.batch.holders[pod].endReason = model::EndReason::NodeLost;
        const services::SeenSpot more = readOf(fleet).seen.at(kP4d);
        QCOMPARE(more.vanished, 6);
        QCOMPARE(more.podsEnded, 1);
        QCOMPARE(more.times(), 7);
        // A pod that is still listed long after its machine is gone.
        const auto late = fleet.pod("late", "uid-late", "gone-2", 1);
        fleet.runs(late, 0, Scenario::kDaySeconds + 2 * kHour);
        fleet.batch.holders[late].endReason = model::EndReason::NodeGone;
        QCOMPARE(readOf(fleet).seen.at(kP4d).times(), 7);
    }

    void publishedFiguresAreTheLastResort()
    {
        Scenario fleet(kDays);
        addPod(fleet, "a", addMachine(fleet, "node-1"), "Job", "train-bbbbb", 0, 10 * kHour);
        auto read = readOf(fleet);
        QCOMPARE(read.past.markets.size(), std::size_t(1));
        const std::vector<savings::PublishedSpot> published{
            {"aws", "p4d.24xlarge", "us-east-1", "10-15%", 0.125, 67, base::dayOf(fleet.at(0)), "list"}};
        const std::vector<ledger::NodeDay> nodes;
        const services::BilledCommitments bills(prices(), nodes);
        const base::UtcTime at = fleet.covered().end;
        QVERIFY(services::setSpotMarkets(read.past, {bills, published, {}, prices(), prices(), at}));
        const savings::SpotMarket &market = read.past.markets.front();
        QVERIFY(market.price && market.price->published);
        QCOMPARE(market.price->perHour.front().nanosPerHour(), kMachineNanos * 33 / 100);
        QCOMPARE(market.interruptions.basis, savings::SpotBasis::Published);
        QCOMPARE(market.interruptions.perHour, savings::hourlySpotRate(0.125));
        const std::map<services::SpotKey, services::SeenSpot> seen{{kP4d, {base::Seconds{100 * kHour}, 10}}};
        QVERIFY(services::setSpotMarkets(read.past, {bills, published, seen, prices(), prices(), at}));
        QCOMPARE(market.interruptions.basis, savings::SpotBasis::Telemetry);
        QCOMPARE(market.interruptions.perHour, 0.1);
        QCOMPARE(market.interruptions.events, 10);
        QCOMPARE(market.interruptions.podEvents, 0);
        const std::map<services::SpotKey, services::SeenSpot> both{{kP4d, {base::Seconds{100 * kHour}, 3, 7}}};
        QVERIFY(services::setSpotMarkets(read.past, {bills, published, both, prices(), prices(), at}));
        QCOMPARE(market.interruptions.perHour, 0.1);
        QCOMPARE(market.interruptions.events, 10);
        QCOMPARE(market.interruptions.podEvents, 7);
        // Nothing says anything: unknown.
        read.past.markets.front().interruptions = {};
        QVERIFY(services::setSpotMarkets(read.past, {bills, {}, {}, prices(), prices(), at}));
        QVERIFY(!market.price);
        QCOMPARE(market.interruptions.basis, savings::SpotBasis::None);
    }

    // A discount is one to the public price, in whichever region the list has it.
    void publishedDiscountsAreForListPrices()
    {
        model::PriceOverride half;
        half.instanceType = "p4d.24xlarge";
        half.perHour = "10";
        const auto cheap = ledger::PriceBook::create({{}, {half}, {}, {}, {}}, base::Currency::usd(),
                                                     resources::find("prices/instances.csv").value(), catalog())
                               .value();
        const base::UtcTime at = Scenario(1).at(0);
        QVERIFY(cheap.offers("aws", "us-east-1", {}, at).size() > 1);
        const std::vector<ledger::NodeDay> nodes;
        const services::BilledCommitments bills(prices(), nodes);
        for (const std::string region : {"us-east-1", "us-west-2"}) {
            savings::SpotPast past;
            past.markets.push_back({"aws", region, "p4d.24xlarge", std::nullopt, {}});
            const std::vector<savings::PublishedSpot> published{
                {"aws", "p4d.24xlarge", region, "10-15%", 0.125, 67, base::dayOf(at), "list"}};
            QVERIFY(services::setSpotMarkets(past, {bills, published, {}, cheap, prices(), at}));
            const auto &price = past.markets.front().price;
            QVERIFY(price.has_value());
            QCOMPARE(price->perHour.front().nanosPerHour(), kMachineNanos * 33 / 100);
            QCOMPARE(price->otherRegion, region != "us-east-1");
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotFacts)

} // namespace tst_spotfacts

#include "tst_spotfacts.moc"
