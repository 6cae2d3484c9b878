// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/schedule.h"

#include "app/savings/schedule/schedulehow.h"
#include "app/savings/schedule/schedulerun.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace gpuledger::savings {

using base::GpuTime;
using base::Result;
using base::Seconds;
using base::UtcTime;

namespace {

constexpr Seconds kScheduleHour{3600};
constexpr std::int32_t kFewestScheduleHours = 2 * kScheduleWeekHours;
constexpr int kScheduleSpreadWeeks = 3;
constexpr std::size_t kMostScheduleNames = 3;

OffHours scheduleBits(bool nights, bool weekends)
{
    constexpr int kNightFrom = 20, kNightTo = 7, kSaturday = 5;
    OffHours off;
    for (int i = 0; i < kScheduleWeekHours; ++i) {
        const int hour = i % 24;
        off[static_cast<std::size_t>(i)] =
            (nights && (hour >= kNightFrom || hour < kNightTo)) || (weekends && i / 24 >= kSaturday);
    }
    return off;
}

UtcTime fullLocalHour(UtcTime t, const base::TimeZone &zone, bool up)
{
    const std::int64_t past =
        ((zone.localSeconds(t) % kScheduleHour.count()) + kScheduleHour.count()) % kScheduleHour.count();
    return past == 0 ? t : t - Seconds{past} + (up ? kScheduleHour : Seconds{0});
}

std::vector<RemarkTerm> ofOffHours(std::int64_t part, std::int64_t all)
{
    return {countTerm(part), countTerm(all)};
}

class ScheduleWords {
public:
    ScheduleWords(const SchedulePast &past, const ScheduleRules &rules)
        : m_past(past)
        , m_rules(rules)
    {
    }

    Proposal proposal(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        const SchedulePolicy &policy = m_rules.policies[fate.policy];
        Proposal p;
        p.id = one.id;
        p.kind = Kind::Schedule;
        p.target = one.target;
        p.owner = one.owner;
        p.currency = std::string(m_past.currency.code());
        p.perMonth = fate.perMonth;
        p.avoidable = fate.avoidable;
        p.assumptions = assumptions(one, policy);
        p.evidence = evidence(one, fate);
        p.risks = risks(one, fate);
        p.excludedBy = exclusion(one, fate);
        p.resources = one.resources;
        if (!p.excludedBy)
            p.frees = std::make_shared<const std::vector<FreedTime>>(freedOf(one, fate));
        if (!p.excludedBy)
            p.how = scheduleHow(one, policy, scheduleZone(m_past, one.owner).name(), comingHolidays(one));
        return p;
    }

private:
    // The past is cut to whole weeks and the demand of commitments is not: the week before it is taken to be like its
    // first one, and an hour after it like the first of its last week.
    FreedTime longerPast(const ScheduleWorkload &one, const std::vector<GpuTime> &freed) const
    {
        FreedTime out{one.resources, m_past.start, freed};
        constexpr std::size_t kWeek = kScheduleWeekHours;
        if (freed.size() < 2 * kWeek)
            return out;
        out.start = m_past.start - base::Seconds{3600} * kScheduleWeekHours;
        out.hours.insert(out.hours.begin(), freed.begin(), freed.begin() + kWeek);
        out.hours.push_back(freed[freed.size() - kWeek]);
        return out;
    }

    // First what is on machines of its own.
    std::vector<FreedTime> freedOf(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        std::vector<FreedTime> out{longerPast(one, fate.freed)};
        for (const auto &shared : fate.shared) {
            std::vector<GpuTime> hours(static_cast<std::size_t>(m_past.hours));
            for (const auto &[hour, time] : shared->hours)
                hours[static_cast<std::size_t>(hour)] = time;
            FreedTime part = longerPast(one, hours);
            for (const std::int32_t workload : shared->workloads)
                part.once += std::to_string(workload) + ' ';
            withoutEmptyEnds(part);
            out.push_back(std::move(part));
        }
        return out;
    }

    // Machines are shared by many groups, each for a short time.
    static void withoutEmptyEnds(FreedTime &part)
    {
        const auto isSome = [](GpuTime time) { return time.ticks > 0; };
        part.hours.erase(std::find_if(part.hours.rbegin(), part.hours.rend(), isSome).base(), part.hours.end());
        const auto first = std::find_if(part.hours.begin(), part.hours.end(), isSome);
        part.start += kScheduleHour * (first - part.hours.begin());
        part.hours.erase(part.hours.begin(), first);
        part.hours.shrink_to_fit();
    }

