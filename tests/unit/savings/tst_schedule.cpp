// SPDX-License-Identifier: GPL-3.0-or-later
// Off-hours replayed on hand-made weeks and, against a brute force, on random ones.
#include "app/savings/proposals/seededrandom.h"
#include "app/savings/schedule/schedule.h"
#include "app/savings/schedule/schedulehow.h"
#include "app/savings/schedule/schedulerun.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <limits>

namespace tst_schedule {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000;
constexpr std::size_t kNights = 0, kWeekends = 1, kBoth = 2; // of schedulePolicies()
constexpr std::int64_t kBothPerWeek = 5 * 11 + 2 * 24;

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

base::TimeZone zone(const char *name)
{
    return base::TimeZone::find(name).value();
}

SchedulePast pastOf(int weeks, const char *start = "2026-11-02T00:00:00Z")
{
    SchedulePast past;
    past.start = at(start); // a Monday
    past.hours = weeks * kScheduleWeekHours;
    past.currency = base::Currency::usd();
    past.groups.emplace_back();
    return past;
}

using Works = std::function<bool(std::int32_t hour)>;

// Holds one GPU at 1 USD an hour all the time; its cost ends, and all of an hour without work is idle.
ScheduleWorkload &addWorkload(SchedulePast &past, const std::string &name, const Works &works, std::int32_t with = 0)
{
    ScheduleWorkload one;
    one.id = "schedule:prod/" + name;
    one.target = name;
    one.why = Remark{RemarkText::NotebookKind, {}};
    one.nameSpace = "ml";
    one.controllerKind = "StatefulSet";
    one.controllerName = name;
    const base::GpuTime whole = base::GpuTime::wholeDevice(base::Seconds{3600});
    for (std::int32_t h = 0; h < past.hours; ++h) {
        const bool active = works(h);
        one.hours.push_back({h, whole, active ? whole : base::GpuTime{}, {}, {}, kUsd});
        one.endings.push_back({h, with, kUsd, active ? 0 : kUsd, whole});
    }
    one.resources = {name};
    past.workloads.push_back(std::move(one));
    return past.workloads.back();
}

bool never(std::int32_t)
{
    return false;
}

ScheduleRules withoutDelay()
{
    ScheduleRules rules;
    rules.scaleDownDelay = base::Seconds{0};
    return rules;
}

std::vector<ScheduleFate> fatesOf(const SchedulePast &past, const ScheduleRules &rules = withoutDelay())
{
    return scheduleFates(past, rules, {}).value();
}

Proposal proposalOf(const SchedulePast &past)
{
    return tests::checked(replaySchedules(past, withoutDelay()).value()).at(0);
}

std::int64_t nanosOf(ScheduleWide value)
{
    return static_cast<std::int64_t>(value);
}

// Works from `from` to `to` o'clock of the local day, on the days that `on` admits (0 = Monday).
Works localHours(const SchedulePast &past, int from, int to, const std::function<bool(int)> &on)
{
    return [start = past.start, z = past.zone, from, to, on](std::int32_t h) {
        const int hour = z.hourOfWeek(start + h * base::Seconds{3600});
        return on(hour / 24) && hour % 24 >= from && hour % 24 < to;
    };
}

bool weekday(int day)
{
    return day < 5;
}

SchedulePast randomPast(std::uint64_t seed)
{
    SeededRandom random(seed, 0);
    SchedulePast past = pastOf(2 + static_cast<int>(random.below(4)));
    past.zone = zone(random.below(2) == 0 ? "Europe/Berlin" : "America/New_York");
    const auto count = static_cast<std::int32_t>(1 + random.below(4));
    for (std::int32_t other = 0; other < count; ++other)
        past.groups.push_back({other});
    for (std::int32_t i = 0; i < count; ++i) {
        ScheduleWorkload one;
        one.id = one.target = std::to_string(i);
        const std::int64_t rarely = 5 + random.below(200);
        for (std::int32_t h = static_cast<std::int32_t>(random.below(400)); h < past.hours; ++h) {
            if (random.below(10) == 0)
                continue;
            ScheduleHour hour;
            hour.hour = h;
            hour.held.ticks = 1000 + random.below(9'000);
            hour.active.ticks = random.below(rarely) == 0 ? 1 + random.below(hour.held.ticks / 2) : 0;
            hour.unobserved.ticks = random.below(30) == 0 ? random.below(hour.held.ticks / 2) : 0;
            hour.cost = random.below(5 * kUsd);
            one.hours.push_back(hour);
            if (random.below(5) == 0)
                continue;
            const auto with = static_cast<std::int32_t>(random.below(count + 1));
            const std::int64_t cost = random.below(hour.cost + 1);
            one.endings.push_back({h, with == i + 1 ? 0 : with, cost, random.below(cost + 1)});
        }
        past.workloads.push_back(std::move(one));
    }
    return past;
}

// Hour by hour from the definition in the header, without the tables of the engine.
struct Brute {
    const SchedulePast &past;
    const ScheduleRules &rules;

    bool isOff(std::size_t policy, std::int32_t h) const
    {
        const auto &off = rules.policies[policy].off;
        return off[static_cast<std::size_t>(past.zone.hourOfWeek(past.start + h * base::Seconds{3600}))];
    }
    bool isQuiet(std::int32_t workload, std::int32_t h) const
    {
        for (const ScheduleHour &one : past.workloads[static_cast<std::size_t>(workload)].hours) {
            if (one.hour == h)
                return one.active.ticks == 0 && one.unobserved.ticks * 10 <= one.held.ticks;
        }
        return false;
    }
    std::int64_t cut(std::int32_t workload, std::size_t policy) const
    {
        std::int64_t sum = 0;
        for (const ScheduleHour &one : past.workloads[static_cast<std::size_t>(workload)].hours)
            sum += one.active.ticks > 0 && isOff(policy, one.hour) ? 1 : 0;
        return sum;
    }
    std::int64_t saved(std::int32_t workload, const std::vector<ScheduleFate> &fates) const
    {
        std::int64_t sum = 0;
        const ScheduleFate &fate = fates[static_cast<std::size_t>(workload)];
        std::int32_t last = -2;
        for (const ScheduleEnding &e : past.workloads[static_cast<std::size_t>(workload)].endings) {
            bool free = isOff(fate.policy, e.hour) && isQuiet(workload, e.hour) && e.idle > 0;
            for (const std::int32_t other : past.groups[static_cast<std::size_t>(e.with)]) {
                const ScheduleFate &theirs = fates[static_cast<std::size_t>(other)];
                free = free && theirs.limit == ScheduleLimit::None && isOff(theirs.policy, e.hour)
                    && isQuiet(other, e.hour);
            }
            if (!free)
                continue;
            sum += last == e.hour - 1 ? e.idle : e.idle * (3600 - rules.scaleDownDelay.count()) / 3600;
            last = e.hour;
        }
        return sum;
    }
};

void checkLaws(const ScheduleFate &fate)
{
    QVERIFY(fate.saved >= 0 && fate.saved <= fate.ending);
    QVERIFY(fate.saved + fate.count.cutCost <= fate.count.cost);
    QVERIFY(fate.count.cut + fate.count.unobserved <= fate.count.held);
    if (!fate.perMonth)
        return;
    QVERIFY(fate.perMonth->p10.nanos() <= fate.perMonth->p50.nanos());
    QVERIFY(fate.perMonth->p50.nanos() <= fate.perMonth->p90.nanos());
    QVERIFY(fate.perMonth->p90.nanos() <= fate.avoidable->nanos());
}

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void policiesCoverTheirHours()
    {
        const auto &all = schedulePolicies();
        QCOMPARE(all[kNights].off.count(), std::size_t(7 * 11));
        QCOMPARE(all[kWeekends].off.count(), std::size_t(48));
        QCOMPARE(all[kBoth].off.count(), std::size_t(kBothPerWeek));
        QVERIFY(all[kBoth].off == (all[kNights].off | all[kWeekends].off));
        QVERIFY(all[kNights].off[6] && !all[kNights].off[7] && !all[kNights].off[19] && all[kNights].off[20]);
        QVERIFY(!all[kWeekends].off[5 * 24 - 1] && all[kWeekends].off[5 * 24]);
    }

    void rangeIsTheNewestWholeWeeks()
    {
        const base::TimeRange range{at("2026-11-01T10:00:00Z"), at("2026-11-30T12:00:00Z")};
        const base::TimeRange cut = scheduleRange(range, {});
        QVERIFY((cut == base::TimeRange{at("2026-11-02T12:00:00Z"), at("2026-11-30T12:00:00Z")}));
        const base::TimeRange half = scheduleRange(range, zone("Asia/Kolkata"));
        QVERIFY((half == base::TimeRange{at("2026-11-02T11:30:00Z"), at("2026-11-30T11:30:00Z")}));
        const base::TimeRange few{at("2026-11-20T10:00:00Z"), at("2026-11-30T12:00:00Z")};
        QVERIFY(scheduleRange(few, {}) == few);
    }

    void savesTheOffHoursOfWhatNeverWorks()
    {
        SchedulePast past = pastOf(4);
        addWorkload(past, "nb", never);
        const ScheduleFate fate = fatesOf(past)[0];
        QCOMPARE(fate.policy, kBoth);
        QCOMPARE(nanosOf(fate.saved), 4 * kBothPerWeek * kUsd);
        QCOMPARE(fate.avoidable->nanos(), 730 * kUsd);
        const std::int64_t month = kBothPerWeek * kUsd * 730 / 168; // equal weeks have no spread
        QCOMPARE(fate.perMonth->p10.nanos(), month);
        QCOMPARE(fate.perMonth->p50.nanos(), month);
        QCOMPARE(fate.perMonth->p90.nanos(), month);
    }

    // Monday morning, four nights and a weekend each week; the first Monday begins a stretch of its own.
    void firstHourOfEachStretchLosesTheDelay()
    {
        SchedulePast past = pastOf(4);
        addWorkload(past, "nb", never);
        const ScheduleFate fate = fatesOf(past, {})[0];
        QCOMPARE(nanosOf(fate.saved), 4 * kBothPerWeek * kUsd - (4 * 5 + 1) * (kUsd - kUsd * 3000 / 3600));
    }

    void workInOffHoursIsCountedAgainstIt()
    {
        SchedulePast past = pastOf(4);
        addWorkload(past, "nb", [](std::int32_t h) { return h == 22 || h == 23 || h == 5 * 24 + 12 || h % 24 == 10; });
        const ScheduleFate fate = fatesOf(past)[0];
        QCOMPARE(fate.count.held, 4 * kBothPerWeek);
        QCOMPARE(fate.count.cut, std::int64_t(2 + 1 + 8)); // Monday night, Saturday, and 10:00 on weekends
        QCOMPARE(nanosOf(fate.saved), (4 * kBothPerWeek - 11) * kUsd);
        QCOMPARE(nanosOf(fate.count.cutCost), 11 * kUsd);
        const Proposal p = proposalOf(past);
        QCOMPARE(tests::evidenceOf(p, "hours with real work cut"), std::string("11.0"));
        QCOMPARE(tests::evidenceOf(p, "hours off"), std::string("412.0"));
        QCOMPARE(tests::saidOf(p, RemarkText::WorkCutAtRisk),
                 std::string("real work ran in 11 of 412 off hours and would have been cut; these hours count as no "
                             "saving"));
        QVERIFY(!p.excludedBy && tests::evidenceOf(p, "can be scheduled as") == "notebook");
        QVERIFY(p.perMonth->p10.nanos() < p.perMonth->p90.nanos()); // the first week differs
        QVERIFY(p.perMonth->p90.nanos() <= p.avoidable->nanos());
    }

    // Work from 07:00 to 20:00 local is never cut, on neither side of a change of the clocks.
    void localTimeFollowsTheClocks_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("end");
        QTest::newRow("Berlin, autumn") << "Europe/Berlin"
                                        << "2026-11-01T23:00:00Z";
        QTest::newRow("Berlin, spring") << "Europe/Berlin"
                                        << "2026-04-05T22:00:00Z";
        QTest::newRow("Kolkata") << "Asia/Kolkata"
                                 << "2026-11-01T22:00:00Z";
    }
    void localTimeFollowsTheClocks()
    {
        QFETCH(QString, name);
        QFETCH(QString, end);
        SchedulePast past = pastOf(2);
        past.zone = zone(name.toUtf8().constData());
        const base::UtcTime until = at(end.toUtf8().constData());
        const base::TimeRange range = scheduleRange({until - base::Seconds{16 * 86400}, until}, past.zone);
        past.start = range.start;
        QCOMPARE(range.length(), base::Seconds{past.hours * 3600});
        // Read from the clock on the wall, not from hourOfWeek().
        addWorkload(past, "nb", [&](std::int32_t h) {
            const std::int64_t local = past.zone.localSeconds(past.start + h * base::Seconds{3600});
            const std::int64_t day = local / 86400 % 7; // 0 = Thursday
            return local % 86400 >= 7 * 3600 && local % 86400 < 20 * 3600 && day != 2 && day != 3;
        });
        ScheduleRules rules;
        rules.policies = {schedulePolicies()[kBoth]};
        QCOMPARE(fatesOf(past, rules)[0].count.cut, std::int64_t(0));
        past.zone = {};
        QVERIFY(fatesOf(past, rules)[0].count.cut > 0);
    }

