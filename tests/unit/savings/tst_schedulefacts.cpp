// SPDX-License-Identifier: GPL-3.0-or-later
// What can be scheduled, read from the facts of a small fleet: by the reader alone, and through a cache.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savingsinputs/schedule/schedulefacts.h"
#include "tests/support/fakes/collected.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

namespace tst_schedulefacts {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr int kDays = 21;
constexpr std::int64_t kEnd = kDays * Scenario::kDaySeconds;
constexpr std::int64_t kHourNanos = 3'600'000'000; // pricedSettings()
constexpr std::int64_t kOffPerWeek = 5 * 11 + 2 * 24;

// A pod on a device of its own, until a day and from another, that is busy on weekdays from 09:00 to 17:00 UTC, or all
// the time.
void addPod(Scenario &fleet, const std::string &name, std::uint32_t node, const std::string &kind, bool always = false,
            int until = kDays, int again = kDays)
{
    const std::string uid = "uid-" + name;
    const auto device = fleet.device("GPU-" + name);
    const auto label = fleet.label(name + "-0", uid);
    const auto pod = fleet.pod(name + "-0", uid, fleet.batch.nodes[node].name);
    fleet.batch.holders[pod].ownerKind = kind;
    fleet.batch.holders[pod].ownerName = name;
    fleet.runs(pod, 0, until * Scenario::kDaySeconds);
    if (again < kDays)
        fleet.runs(pod, again * Scenario::kDaySeconds, kEnd);
    for (int day = 0; day < kDays; ++day) {
        if (day >= until && day < again)
            continue;
        const std::int64_t start = day * Scenario::kDaySeconds, from = start + 9 * 3600, to = start + 17 * 3600;
        const bool works = always || day % 7 < 5; // the scenario begins on a Monday
        fleet.reports(device, label, node, start, from, always ? 90 : 0);
        fleet.reports(device, label, node, from, to, works ? 90 : 0);
        fleet.reports(device, label, node, to, start + Scenario::kDaySeconds, always ? 90 : 0);
    }
}

// "alone" has a machine; "mixed" shares one with training; "first" and "second" share one; "owned" is on own hardware.
Scenario fleetOf()
{
    Scenario fleet(kDays);
    addPod(fleet, "alone", fleet.node("node-1"), "Notebook");
    const auto mixed = fleet.node("node-2");
    addPod(fleet, "mixed", mixed, "StatefulSet");
    addPod(fleet, "train", mixed, "Job", true);
    const auto pair = fleet.node("node-3");
    addPod(fleet, "first", pair, "Notebook");
    addPod(fleet, "second", pair, "Notebook");
    addPod(fleet, "owned", fleet.node("node-4", {{"on_premises", "true"}}), "Notebook");
    return fleet;
}

model::Settings settingsOf()
{
    model::Settings settings = pricedSettings();
    settings.prices.owned.emplace_back().nodeLabels = {{"on_premises", "true"}};
    settings.prices.owned.back().price = "10000";
    return settings;
}

savings::SchedulePast pastOf(const Scenario &fleet, bool recentOnly = false)
{
    const auto ledger = ledger::Ledger::create(settingsOf()).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    const services::ScheduleQuestion question{
        savings::scheduleRange(fleet.covered(), {}), {}, base::Currency::usd(), {}, recentOnly};
    const auto collector =
        services::scheduleCollector(reader->facts(), question,
                                    [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
                                        return ledger->costTerms(facts, devices, at);
                                    })
            .value();
    if (services::DayCollector *const recent = collector->recent())
        collectAll(*recent, *reader);
    collectAll(*collector, *reader);
    return collector->take().value();
}

const savings::ScheduleWorkload &named(const savings::SchedulePast &past, const std::string &name)
{
    return *std::find_if(past.workloads.begin(), past.workloads.end(),
                         [&](const auto &one) { return one.controllerName == name; });
}

const savings::Proposal &named(const std::vector<savings::Proposal> &list, const std::string &id)
{
    return *std::find_if(list.begin(), list.end(), [&](const auto &one) { return one.id == id; });
}

model::AttributedHolder holder(model::WorkloadKind kind, const std::string &environment, const std::string &nameSpace)
{
    model::AttributedHolder who;
    who.kind = kind;
    who.environment = environment;
    who.nameSpace = nameSpace;
    return who;
}

} // namespace

class TestScheduleFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kindOrNameSaysWhatCanBeScheduled()
    {
        using Kind = model::WorkloadKind;
        const auto as = [](Kind kind, const char *environment, const char *nameSpace) {
            return tests::said(services::schedulableAs(holder(kind, environment, nameSpace)));
        };
        QCOMPARE(as(Kind::Notebook, "", "ml"), std::string("notebook"));
        QCOMPARE(as(Kind::Development, "prod", "ml"), std::string("development"));
        QCOMPARE(as(Kind::Inference, "Staging", "ml"), std::string("environment Staging"));
        QCOMPARE(as(Kind::Unknown, "", "vision-dev"), std::string("namespace vision-dev"));
        QCOMPARE(as(Kind::Training, "dev", "dev"), std::string());
        QCOMPARE(as(Kind::Batch, "dev", "dev"), std::string());
        QCOMPARE(as(Kind::Inference, "", "devices"), std::string());
        QCOMPARE(as(Kind::Inference, "", "prod-test"), std::string());
        model::AttributedHolder job = holder(Kind::Notebook, "", "");
        job.what = model::SubjectKind::SlurmJob;
        QVERIFY(!services::schedulableAs(job));
    }

    void hoursAndCostAreThoseOfTheFacts()
    {
        const auto past = pastOf(fleetOf());
        QCOMPARE(past.hours, kDays * 24);
        QCOMPARE(past.workloads.size(), std::size_t(5)); // without training
        const savings::ScheduleWorkload &alone = named(past, "alone");
        QCOMPARE(alone.id, std::string("schedule:prod/ml/Notebook/alone"));
        QCOMPARE(alone.cluster, std::string("prod"));
        QCOMPARE(alone.hours.size(), std::size_t(kDays * 24));
        for (const savings::ScheduleHour &h : alone.hours) {
            const bool works = h.hour / 24 % 7 < 5 && h.hour % 24 >= 9 && h.hour % 24 < 17;
            QCOMPARE(h.cost, kHourNanos);
            QCOMPARE(h.held.ticks, base::GpuTime::wholeDevice(base::Seconds{3600}).ticks);
            QCOMPARE(h.active.ticks, works ? h.held.ticks : 0);
            QCOMPARE(alone.endings[static_cast<std::size_t>(h.hour)].idle, works ? 0 : kHourNanos);
            QCOMPARE(alone.endings[static_cast<std::size_t>(h.hour)].machine.ticks, h.held.ticks);
        }
    }

    void moneyEndsOnlyWithTheMachine()
    {
        const auto past = pastOf(fleetOf());
        const std::int64_t all = base::GpuTime::wholeDevice(base::Seconds{kEnd}).ticks;
        QVERIFY(named(past, "mixed").endings.empty());
        QCOMPARE(named(past, "mixed").shared.ticks, all);
        QVERIFY(named(past, "mixed").resources.empty());
        QVERIFY(named(past, "owned").endings.empty());
        QCOMPARE(named(past, "owned").sunk.ticks, all);
        QCOMPARE(named(past, "alone").resources.size(), std::size_t(1));
        const savings::ScheduleWorkload &first = named(past, "first");
        QCOMPARE(first.endings.size(), std::size_t(kDays * 24));
        const auto &with = past.groups.at(static_cast<std::size_t>(first.endings[0].with));
        QCOMPARE(with.size(), std::size_t(1));
        QCOMPARE(past.workloads.at(static_cast<std::size_t>(with[0])).controllerName, std::string("second"));
    }

    void aRestartedPodIsTheSameWorkload()
    {
        Scenario fleet = fleetOf();
        for (auto &one : fleet.batch.holders) {
            if (one.name == "second-0")
                one.ownerName = "first";
        }
        const auto past = pastOf(fleet);
        QCOMPARE(named(past, "first").replicas, 2);
        QCOMPARE(named(past, "first").hours[0].cost, 2 * kHourNanos);
        QCOMPARE(named(past, "first").endings[0].with, 0);
    }

    // Half an hour before the end another pod of the same controller takes over.
    void aPodReplacedInTheLastHourCountsOnce()
    {
        constexpr std::int64_t kSwap = kEnd - 1800;
        Scenario fleet(kDays);
        const auto node = fleet.node("node-1");
        const auto device = fleet.device("GPU-web");
        for (const char *name : {"web-0", "web-1"}) {
            const std::string uid = std::string("uid-") + name;
            const bool first = uid == "uid-web-0";
            const auto label = fleet.label(name, uid);
            const auto pod = fleet.pod(name, uid, "node-1");
            fleet.batch.holders[pod].ownerKind = "Notebook";
            fleet.batch.holders[pod].ownerName = "web";
            fleet.runs(pod, first ? 0 : kSwap, first ? kSwap : kEnd);
            fleet.reports(device, label, node, first ? 0 : kSwap, first ? kSwap : kEnd, 0);
        }
        const auto past = pastOf(fleet);
        QCOMPARE(past.workloads.size(), std::size_t(1));
        QCOMPARE(named(past, "web").hours.size(), std::size_t(kDays * 24));
        QCOMPARE(named(past, "web").replicas, 1);
    }

    void whatEndedChangesNoProposal()
    {
        Scenario fleet = fleetOf();
        addPod(fleet, "ended", fleet.node("node-5"), "Notebook", false, 10);
        const auto shared = fleet.node("node-6");
        addPod(fleet, "stays", shared, "Notebook");
        addPod(fleet, "left", shared, "Notebook", false, 12);
        addPod(fleet, "returns", fleet.node("node-7"), "Notebook", false, 4, kDays - 5);
        const auto all = pastOf(fleet), recent = pastOf(fleet, true);
        const auto isKept = [&](const savings::SchedulePast &past, const std::string &name) {
            return std::any_of(past.workloads.begin(), past.workloads.end(),
                               [&](const auto &one) { return one.controllerName == name; });
        };
        QVERIFY(isKept(all, "ended") && !isKept(recent, "ended") && !isKept(recent, "left"));
        QVERIFY(isKept(recent, "returns") && isKept(recent, "stays"));
        QCOMPARE(named(recent, "returns").hours.size(), named(all, "returns").hours.size());
        const auto before = savings::replaySchedules(all, {}, {}).value();
        const auto after = savings::replaySchedules(recent, {}, {}).value();
        QVERIFY(before.size() >= 7);
        QCOMPARE(after.size(), before.size());
        for (const savings::Proposal &one : before) {
            const savings::Proposal &other = named(after, one.id);
            QCOMPARE(other.perMonth->p50.nanos(), one.perMonth->p50.nanos());
            QCOMPARE(other.perMonth->p90.nanos(), one.perMonth->p90.nanos());
            QCOMPARE(other.avoidable->nanos(), one.avoidable->nanos());
            QCOMPARE(other.excludedBy.has_value(), one.excludedBy.has_value());
            QCOMPARE(other.evidence.size(), one.evidence.size());
            QCOMPARE(other.resources, one.resources);
        }
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
        const auto list = services::scheduleReplay(*engine, {fleet.covered(), model::CostView::Effective}, {})
                              .value()
                              .proposals({}, {})
                              .value();
        tests::checked(list);
        QCOMPARE(list.size(), std::size_t(5));
        const savings::Proposal &alone = named(list, "schedule:prod/ml/Notebook/alone");
        QVERIFY(!alone.excludedBy);
        // Five stretches a week lose ten minutes each, and so does the one that begins the range.
        const std::int64_t saved = 3 * kOffPerWeek * kHourNanos - 16 * kHourNanos / 6;
        QVERIFY(std::abs(alone.perMonth->p50.nanos() - saved * 730 / (kDays * 24)) < kHourNanos);
        QCOMPARE(alone.avoidable->nanos(), kHourNanos * 730);
        QVERIFY(alone.how.find("notebook/'alone'") != std::string::npos);
        QVERIFY(alone.how.starts_with("# in cluster prod\n"));
        QVERIFY(!named(list, "schedule:prod/ml/Notebook/first").excludedBy);
        QVERIFY(named(list, "schedule:prod/ml/StatefulSet/mixed").excludedBy);
        QVERIFY(tests::isExcludedBy(named(list, "schedule:prod/ml/Notebook/owned"), savings::RemarkText::MachinesSunk));
        std::stop_source source;
        source.request_stop();
        const auto stopped = services::scheduleReplay(*engine, {fleet.covered(), {}}, source.get_token());
        QVERIFY(!stopped && stopped.error().code == base::ErrorCode::Cancelled);
    }
};

GPULEDGER_PLAIN_SUITE(TestScheduleFacts)

} // namespace tst_schedulefacts

#include "tst_schedulefacts.moc"
