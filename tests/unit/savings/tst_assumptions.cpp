// SPDX-License-Identifier: GPL-3.0-or-later
// What a user may assume: limits and forms, off-hours as text, and that each assumption changes an answer while its
// default does not.
#include "app/savings/assumptions/assumedrules.h"
#include "app/savings/proposals/seededrandom.h"
#include "app/savings/schedule/offhours.h"
#include "app/savings/schedule/schedulerun.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_assumptions {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000;
constexpr std::int64_t kHourTicks = base::GpuTime::kTicksPerSecond * 3600;

Assumptions assuming(std::string_view name, std::string_view value)
{
    Assumptions assumed;
    if (!assumed.set(name, value))
        qFatal("an assumption is refused");
    return assumed;
}

std::string storedOf(std::string_view name, std::string_view value)
{
    return assuming(name, value).text(name);
}

OffHours off(std::string_view text)
{
    return offHoursFrom(text).value();
}

std::size_t hourOf(int day, int hour)
{
    return static_cast<std::size_t>(day * 24 + hour);
}

// Four nodes with one GPU each that come and go for three weeks.
std::vector<std::int64_t> capacityAnswer(const Assumptions &assumed)
{
    SeededRandom random(7, 1);
    CapacityPool pool;
    pool.gpus = 1;
    pool.hours = 3 * kCapacityHoursPerWeek;
    pool.shares.resize(pool.hours);
    for (int n = 0; n < 4; ++n) {
        CapacityNode node;
        node.terms = CapacityTerms::Ends;
        bool held = false;
        for (std::size_t h = 0; h < pool.hours; ++h) {
            held = random.below(6) == 0 ? !held : held;
            node.hours.push_back({kUsd, static_cast<std::int16_t>(held ? 1 : 0), true, true, true});
            if (held)
                pool.shares[h].add(1);
        }
        pool.nodes.push_back(std::move(node));
    }
    const CapacityReplay replay = replayCapacity(pool, capacityPolicy(assumed)).value();
    return {replay.offHours, replay.waitingSeconds, replay.headroom};
}

// A notebook that holds a GPU for three weeks. It works by day on weekdays and at three every night, and at four nobody
// looks.
std::vector<std::int64_t> scheduleAnswer(const Assumptions &assumed)
{
    SchedulePast past;
    past.start = base::parseTime("2026-11-02T00:00:00Z").value(); // a Monday
    past.hours = 3 * kScheduleWeekHours;
    past.currency = base::Currency::usd();
    past.groups.emplace_back();
    ScheduleWorkload &one = past.workloads.emplace_back();
    const base::GpuTime whole{kHourTicks};
    for (std::int32_t h = 0; h < past.hours; ++h) {
        const int hour = h % 24;
        const bool works = (h / 24 % 7 < 5 && hour >= 8 && hour < 20) || hour == 3;
        const base::GpuTime none;
        one.hours.push_back({h, whole, works ? whole : none, hour == 4 ? whole : none, none, kUsd});
        one.endings.push_back({h, 0, kUsd, works || hour == 4 ? 0 : kUsd});
    }
    const ScheduleFate fate = scheduleFates(past, scheduleRules(assumed), {}).value().front();
    return {static_cast<std::int64_t>(fate.limit), static_cast<std::int64_t>(fate.saved)};
}

RightSizeGpu card(const char *model, std::int64_t gib, double tflops, const char *capability)
{
    RightSizeGpu one;
    one.model = model;
    one.vendor = "nvidia";
    one.memoryMib = gib * 1024;
    one.fp16Tflops = tflops;
    one.bandwidthGbs = 1000;
    one.nvlinkGbs = 0;
    one.capability = capability;
    return one;
}