    // Two weeks in which Berlin's clocks go back, on 25 October, and New York's, on 1 November.
    void eachTeamHasItsOwnClock()
    {
        SchedulePast past = pastOf(2, "2026-10-19T00:00:00Z");
        for (const char *name : {"Europe/Berlin", "America/New_York"}) {
            const base::TimeZone own = zone(name);
            addWorkload(past, name, [&past, own](std::int32_t h) {
                const std::int64_t local = own.localSeconds(past.start + h * base::Seconds{3600});
                const std::int64_t day = local / 86400 % 7; // 0 = Thursday
                return local % 86400 >= 7 * 3600 && local % 86400 < 20 * 3600 && day != 2 && day != 3;
            }).owner = name;
        }
        past.workloads[0].controllerName = past.workloads[1].controllerName = "nb";
        ScheduleRules rules = withoutDelay();
        rules.policies = {schedulePolicies()[kBoth]};
        past.zone = zone("Europe/Berlin");
        QVERIFY(fatesOf(past, rules)[1].count.cut > 0); // New York's afternoons are Berlin's nights
        for (const ScheduleWorkload &one : past.workloads)
            past.calendars[one.owner].zone = zone(one.owner.c_str());
        for (const ScheduleFate &fate : fatesOf(past, rules)) {
            QVERIFY(fate.count.cut == 0 && fate.limit == ScheduleLimit::None);
            QCOMPARE(nanosOf(fate.saved), fate.count.held * kUsd);
        }
        const auto all = replaySchedules(past, rules).value();
        QVERIFY(all[1].how.find("CRON_TZ=America/New_York\n") != std::string::npos);
        QVERIFY(all[0].how.find("CRON_TZ=Europe/Berlin\n") != std::string::npos);
    }