    std::int32_t weeks() const { return m_past.hours / kScheduleWeekHours; }

    const ScheduleCalendar *calendarOf(const ScheduleWorkload &one) const
    {
        const auto own = m_past.calendars.find(one.owner);
        return own == m_past.calendars.end() ? nullptr : &own->second;
    }

    UtcTime end() const { return m_past.start + m_past.hours * kScheduleHour; }

    // Those of the year after the past.
    std::vector<std::int32_t> comingHolidays(const ScheduleWorkload &one) const
    {
        constexpr std::int32_t kYear = 366;
        const ScheduleCalendar *const own = calendarOf(one);
        if (!own)
            return {};
        const std::int32_t today = own->zone.localDay(end());
        return {own->holidays.lower_bound(today), own->holidays.upper_bound(today + kYear)};
    }

    // Which began within the past.
    std::int64_t pastHolidays(const ScheduleCalendar &own) const
    {
        return std::count_if(own.holidays.begin(), own.holidays.end(), [&](std::int32_t day) {
            const UtcTime start = own.zone.startOfLocalDay(day);
            return start >= m_past.start && start < end();
        });
    }

    std::vector<Assumption> assumptions(const ScheduleWorkload &one, const SchedulePolicy &policy) const
    {
        const auto percent = [](int value) { return std::to_string(value) + "%"; };
        return {{"policy", policy.name},
                {"off-hours", policy.hours},
                {"time-zone", scheduleZone(m_past, one.owner).name()},
                {"most-real-work", percent(m_rules.mostCutPercent)},
                {"most-unobserved", percent(m_rules.mostUnobservedPercent)},
                {"observed-hour", percent(m_rules.observedPercent)},
                {"schedule-scale-down-delay", std::to_string(m_rules.scaleDownDelay.count()) + "s"},
                {"hours-per-month", std::to_string(kHoursPerMonth)}};
    }

    std::vector<Evidence> evidence(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        const ScheduleCount &c = fate.count;
        std::vector<Evidence> out;
        const auto add = [&out](RemarkText label, RemarkTerm value) { out.push_back({{label, {}}, std::move(value)}); };
        const auto addHours = [&add](RemarkText label, std::int64_t hours) {
            add(label, hoursTerm(static_cast<double>(hours)));
        };
        if (one.why)
            add(RemarkText::ScheduledAs, remarkTerm(*one.why));
        if (const ScheduleCalendar *const own = calendarOf(one)) {
            add(RemarkText::TeamTimeZone, textTerm(own->zone.name()));
            add(RemarkText::TeamHolidays, countTerm(pastHolidays(*own)));
        }
        addHours(RemarkText::HoursReplayed, m_past.hours);
        addHours(RemarkText::HoursHeld, static_cast<std::int64_t>(one.hours.size()));
        addHours(RemarkText::HoursOff, c.held);
        addHours(RemarkText::HoursCut, c.cut);
        add(RemarkText::GpuHoursCut, hoursTerm(c.cutTime));
        addHours(RemarkText::HoursOffUnobserved, c.unobserved);
        addMoney(RemarkText::CostOfHoursOff, c.cost, out);
        addMoney(RemarkText::CostOfHoursCut, c.cutCost, out);
        if (fate.perMonth)
            addMoney(RemarkText::SavedInPast, fate.saved, out);
        for (const auto &[label, time] :
             {std::pair(RemarkText::GpuHoursSunk, one.sunk), std::pair(RemarkText::GpuHoursShared, one.shared),
              std::pair(RemarkText::GpuHoursOfUnknownTerms, one.unknown),
              std::pair(RemarkText::GpuHoursUnpriced, unpricedOf(one))}) {
            if (time.ticks > 0)
                add(label, hoursTerm(time));
        }
        return out;
    }

    // An amount that no Money can hold is left out.
    void addMoney(RemarkText label, ScheduleWide nanos, std::vector<Evidence> &out) const
    {
        if (nanos <= std::numeric_limits<std::int64_t>::max() && nanos >= std::numeric_limits<std::int64_t>::min())
            out.push_back({{label, {}}, amountTerm(base::Money(static_cast<std::int64_t>(nanos), m_past.currency))});
    }

