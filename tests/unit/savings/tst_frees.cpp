// SPDX-License-Identifier: GPL-3.0-or-later
// Machine time that schedules, smaller machines and spot machines take off on-demand machines: never too little.
#include "app/savings/rightsize/rightsize.h"
#include "app/savings/schedule/schedule.h"
#include "app/savings/spot/spotoffer.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <functional>

namespace tst_frees {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000;
constexpr std::int32_t kHours = 28 * 24; // from a Monday
constexpr std::int64_t kOffHours = 4 * (5 * 11 + 2 * 24); // nights and weekends

base::GpuTime machineTime(std::int64_t seconds)
{
    return base::GpuTime::wholeDevice(base::Seconds{seconds});
}

base::UtcTime start()
{
    return base::parseTime("2026-11-02T00:00:00Z").value();
}

// In each hour of the past, over these parts; what lies before or after it is left out.
std::vector<base::GpuTime> freedIn(const std::vector<FreedTime> &parts)
{
    std::vector<base::GpuTime> hours(kHours);
    for (const FreedTime &part : parts) {
        for (std::size_t i = 0; i < part.hours.size(); ++i) {
            const auto at = (part.start - start()) / base::Seconds{3600} + static_cast<std::int64_t>(i);
            if (at >= 0 && at < kHours)
                hours[static_cast<std::size_t>(at)] += part.hours[i];
        }
    }
    return hours;
}

base::GpuTime sumOf(const std::vector<base::GpuTime> &hours)
{
    base::GpuTime sum;
    for (const base::GpuTime hour : hours)
        sum += hour;
    return sum;
}

using Works = std::function<bool(std::int32_t hour)>;

// A notebook that holds half of a machine all the time.
void addNotebook(SchedulePast &past, const std::string &name, const Works &works, std::int32_t with, bool isWhole)
{
    ScheduleWorkload one;
    one.id = "schedule:prod/" + name;
    one.target = name;
    one.why = Remark{RemarkText::NotebookKind, {}};
    for (std::int32_t h = 0; h < kHours; ++h) {
        const base::GpuTime held = machineTime(3600);
        one.hours.push_back({h, held, works(h) ? held : base::GpuTime{}, {}, {}, kUsd});
        one.endings.push_back({h, with, kUsd, works(h) ? 0 : kUsd, machineTime(isWhole ? 3600 : 1800)});
    }
    one.resources = {name};
    past.workloads.push_back(std::move(one));
}

SchedulePast schedulePast()
{
    SchedulePast past;
    past.start = start();
    past.hours = kHours;
    past.currency = base::Currency::usd();
    past.groups = {{}, {1}, {0}};
    return past;
}

bool never(std::int32_t)
{
    return false;
}

std::vector<Proposal> schedules(const SchedulePast &past, std::int64_t delay = 0)
{
    ScheduleRules rules;
    rules.policies = {schedulePolicies().back()};
    rules.scaleDownDelay = base::Seconds{delay};
    return replaySchedules(past, rules).value();
}

std::vector<base::GpuTime> ticksOf(const std::vector<std::pair<std::int32_t, std::int64_t>> &seconds)
{
    std::vector<base::GpuTime> hours(kHours);
    for (const auto &[hour, length] : seconds)
        hours[static_cast<std::size_t>(hour)] += machineTime(length);
    return hours;
}

} // namespace