    // 11 November 2026, a Wednesday, is free; real work from 9 to 17 on that day would have been cut.
    void workOnAHolidayIsCut()
    {
        SchedulePast past = pastOf(2);
        addWorkload(past, "nb", localHours(past, 9, 17, weekday)).owner = "research";
        ScheduleRules rules = withoutDelay();
        rules.policies = {schedulePolicies()[kBoth]};
        QCOMPARE(fatesOf(past, rules)[0].count.cut, std::int64_t{0});
        past.calendars["research"].holidays = {base::dayOf(at("2026-11-11")).number,
                                               base::dayOf(at("2026-12-25")).number};
        const ScheduleFate fate = fatesOf(past, rules)[0];
        QCOMPARE(fate.count.held, 2 * kBothPerWeek + 13);
        QCOMPARE(fate.count.cut, std::int64_t{8});
        QCOMPARE(nanosOf(fate.saved), (2 * kBothPerWeek + 5) * kUsd);
        const Proposal one = replaySchedules(past, rules).value().at(0);
        QVERIFY(std::any_of(one.evidence.begin(), one.evidence.end(), [](const Evidence &e) {
            return e.label.text == RemarkText::TeamHolidays && e.value.nanos == 1;
        }));
        QVERIFY(one.how.find("in 2026-12-25) ;; *) kubectl") != std::string::npos);
        rules.policies = {{"none", "none", "", "", {}}};
        QCOMPARE(fatesOf(past, rules)[0].count.held, std::int64_t{0});
    }