    std::vector<Remark> risks(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        std::vector<Remark> out;
        if (fate.count.cut > 0)
            out.push_back({RemarkText::WorkCutAtRisk, ofOffHours(fate.count.cut, fate.count.held)});
        if (fate.count.unobserved > 0)
            out.push_back({RemarkText::UnobservedAtRisk, ofOffHours(fate.count.unobserved, fate.count.held)});
        if (fate.perMonth && weeks() < kScheduleSpreadWeeks)
            out.push_back({RemarkText::SpreadUnknown, {countTerm(weeks())}});
        if (!fate.with.empty())
            out.push_back(others(fate.with));
        if (fate.perMonth && unpricedOf(one).ticks > 0)
            out.push_back({RemarkText::PartUnpriced, {}});
        out.push_back({RemarkText::MemoryLost, {}});
        if (one.controllerName.empty())
            out.push_back({RemarkText::NoController, {}});
        return out;
    }

    std::optional<Remark> exclusion(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        switch (fate.limit) {
        case ScheduleLimit::Protected:
            return Remark{RemarkText::ProtectedBy, {protectionTerm(one.protection)}};
        case ScheduleLimit::Young:
            return Remark{RemarkText::TooYoung, {}};
        case ScheduleLimit::Unpriced:
            return Remark{RemarkText::TooMuchUnpriced, {}};
        case ScheduleLimit::Unobserved:
            return Remark{RemarkText::Unobserved, ofOffHours(fate.count.unobserved, fate.count.held)};
        case ScheduleLimit::RealWork:
            return Remark{RemarkText::WorkRan, ofOffHours(fate.count.cut, fate.count.held)};
        case ScheduleLimit::None:
        case ScheduleLimit::Ended:
            break;
        }
        if (!fate.perMonth)
            return Remark{RemarkText::MachinesOfUnknownTerms, {}};
        return fate.saved > 0 ? std::nullopt : std::optional(Remark{withoutSaving(one, fate), {}});
    }

    RemarkText withoutSaving(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        if (fate.count.held == 0)
            return RemarkText::HeldNothingOff;
        if (fate.count.cost == 0)
            return RemarkText::HoursOffFree;
        // The largest share of what it held is the reason.
        const GpuTime ended = heldOf(one) - (one.sunk + one.shared + one.unknown);
        if (ended >= std::max({one.sunk, one.shared, one.unknown}))
            return fate.ending != 0 ? RemarkText::NothingIdleOff : RemarkText::OthersKeepMachines;
        if (one.sunk >= one.shared && one.sunk >= one.unknown && one.sunk.ticks > 0)
            return RemarkText::MachinesSunk;
        return one.unknown > one.shared ? RemarkText::MachinesOfUnknownTerms : RemarkText::OthersKeepMachines;
    }

    static GpuTime heldOf(const ScheduleWorkload &one)
    {
        GpuTime sum;
        for (const ScheduleHour &h : one.hours)
            sum += h.held;
        return sum;
    }

    static GpuTime unpricedOf(const ScheduleWorkload &one)
    {
        GpuTime sum;
        for (const ScheduleHour &h : one.hours)
            sum += h.unpriced;
        return sum;
    }

    Remark others(const std::set<std::int32_t> &with) const
    {
        std::string names;
        std::size_t named = 0;
        for (const std::int32_t other : with) {
            if (named++ == kMostScheduleNames)
                return {RemarkText::SharesMachinesWithMore,
                        {textTerm(names), countTerm(static_cast<std::int64_t>(with.size() - kMostScheduleNames))}};
            names += (names.empty() ? "" : ", ") + m_past.workloads[static_cast<std::size_t>(other)].target;
        }
        return {RemarkText::SharesMachinesWith, {textTerm(names)}};
    }