class TestFrees : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A machine that is off does no work either: an hour that saves nothing is still not bought.
    void cutAndUnobservedHoursAreFreed()
    {
        SchedulePast past = schedulePast();
        addNotebook(
            past, "nb", [](std::int32_t h) { return h == 22 || h == 46; }, 0, true);
        ScheduleWorkload &one = past.workloads.front();
        for (const std::size_t h : {1U, 2U})
            one.hours[h].unobserved = one.hours[h].held;
        const Proposal p = schedules(past).front();
        QVERIFY(!p.excludedBy && p.frees->size() == 1);
        QCOMPARE(sumOf(freedIn(*p.frees)).ticks, machineTime(kOffHours * 3600).ticks);
        QVERIFY(freedIn(*p.frees)[22] == machineTime(3600) && freedIn(*p.frees)[1] == machineTime(3600));
    }

    // Work in an off hour does not bring the machine back, so the delay is lost once in each stretch.
    void delayIsLostOnceInEachStretch()
    {
        SchedulePast past = schedulePast();
        addNotebook(
            past, "nb", [](std::int32_t h) { return h == 22; }, 0, true);
        const std::vector<base::GpuTime> hours = freedIn(*schedules(past, 600).front().frees);
        QVERIFY(hours[0] == machineTime(3600)); // it was off before the past began
        QVERIFY(hours[20] == machineTime(3000) && hours[21] == machineTime(3600));
        QVERIFY(hours[22] == machineTime(3600) && hours[23] == machineTime(3600));
        QCOMPARE(sumOf(hours).ticks, machineTime(kOffHours * 3600 - 4 * 5 * 600).ticks);
    }

    // Each of two has half of a machine. Only one may count, if they share a GPU; the machine ends as a whole.
    void allOfASharedMachineIsFreedOnce()
    {
        SchedulePast past = schedulePast();
        addNotebook(past, "a", never, 1, false);
        addNotebook(
            past, "b", [](std::int32_t h) { return h == 22; }, 2, false);
        const auto both = schedules(past);
        QCOMPARE(both.size(), std::size_t{2});
        for (const Proposal &one : both) {
            QVERIFY(!one.excludedBy && one.frees->size() == 2);
            QCOMPARE(sumOf(freedIn(*one.frees)).ticks, machineTime(kOffHours * 3600).ticks);
        }
        QVERIFY(!both[0].frees->at(1).once.empty());
        QCOMPARE(both[0].frees->at(1).once, both[1].frees->at(1).once);
        std::vector<const FreedTime *> parts;
        for (const Proposal &one : both) {
            for (const FreedTime &part : *one.frees)
                parts.push_back(&part);
        }
        const std::vector<std::string> devices{"a", "b"};
        HourlyDemand demand(kHours, machineTime(3600));
        QVERIFY(takeFreed(parts, devices, start(), demand));
        std::int64_t left = 0;
        for (const auto &hour : demand)
            left += hour->ticks;
        QCOMPARE(left, machineTime((kHours - kOffHours) * 3600).ticks);
    }

    void whatOthersKeepOnIsNotFreed()
    {
        SchedulePast past = schedulePast();
        addNotebook(past, "a", never, 0, true);
        addNotebook(past, "b", never, 2, false);
        past.workloads[0].protection = "label keep=true";
        past.workloads[1].endings.erase(past.workloads[1].endings.begin() + kHours / 4,
                                        past.workloads[1].endings.end()); // in the rest it is alone
        for (std::int32_t h = kHours / 4; h < kHours; ++h)
            past.workloads[1].endings.push_back({h, 0, kUsd, kUsd, machineTime(3600)});
        const Proposal p = schedules(past).at(1);
        QVERIFY(!p.excludedBy);
        QCOMPARE(sumOf(freedIn(*p.frees)).ticks, machineTime(kOffHours * 3600 * 3 / 4).ticks);
    }

    // Work that moves to another machine type leaves its machines at all times, hour by hour.
    void aSmallerMachineFreesAllOfTheOldOnes()
    {
        const auto card = [](const char *model, std::int64_t gib, double tflops) {
            RightSizeGpu one;
            one.model = model;
            one.vendor = "nvidia";
            one.memoryMib = gib * 1024;
            one.fp16Tflops = tflops;
            one.bandwidthGbs = 1000;
            one.nvlinkGbs = 0;
            one.capability = "8.0";
            return one;
        };
        const auto offer = [](const char *type, const RightSizeGpu &gpu, std::int64_t usd) {
            return RightSizeOffer{type,   gpu, 1, base::Rate(usd * kUsd, base::Currency::usd()),
                                  "list", 0,   0, PriceRegion::Own};
        };
        RightSizePast past;
        past.start = start();
        past.hours = kHours;
        past.currency = base::Currency::usd();
        past.gpus = {card("A100 80GB", 80, 312)};
        past.markets = {{offer("small", card("L4", 24, 312), 1), offer("large", past.gpus.front(), 4)}};
        RightSizeWorkload one;
        one.id = "right-size:prod/one";
        one.cluster = "prod";
        one.pod = true;
        one.gpu = one.market = 0;
        one.machine = "large";
        one.machineGpus = one.heldGpus = one.usedGpus = one.podGpus = 1;
        one.held = machineTime((kHours - 10) * 3600 - 1800);
        one.lastHour = kHours - 1;
        one.cost = kHours * 4 * kUsd;
        one.resources = {"17", "18"};
        for (std::int32_t h = 10; h < kHours; ++h)
            one.hours.push_back({h, h == 10 ? 1800 : 3600, 4 * kUsd, 4 * kUsd});
        one.loads[{static_cast<std::int32_t>(4 * 1024 / kRightSizeMemoryUnit), 10}] = one.held.ticks;
        past.workloads = {one};
        const Proposal p = proposeRightSizes(past).value().front();
        QVERIFY(!p.excludedBy && p.frees && p.frees->size() == 1);
        QVERIFY(p.frees->front().devices == one.resources && p.frees->front().once.empty());
        const std::vector<base::GpuTime> hours = freedIn(*p.frees);
        QVERIFY(hours[9] == base::GpuTime{} && hours[10] == machineTime(1800) && hours[11] == machineTime(3600));
        QCOMPARE(sumOf(hours).ticks, machineTime((kHours - 11) * 3600 + 1800).ticks);
    }

    // Hours that are known as such; the rest, of earlier runs, is spread over the time of the series, rounded up.
    void spotMachinesFreeTheTimeOfAllRuns()
    {
        SpotPast past;
        past.start = start();
        past.hours = kHours;
        past.currency = base::Currency::usd();
        SpotMarket market{"aws", "us-east-1", "p4d.24xlarge", SpotPrice{}, {}};
        market.price->perHour = {base::Rate{10 * kUsd, past.currency}};
        market.interruptions.basis = SpotBasis::Published;
        market.interruptions.perHour = 0.01;
        past.markets = {market};
        SpotCandidate one;
        one.id = "spot:prod/ml/Job/train";
        one.pod = one.batch = true;
        one.market = 0;
        one.held = machineTime(48 * 3600 * 8);
        one.ownSeconds = 48 * 3600;
        one.cost = one.ownCost = one.ownBase = 48 * 30 * kUsd;
        one.firstHour = 100;
        one.lastHour = kHours - 1;
        one.runs = {{86400, 1}, {86400, 1}};
        one.resources = {"5"};
        for (std::int32_t h = 600; h < 624; ++h)
            one.ownHours.emplace_back(h, 3600);
        past.candidates = {one};
        const Proposal p = proposeSpots(past, {}).value().front();
        QVERIFY(!p.excludedBy && p.frees && p.frees->size() == 1);
        QVERIFY(p.frees->front().devices == one.resources);
        const std::int64_t count = kHours - 100, even = (24 * 3600 + count - 1) / count;
        std::vector<std::pair<std::int32_t, std::int64_t>> expected(one.ownHours.begin(), one.ownHours.end());
        for (std::int32_t h = 100; h < kHours; ++h)
            expected.emplace_back(h, even);
        QVERIFY(freedIn(*p.frees) == ticksOf(expected));
        QVERIFY(sumOf(freedIn(*p.frees)) >= machineTime(one.ownSeconds));
    }
};

GPULEDGER_PLAIN_SUITE(TestFrees)

} // namespace tst_frees

#include "tst_frees.moc"