    void unobservedHoursSaveNothing()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb", never);
        for (std::size_t h : {0U, 1U, 2U})
            one.hours[h].unobserved.ticks = one.hours[h].held.ticks / 5;
        one.hours[3].unobserved.ticks = one.hours[3].held.ticks / 20; // observed enough
        const ScheduleFate fate = fatesOf(past)[0];
        QCOMPARE(fate.count.unobserved, std::int64_t(3));
        QCOMPARE(nanosOf(fate.saved), (4 * kBothPerWeek - 3) * kUsd);
        for (ScheduleHour &h : one.hours)
            h.unobserved = h.held;
        QVERIFY(tests::isExcludedBy(proposalOf(past), RemarkText::Unobserved));
    }

    void sunkMoneyIsNeverSaved()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb", never);
        one.endings.clear();
        one.sunk = base::GpuTime::wholeDevice(base::Seconds{672 * 3600});
        const Proposal p = proposalOf(past);
        QVERIFY(tests::isExcludedBy(p, RemarkText::MachinesSunk));
        QCOMPARE(p.perMonth->p90.nanos(), std::int64_t(0));
        QCOMPARE(p.avoidable->nanos(), std::int64_t(0));
        QVERIFY(p.how.empty());
        std::swap(one.sunk, one.unknown);
        const Proposal unknown = proposalOf(past);
        QVERIFY(tests::isExcludedBy(unknown, RemarkText::MachinesOfUnknownTerms));
        QVERIFY(!unknown.perMonth && !unknown.avoidable);
    }

    void largestShareIsTheReason()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb", never);
        for (ScheduleEnding &e : one.endings)
            e.idle = 0;
        one.endings.erase(one.endings.begin());
        one.sunk = base::GpuTime::wholeDevice(base::Seconds{3600}); // one hour of 672
        QVERIFY(tests::isExcludedBy(proposalOf(past), RemarkText::NothingIdleOff));
        one.endings.erase(one.endings.begin(), one.endings.begin() + 400);
        one.sunk = base::GpuTime::wholeDevice(base::Seconds{401 * 3600});
        QVERIFY(tests::isExcludedBy(proposalOf(past), RemarkText::MachinesSunk));
    }

    void creditsAreWrittenWithOneSign()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb", never);
        for (ScheduleHour &h : one.hours)
            h.cost = 0;
        one.hours.front().cost = -1'500'000'000;
        for (ScheduleEnding &e : one.endings) {
            e.cost = e.hour == 0 ? -1'500'000'000 : 0;
            e.idle = 0;
        }
        const Proposal p = proposalOf(past);
        QCOMPARE(tests::evidenceOf(p, "cost of the hours off"), std::string("-1.50 USD"));
        QCOMPARE(p.avoidable->nanos(), std::int64_t(0)); // a credit is nothing that ends
        QCOMPARE(p.perMonth->p50.nanos(), std::int64_t(0));
    }

    void unknownPriceHasNoAmount()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb", never);
        for (std::size_t h = 0; h < 140; ++h) // of 672
            one.hours[h].unpriced = one.hours[h].held;
        const Proposal p = proposalOf(past);
        QVERIFY(!p.perMonth && !p.avoidable && tests::isExcludedBy(p, RemarkText::TooMuchUnpriced));
        for (std::size_t h = 0; h < 20; ++h)
            one.hours[h].unpriced = {};
        QVERIFY(proposalOf(past).perMonth && tests::hasRisk(proposalOf(past), RemarkText::PartUnpriced));
    }

    void fewWeeksHaveNoSpread()
    {
        SchedulePast past = pastOf(2);
        addWorkload(past, "nb", [](std::int32_t h) { return h < 5; });
        const Proposal p = proposalOf(past);
        QVERIFY(!p.excludedBy);
        QCOMPARE(p.perMonth->p10.nanos(), (2 * kBothPerWeek - 5) * kUsd * 730 / 336);
        QVERIFY(p.perMonth->p10 == p.perMonth->p90);
        QVERIFY(tests::saidOf(p, RemarkText::SpreadUnknown).find("only 2 whole weeks") == 0);
        SchedulePast few = pastOf(1);
        addWorkload(few, "nb", never);
        QVERIFY(tests::isExcludedBy(proposalOf(few), RemarkText::TooYoung));
        QVERIFY(!proposalOf(few).perMonth);
    }

    void whatEndedIsNotListed()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb", never);
        one.hours.resize(504); // nothing in the last week
        one.endings.resize(504);
        QVERIFY(replaySchedules(past).value().empty());
        one.hours.push_back({504, {1000}, {}, {}, {}, 0});
        QCOMPARE(replaySchedules(past).value().size(), std::size_t(1));
    }

    void policyWithinTheLimitIsChosen()
    {
        SchedulePast past = pastOf(4);
        const auto saturday = [](int day) { return day == 5; };
        addWorkload(past, "saturdays", localHours(past, 9, 18, saturday));
        addWorkload(past, "evenings", localHours(past, 18, 24, weekday));
        addWorkload(past, "always", [](std::int32_t) { return true; });
        const auto fates = fatesOf(past);
        QCOMPARE(fates[0].policy, kNights);
        QCOMPARE(fates[1].policy, kWeekends);
        QCOMPARE(nanosOf(fates[1].saved), 4 * 48 * kUsd);
        QVERIFY(fates[2].limit == ScheduleLimit::RealWork);
        const auto list = replaySchedules(past).value();
        QCOMPARE(tests::said(list[2].excludedBy), std::string("real work ran in 412 of 412 off hours"));
        QCOMPARE(list[0].assumptions[0].value, std::string("nights"));
    }

    void protectedWorkIsExcluded()
    {
        SchedulePast past = pastOf(4);
        addWorkload(past, "nb", never).protection = "namespace core";
        QCOMPARE(tests::said(proposalOf(past).excludedBy), std::string("it is protected: namespace core"));
    }

    void sharedMachineNeedsTheOthers()
    {
        SchedulePast past = pastOf(4);
        past.groups.push_back({1});
        past.groups.push_back({0});
        addWorkload(past, "a", never, 1);
        addWorkload(
            past, "b", [](std::int32_t h) { return h == 22; }, 2);
        const auto fates = fatesOf(past);
        QCOMPARE(nanosOf(fates[0].saved), (4 * kBothPerWeek - 1) * kUsd); // b works in one off hour
        QVERIFY(fates[0].with == std::set<std::int32_t>{1});
        QVERIFY(tests::saidOf(proposalOf(past), RemarkText::SharesMachinesWith).ends_with("its machines: b"));
        past.workloads[1].protection = "label keep=true";
        QCOMPARE(nanosOf(fatesOf(past)[0].saved), std::int64_t(0));
        QVERIFY(tests::isExcludedBy(proposalOf(past), RemarkText::OthersKeepMachines));
    }

    void howScalesWhatCanBeScaled()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb-7", never);
        past.zone = zone("Europe/Berlin");
        one.replicas = 2;
        QCOMPARE(proposalOf(past).how,
                 std::string("CRON_TZ=Europe/Berlin\n"
                             "0 20 * * 1-5 kubectl -n 'ml' scale statefulset/'nb-7' --replicas=0\n"
                             "0 7 * * 1-5 kubectl -n 'ml' scale statefulset/'nb-7' --replicas=2\n"));
        one.controllerKind = "Notebook";
        QVERIFY(proposalOf(past).how.find("kubeflow-resource-stopped-\n") != std::string::npos);
        one.cluster = "prod\n* * * * * rm"; // anybody may name a cluster
        QVERIFY(proposalOf(past).how.starts_with("# in cluster prod * * * * * rm\nCRON_TZ="));
        one.controllerKind = "ReplicaSet"; // its Deployment would scale it back
        QVERIFY(proposalOf(past).how.empty());
        one.controllerKind = "Notebook";
        one.controllerName = "nb'; rm -rf ~; '";
        QVERIFY(proposalOf(past).how.empty());
        one.controllerName.clear();
        QVERIFY(proposalOf(past).how.empty());
        QVERIFY(tests::hasRisk(proposalOf(past), RemarkText::NoController));
    }

    // Held all the time, at work on weekdays from 9 to 17 in every second week.
    void curveIsTheMeanWeek()
    {
        SchedulePast past = pastOf(4);
        const Works days = localHours(past, 9, 17, weekday);
        addWorkload(past, "notebook", [days](std::int32_t h) { return days(h) && h / kScheduleWeekHours % 2 == 0; });
        const auto curve = scheduleCurve(past, "schedule:prod/notebook", withoutDelay()).value();
        QVERIFY(curve.has_value());
        QCOMPARE(curve->x.size(), std::size_t{kScheduleWeekHours});
        const OffHours &off = schedulePolicies()[kBoth].off; // the most that never cuts work
        for (std::size_t i = 0; i < curve->x.size(); ++i) {
            QCOMPARE(curve->lines[0].y[i], 1.0);
            QCOMPARE(curve->lines[1].y[i], days(static_cast<std::int32_t>(i)) ? 0.5 : 0.0);
            QCOMPARE(bool(curve->shaded[i]), bool(off[i]));
        }
        ScheduleRules weekends = withoutDelay();
        weekends.policies = {schedulePolicies()[kWeekends]};
        const auto shaded = scheduleCurve(past, "schedule:prod/notebook", weekends).value()->shaded;
        QCOMPARE(std::count(shaded.begin(), shaded.end(), true), std::ptrdiff_t{48});
        QVERIFY(!scheduleCurve(past, "schedule:other").value());
    }

    void sameSeedSameAnswer()
    {
        const SchedulePast past = randomPast(3);
        ScheduleRules rules;
        const auto first = fatesOf(past, rules), again = fatesOf(past, rules);
        for (std::size_t i = 0; i < first.size(); ++i) {
            QCOMPARE(first[i].perMonth.has_value(), again[i].perMonth.has_value());
            if (first[i].perMonth)
                QVERIFY(first[i].perMonth->p10 == again[i].perMonth->p10);
        }
    }

    void randomPastsAgreeWithBruteForce()
    {
        int proposed = 0, savings = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const SchedulePast past = randomPast(seed);
            const ScheduleRules rules;
            const auto fates = fatesOf(past, rules);
            const Brute brute{past, rules};
            for (std::size_t i = 0; i < fates.size(); ++i) {
                const auto index = static_cast<std::int32_t>(i);
                checkLaws(fates[i]);
                QCOMPARE(fates[i].count.cut, brute.cut(index, fates[i].policy));
                if (fates[i].limit != ScheduleLimit::None)
                    continue;
                ++proposed;
                savings += fates[i].saved > 0 ? 1 : 0;
                QCOMPARE(nanosOf(fates[i].saved), brute.saved(index, fates));
                QVERIFY(fates[i].count.cut * 20 <= fates[i].count.held - fates[i].count.unobserved);
            }
        }
        QVERIFY(proposed > 20 && savings > 20);
    }

    void hugeAmountsAndStopsFail()
    {
        SchedulePast past = pastOf(4);
        ScheduleWorkload &one = addWorkload(past, "nb", never);
        for (ScheduleEnding &e : one.endings)
            e.cost = e.idle = std::numeric_limits<std::int64_t>::max() / 2;
        QVERIFY(replaySchedules(past).error().code == base::ErrorCode::Overflow);
        std::stop_source source;
        source.request_stop();
        QVERIFY(replaySchedules(past, {}, source.get_token()).error().code == base::ErrorCode::Cancelled);
    }
};

GPULEDGER_PLAIN_SUITE(TestSchedule)

} // namespace tst_schedule

#include "tst_schedule.moc"