    const SchedulePast &m_past;
    const ScheduleRules &m_rules;
};

// Means over the weeks; an hour in which it held nothing counts as zero.
ProposalCurve weekOf(const SchedulePast &past, const ScheduleWorkload &one, const OffHours &off)
{
    const base::TimeZone &zone = scheduleZone(past, one.owner);
    std::vector<double> count(kScheduleWeekHours, 0), held = count, active = count;
    const auto addTo = [&](std::vector<double> &week, std::int32_t hour, double value) {
        const base::UtcTime at = past.start + hour * kScheduleHour;
        for (int i = 0; i < kScheduleHourQuarters; ++i)
            week[static_cast<std::size_t>(zone.hourOfWeek(at + i * kScheduleHour / kScheduleHourQuarters))] +=
                value / kScheduleHourQuarters;
    };
    for (std::int32_t hour = 0; hour < past.hours; ++hour)
        addTo(count, hour, 1);
    for (const ScheduleHour &hour : one.hours) {
        addTo(held, hour.hour, hour.held.hours());
        addTo(active, hour.hour, hour.active.hours());
    }
    ProposalCurve out;
    out.shape = ProposalCurve::Shape::Week;
    out.title = {RemarkText::CurveOfWeek, {}};
    out.xAxis = {{RemarkText::CurveWeekHour, {}}, CurveUnit::WeekHour, {}};
    out.yAxis = {{RemarkText::CurveGpus, {}}, CurveUnit::Gpus, {}};
    out.shadedName = {RemarkText::CurveOffHours, {}};
    for (std::size_t i = 0; i < count.size(); ++i) {
        const double hours = count[i] > 0 ? count[i] : 1;
        held[i] /= hours;
        active[i] /= hours;
        out.x.push_back(static_cast<double>(i));
        out.shaded.push_back(off[i]);
    }
    out.lines = {{{RemarkText::CurveHeld, {}}, std::move(held)}, {{RemarkText::CurveActive, {}}, std::move(active)}};
    return out;
}

} // namespace

const std::vector<SchedulePolicy> &schedulePolicies()
{
    static const std::vector<SchedulePolicy> kPolicies{
        {"nights", "daily 20:00-07:00", "0 20 * * *", "0 7 * * *", scheduleBits(true, false)},
        {"weekends", "Saturday and Sunday", "0 0 * * 6", "0 0 * * 1", scheduleBits(false, true)},
        {"nights and weekends", "weekdays 20:00-07:00, Saturday and Sunday", "0 20 * * 1-5", "0 7 * * 1-5",
         scheduleBits(true, true)}};
    return kPolicies;
}

const base::TimeZone &scheduleZone(const SchedulePast &past, const std::string &owner)
{
    const auto own = past.calendars.find(owner);
    return own == past.calendars.end() ? past.zone : own->second.zone;
}

base::TimeRange scheduleRange(base::TimeRange range, const base::TimeZone &zone)
{
    const base::TimeRange full{fullLocalHour(range.start, zone, true), fullLocalHour(range.end, zone, false)};
    const std::int64_t hours = full.length() / kScheduleHour;
    if (hours < kFewestScheduleHours)
        return {full.start, full.start + hours * kScheduleHour};
    const std::int64_t whole = hours / kScheduleWeekHours * kScheduleWeekHours;
    return {full.end - whole * kScheduleHour, full.end};
}

Result<std::optional<ProposalCurve>> scheduleCurve(const SchedulePast &past, const std::string &id,
                                                   const ScheduleRules &rules, const std::stop_token &stop)
{
    const auto one = std::find_if(past.workloads.begin(), past.workloads.end(),
                                  [&](const ScheduleWorkload &workload) { return workload.id == id; });
    if (one == past.workloads.end() || past.hours < kScheduleWeekHours)
        return std::optional<ProposalCurve>();
    const auto fates = scheduleFates(past, rules, stop);
    GPULEDGER_TRY(fates);
    const ScheduleFate &fate = (*fates)[static_cast<std::size_t>(one - past.workloads.begin())];
    return std::optional(weekOf(past, *one, rules.policies[fate.policy].off));
}

Result<std::vector<Proposal>> replaySchedules(const SchedulePast &past, const ScheduleRules &rules,
                                              const std::stop_token &stop)
{
    const auto fates = scheduleFates(past, rules, stop);
    GPULEDGER_TRY(fates);
    const ScheduleWords words(past, rules);
    std::vector<Proposal> out;
    for (std::size_t i = 0; i < fates->size(); ++i) {
        if ((*fates)[i].limit != ScheduleLimit::Ended)
            out.push_back(words.proposal(past.workloads[i], (*fates)[i]));
    }
    return out;
}

} // namespace gpuledger::savings