// Alone on an A100, with 18 GiB and 30 % (p99 and p95), and rarely 60 GiB: an L4 holds it, an L40S too.
std::optional<std::int64_t> rightSizeAnswer(const Assumptions &assumed, WorkTier tier)
{
    constexpr std::int32_t kHours = 1000;
    const auto offer = [](const char *type, const RightSizeGpu &model, std::int64_t usd) {
        return RightSizeOffer{type, model, 1, base::Rate(usd * kUsd, base::Currency::usd()), "list", 0, 0};
    };
    RightSizePast past;
    past.hours = kHours;
    past.currency = base::Currency::usd();
    past.gpus = {card("A100 80GB", 80, 312, "8.0")};
    past.markets = {{offer("l4", card("L4", 24, 121, "8.9"), 1), offer("l40s", card("L40S", 48, 362, "8.9"), 2)}};
    RightSizeWorkload &one = past.workloads.emplace_back();
    one.id = "right-size:prod/one";
    one.tier = tier;
    one.gpu = one.market = 0;
    one.machineGpus = one.heldGpus = one.usedGpus = one.podGpus = 1;
    one.held = {kHours * kHourTicks};
    one.lastHour = kHours - 1;
    one.cost = kHours * 4 * kUsd;
    for (std::int32_t h = 0; h < kHours; ++h)
        one.hours.push_back({h, 3600, 4 * kUsd, 4 * kUsd});
    const auto units = [](std::int64_t gib) { return static_cast<std::int32_t>(gib * 1024 / kRightSizeMemoryUnit); };
    one.loads = {{{units(18), 30}, 994 * kHourTicks}, {{units(60), 30}, 6 * kHourTicks}};
    const auto list = proposeRightSizes(past, rightSizeRules(assumed)).value();
    const Proposal &proposal = list.front();
    return proposal.perMonth ? std::optional(proposal.perMonth->p50.nanos()) : std::nullopt;
}

// 35 days of one machine by night and three by day; on demand for 10 USD an hour, committed for 6.
std::optional<std::int64_t> commitmentAnswer(const Assumptions &assumed)
{
    CommitmentInput input;
    CommitmentDemand &demand = input.demand.emplace_back();
    demand.cloud = "aws"; // allowed: a cloud
    demand.instanceType = "p5.48xlarge";
    demand.onDemand = base::Rate(10 * kUsd, base::Currency::usd());
    demand.coveredCost = base::Money(0, base::Currency::usd());
    for (int h = 0; h < 35 * 24; ++h)
        demand.hours.emplace_back(base::GpuTime{(h % 24 < 8 ? 1 : 3) * kHourTicks});
    demand.offers = {{"Savings Plan", 12, std::nullopt, base::Rate(6 * kUsd, base::Currency::usd()), false, {}, {}}};
    assumeDemand(input, assumed);
    const auto list = proposeCommitments(input).value();
    const Proposal &proposal = list.front();
    return proposal.perMonth ? std::optional(proposal.perMonth->p50.nanos()) : std::nullopt;
}

} // namespace

class TestAssumptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDefaultIsAValueInItsShortestForm()
    {
        std::set<std::string_view> names;
        for (const AssumptionSpec &spec : assumptionSpecs()) {
            QVERIFY2(names.insert(spec.name).second, spec.name.data());
            QCOMPARE(assumptionSpec(spec.name), &spec);
            Assumptions assumed;
            QVERIFY2(assumed.set(spec.name, spec.usual), spec.name.data());
            QVERIFY2(assumed.isUsual(), spec.name.data());
            QCOMPARE(assumed.text(spec.name), std::string(spec.usual));
            QVERIFY(!spec.help.empty());
            if (spec.type == AssumptionType::WeekHours)
                continue;
            QVERIFY(spec.least <= assumed.number(spec.name) && assumed.number(spec.name) <= spec.most);
            QCOMPARE(assumptionText(spec, assumed.number(spec.name)), std::string(spec.usual));
        }
        QVERIFY(!assumptionSpec("nothing"));
    }

    void valuesAreKeptInTheirShortestForm()
    {
        QCOMPARE(storedOf("start-up", "120s"), std::string("2m"));
        QCOMPARE(storedOf("start-up", "1h30m"), std::string("90m"));
        QCOMPARE(storedOf("start-up", "0"), std::string("0s"));
        QCOMPARE(storedOf("scale-down-delay", "48h"), std::string("2d"));
        QCOMPARE(storedOf("memory-headroom", "30%"), std::string("30"));
        QCOMPARE(storedOf("demand-change", "-20"), std::string("-20"));
        QCOMPARE(storedOf("minimum-nodes", "007"), std::string("7"));
        QCOMPARE(storedOf("off-hours", " SAT ,sun"), std::string("sat, sun"));
        QVERIFY(assuming("start-up", "600s") == Assumptions());
        QVERIFY(assuming("start-up", "1h") == assuming("start-up", "60m"));
        Assumptions assumed = assuming("start-up", "1h");
        QVERIFY(!assumed.isUsual());
        QVERIFY(assumed.set("start-up", "10m") && assumed.isUsual());
        assumed = assuming("start-up", "1h");
        assumed.reset("start-up");
        assumed.reset("nothing");
        QVERIFY(assumed.isUsual());
    }

    void whatIsNoValueIsRefused()
    {
        Assumptions assumed;
        const auto unknown = assumed.set("nothing\x1b[2J", "1");
        QVERIFY(!unknown && unknown.error().code == base::ErrorCode::InvalidArgument);
        QVERIFY(unknown.error().text.find('\x1b') == std::string::npos);
        for (const AssumptionSpec &spec : assumptionSpecs())
            QVERIFY(unknown.error().hint.find(spec.name) != std::string::npos);
        for (const AssumptionSpec &spec : assumptionSpecs()) {
            for (const std::string &value :
                 {std::string(), std::string("x"), std::string("1.5.2"), std::string("-"),
                  std::string("99999999999999999999"), std::string(100'000, '1'), std::string("\xff\x00;", 3)})
                QVERIFY2(!assumed.set(spec.name, value), spec.name.data());
            if (spec.type == AssumptionType::WeekHours)
                continue;
            QVERIFY2(assumed.set(spec.name, assumptionText(spec, spec.most)), spec.name.data());
            QVERIFY2(assumed.set(spec.name, assumptionText(spec, spec.least)), spec.name.data());
            const auto above = assumed.set(spec.name, assumptionText(spec, spec.most + 1));
            QVERIFY2(!above && !assumed.set(spec.name, assumptionText(spec, spec.least - 1)), spec.name.data());
            QVERIFY(above.error().hint.find(assumptionText(spec, spec.most)) != std::string::npos);
            QCOMPARE(assumed.number(spec.name), spec.least); // a refused value changes nothing
        }
    }

    void offHoursAreRead()
    {
        QVERIFY(off("none").none());
        QVERIFY(off("mon-sun").all());
        const OffHours nights = off("mon-fri 20-7, sat, sun");
        QCOMPARE(nights.count(), std::size_t(5 * 11 - 7 + 48));
        QVERIFY(nights[hourOf(0, 20)] && nights[hourOf(1, 6)] && !nights[hourOf(1, 7)] && !nights[hourOf(0, 6)]);
        const OffHours sunday = off("sun 22-3");
        QCOMPARE(sunday.count(), std::size_t(5));
        QVERIFY(sunday[hourOf(6, 23)] && sunday[hourOf(0, 2)] && !sunday[hourOf(0, 3)]);
        QVERIFY(off("fri-mon") == off("fri, sat, sun, mon"));
        QVERIFY(off("tue 20-24") == off("tue 20-0"));
        QVERIFY(off(" Wed\t0-24 ") == off("wed"));
        QVERIFY(off("sat,sat 1-2") == off("sat"));
        for (const SchedulePolicy &policy : schedulePolicies())
            QVERIFY(ownSchedulePolicy(policy.off).off == policy.off);
    }

    void whatIsNotOffHoursIsRefused()
    {
        for (const char *text : {"",
                                 ",",
                                 "mon,",
                                 "monday",
                                 "mon 20",
                                 "mon 20-",
                                 "mon -7",
                                 "mon 7-7",
                                 "mon 24-7",
                                 "mon 0-25",
                                 "mon 1-2-3",
                                 "mon20-7",
                                 "20-7",
                                 "mon-",
                                 "-fri",
                                 "mon-fri-sun",
                                 "none, mon",
                                 "mon 1.5-2",
                                 "mon +1-2",
                                 "mon 1-2 tue 3-4",
                                 "best",
                                 "mon\n",
                                 "mon 99999999999999999999-7",
                                 "mon\xff"})
            QVERIFY2(!offHoursFrom(text), text);
        QVERIFY(!offHoursFrom(std::string(1'000'000, ',')));
    }

    void offHoursArePrintedAsPeopleWriteThem()
    {
        for (const char *text : {"none", "mon-sun", "mon-fri 20-7, sat, sun", "mon-sun 20-7", "sat, sun", "wed",
                                 "fri-sun", "sat, sun-fri 20-7", "mon 8-9, mon 10-11", "mon-sun 0-24"}) {
            const OffHours hours = off(text);
            QVERIFY2(off(offHoursText(hours)) == hours, text);
            if (std::string_view(text) != "mon-sun 0-24")
                QCOMPARE(offHoursText(hours), std::string(text));
        }
        QCOMPARE(offHoursText(off("tue 20-24, wed 0-7")), std::string("tue 20-7"));
        QCOMPARE(offHoursText(off("sun 10-14, mon 9-0, tue 0-12")), std::string("mon 9-24, tue 0-12, sun 10-14"));
        QCOMPARE(offHoursText(off("sun 22-24, mon 0-3")), std::string("sun 22-3"));
    }

    void printedOffHoursAreReadAgain()
    {
        SeededRandom random(22, 3);
        for (int round = 0; round < 5000; ++round) {
            OffHours hours;
            bool now = false;
            const std::int64_t change = 1 + random.below(30); // long runs, short ones, and whole days
            for (std::size_t i = 0; i < hours.size(); ++i) {
                now = random.below(change) == 0 ? !now : now;
                hours[i] = now;
            }
            for (std::size_t day = 0; day < 7; ++day) {
                const bool whole = random.below(4) == 0;
                for (std::size_t hour = 0; whole && hour < 24; ++hour)
                    hours.set(day * 24 + hour);
            }
            const std::string text = offHoursText(hours);
            QVERIFY2(off(text) == hours, text.c_str());
            QCOMPARE(storedOf("off-hours", text), text);
        }
    }

    void ownHoursHaveCronFieldsIfOneLineOfEachIsEnough()
    {
        const SchedulePolicy nights = ownSchedulePolicy(off("mon-sun 20-7"));
        QCOMPARE(nights.stopAt, std::string("0 20 * * *"));
        QCOMPARE(nights.startAt, std::string("0 7 * * *"));
        const SchedulePolicy weekend = ownSchedulePolicy(off("sat, sun"));
        QCOMPARE(weekend.stopAt, std::string("0 0 * * 6"));
        QCOMPARE(weekend.startAt, std::string("0 0 * * 1"));
        const SchedulePolicy both = ownSchedulePolicy(off("sun-fri 20-7, sat, sun"));
        QCOMPARE(both.stopAt, std::string("0 20 * * 1-5"));
        QCOMPARE(both.startAt, std::string("0 7 * * 1-5"));
        QVERIFY(ownSchedulePolicy(off("mon 20-22, tue 21-22")).stopAt.empty());
        QVERIFY(ownSchedulePolicy(off("mon-sun")).startAt.empty());
        QVERIFY(ownSchedulePolicy(off("none")).stopAt.empty());
    }

    void theDefaultsAreTheRulesOfTheEngines()
    {
        const Assumptions usual;
        const CapacityPolicy capacity = capacityPolicy(usual), plain;
        QVERIFY(capacity.delayHours == plain.delayHours && capacity.headroom == plain.headroom
                && capacity.minimum == plain.minimum && capacity.startUp == plain.startUp);
        const ScheduleRules schedule = scheduleRules(usual), rules;
        QCOMPARE(schedule.policies.size(), rules.policies.size());
        QVERIFY(std::equal(schedule.policies.begin(), schedule.policies.end(), rules.policies.begin(),
                           [](const SchedulePolicy &a, const SchedulePolicy &b) { return a.off == b.off; }));
        QVERIFY(schedule.mostCutPercent == rules.mostCutPercent
                && schedule.mostUnobservedPercent == rules.mostUnobservedPercent
                && schedule.scaleDownDelay == rules.scaleDownDelay);
        const RightSizeRules size = rightSizeRules(usual), sizes;
        QVERIFY(size.headroom.memory == sizes.headroom.memory && size.headroom.activity == sizes.headroom.activity
                && size.mostMemoryPercent == sizes.mostMemoryPercent
                && size.mostTooSmallProduction == sizes.mostTooSmallProduction
                && size.mostTooSmallOther == sizes.mostTooSmallOther);
        CommitmentInput input;
        assumeDemand(input, usual);
        QVERIFY(input.demandPercent == 100 && input.leastDays == kLeastCommitmentDays);
    }

    void aDelayIsRoundedUpToHours()
    {
        QCOMPARE(capacityPolicy(assuming("scale-down-delay", "61m")).delayHours, 2);
        QCOMPARE(capacityPolicy(assuming("scale-down-delay", "2h")).delayHours, 2);
    }

    void eachAssumptionChangesAnAnswer()
    {
        const std::map<std::string, std::string> values{
            {"scale-down-delay", "3h"},    {"headroom-quantile", "50"},
            {"minimum-nodes", "4"},        {"start-up", "20m"},
            {"off-hours", "mon-fri 22-2"}, {"most-real-work", "10"},
            {"most-unobserved", "4"},      {"schedule-scale-down-delay", "1h"},
            {"memory-headroom", "30"},     {"activity-headroom", "50"},
            {"most-memory", "20"},         {"most-too-small-production", "0"},
            {"most-too-small-other", "0"}, {"demand-change", "50"},
            {"least-days", "60"}};
        const Assumptions usual;
        QVERIFY(rightSizeAnswer(usual, WorkTier::Production).value_or(0) > 0);
        QVERIFY(commitmentAnswer(usual).value_or(0) > 0);
        for (const AssumptionSpec &spec : assumptionSpecs()) {
            if (spec.kind == Kind::Spot)
                continue; // tested with its engine
            QVERIFY2(values.contains(std::string(spec.name)), spec.name.data());
            const Assumptions changed = assuming(spec.name, values.at(std::string(spec.name)));
            QVERIFY2(answerOf(spec, usual) != answerOf(spec, changed), spec.name.data());
        }
    }

    void theConfigurationSetsDefaults()
    {
        Assumptions usual;
        QVERIFY(!usual.setUsual("start-up", "soon") && !usual.setUsual("nothing", "1"));
        QVERIFY(usual.setUsual("start-up", "1h") && usual.setUsual("least-days", "14"));
        QVERIFY(usual.isUsual() && usual.isConfigured("start-up") && usual.isConfigured("least-days"));
        QVERIFY(!usual.isConfigured("restart"));
        QCOMPARE(usual.number("start-up"), std::int64_t{3600});
        QCOMPARE(capacityPolicy(usual).startUp, base::Seconds{3600});
        QCOMPARE(assumptionsOf(Kind::Capacity, usual).number("start-up"), std::int64_t{3600});
        Assumptions chosen = usual;
        QVERIFY(chosen.set("start-up", "10m")); // the program's default is a choice now
        QVERIFY(!chosen.isUsual());
        QCOMPARE(chosen.text("start-up"), std::string("10m"));
        QVERIFY(chosen.set("start-up", "60m") && chosen.isUsual());
        chosen = assuming("start-up", "1h");
        chosen.useDefaultsOf(usual);
        QVERIFY(chosen == usual);
    }

    void defaultsMayDifferByWork()
    {
        using model::WorkloadKind;
        Assumptions usual;
        QVERIFY(usual.setUsualOf(WorkloadKind::Training, "checkpoint-every", "60m"));
        QVERIFY(usual.setUsual("restart", "10m") && usual.setUsualOf(WorkloadKind::Batch, "restart", "20m"));
        QCOMPARE(usual.numberOf(WorkloadKind::Training, "checkpoint-every"), std::int64_t{3600});
        QCOMPARE(usual.textOf(WorkloadKind::Batch, "checkpoint-every"), std::string("30m"));
        QCOMPARE(usual.textOf(WorkloadKind::Training, "restart"), std::string("10m"));
        QCOMPARE(usual.textOf(WorkloadKind::Batch, "restart"), std::string("20m"));
        QVERIFY(usual.isConfiguredOf(WorkloadKind::Training, "checkpoint-every")
                && !usual.isConfiguredOf(WorkloadKind::Batch, "checkpoint-every"));
        QVERIFY(usual.isConfiguredOf(WorkloadKind::Training, "restart")); // for all work
        QVERIFY((usual.usualByWork("restart") == std::map<WorkloadKind, std::string>{{WorkloadKind::Batch, "20m"}}));
        QVERIFY(usual.isUsual() && usual != Assumptions());
        // What was chosen holds for all work.
        Assumptions chosen = assuming("checkpoint-every", "2h");
        chosen.useDefaultsOf(usual);
        QCOMPARE(chosen.textOf(WorkloadKind::Training, "checkpoint-every"), std::string("2h"));
        QCOMPARE(assumptionsOf(Kind::Spot, chosen).textOf(WorkloadKind::Batch, "restart"), std::string("20m"));
        // Only what concerns spot machines, within its limits.
        QVERIFY(!usual.setUsualOf(WorkloadKind::Batch, "start-up", "5m"));
        QVERIFY(!usual.setUsualOf(WorkloadKind::Batch, "checkpoint-every", "1s"));
        QVERIFY(!usual.setUsualOf(WorkloadKind::Batch, "nothing", "1"));
    }

    // Nobody assumes them for all work, and they have no default.
    void someThingsAreSaidOfAKindAlone()
    {
        using model::WorkloadKind;
        Assumptions usual;
        QVERIFY(usual.setUsualOf(WorkloadKind::Training, "deadline", "2d"));
        QVERIFY(usual.setUsualOf(WorkloadKind::Inference, "interruptible", "true"));
        QVERIFY(usual.setUsualOf(WorkloadKind::Batch, "interruptible", "no"));
        QCOMPARE(usual.statedOf(WorkloadKind::Training, "deadline"), std::optional<std::int64_t>(48 * 3600));
        QCOMPARE(usual.statedOf(WorkloadKind::Inference, "interruptible"), std::optional<std::int64_t>(1));
        QCOMPARE(usual.statedOf(WorkloadKind::Batch, "interruptible"), std::optional<std::int64_t>(0));
        QVERIFY(!usual.statedOf(WorkloadKind::Batch, "deadline") && !usual.statedOf(WorkloadKind::Batch, "restart"));
        QCOMPARE(usual.textOf(WorkloadKind::Inference, "interruptible"), std::string("yes"));
        for (const char *name : {"deadline", "interruptible"})
            QVERIFY(!usual.set(name, "yes") && !usual.set(name, "2d") && !usual.setUsual(name, "2d"));
        for (const char *value : {"", "0s", "9000d", "soon", "-1h"})
            QVERIFY(!usual.setUsualOf(WorkloadKind::Training, "deadline", value));
        for (const char *value : {"", "1", "maybe", "YES"})
            QVERIFY(!usual.setUsualOf(WorkloadKind::Training, "interruptible", value));
        QCOMPARE(usual.statedOf(WorkloadKind::Training, "deadline"), std::optional<std::int64_t>(48 * 3600));
        Assumptions other;
        other.useDefaultsOf(usual);
        QVERIFY(other == usual && other != Assumptions());
    }

    void anErrorNamesTheConfiguredDefault()
    {
        Assumptions assumed;
        QVERIFY(assumed.set("start-up", "100d").error().hint.ends_with("its default is 10m"));
        QVERIFY(assumed.setUsual("start-up", "1h"));
        for (const std::string &value : {std::string("100d"), std::string("soon"), std::string(3000, '1')})
            QVERIFY(assumed.set("start-up", value).error().hint.ends_with("its default is 1h"));
    }

    void aKindHasItsOwnAssumptions()
    {
        Assumptions all = assuming("start-up", "1h");
        QVERIFY(all.set("least-days", "30"));
        QVERIFY(assumptionsOf(Kind::Capacity, all) == assuming("start-up", "1h"));
        QVERIFY(assumptionsOf(Kind::Commitments, all) == assuming("least-days", "30"));
        QVERIFY(assumptionsOf(Kind::Schedule, all).isUsual());
    }

private:
    static std::vector<std::int64_t> answerOf(const AssumptionSpec &spec, const Assumptions &assumed)
    {
        switch (spec.kind) {
        case Kind::Capacity:
            return capacityAnswer(assumed);
        case Kind::Schedule:
            return scheduleAnswer(assumed);
        case Kind::RightSize:
            return {rightSizeAnswer(assumed, WorkTier::Production).value_or(-1),
                    rightSizeAnswer(assumed, WorkTier::Batch).value_or(-1)};
        case Kind::Commitments:
            return {commitmentAnswer(assumed).value_or(-1)};
        case Kind::Spot:
            break;
        }
        return {};
    }
};

GPULEDGER_SUITE(TestAssumptions)

} // namespace tst_assumptions

#include "tst_assumptions.moc"
