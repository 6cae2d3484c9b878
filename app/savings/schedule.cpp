// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule.h"

#include "app/savings/schedulehow.h"
#include "app/savings/schedulerun.h"

#include <algorithm>
#include <array>
#include <charconv>

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

std::string scheduleFixed(double value, int decimals)
{
    std::array<char, 64> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
    return {text.data(), end};
}

// Rounded half away from zero to two decimals, for reading: "12.34 USD".
std::string scheduleMoney(ScheduleWide nanos, base::Currency currency)
{
    constexpr std::int64_t kCent = base::Money::kNanosPerUnit / 100;
    const auto cents = static_cast<std::int64_t>(((nanos < 0 ? -nanos : nanos) + kCent / 2) / kCent);
    const std::string rest = std::to_string(cents % 100);
    return (nanos < 0 && cents > 0 ? "-" : "") + std::to_string(cents / 100) + (rest.size() < 2 ? ".0" : ".") + rest
        + " " + std::string(currency.code());
}

std::string scheduleHoursText(std::int64_t hours)
{
    return scheduleFixed(static_cast<double>(hours), 1);
}

std::string ofOffHours(std::int64_t part, std::int64_t all)
{
    return std::to_string(part) + " of " + std::to_string(all) + " off hours";
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
        p.assumptions = assumptions(policy);
        p.evidence = evidence(one, fate);
        p.risks = risks(one, fate);
        p.excludedBy = exclusion(one, fate);
        p.resources = one.resources;
        if (p.excludedBy.empty())
            p.how = scheduleHow(one, policy, m_past.zone.name());
        return p;
    }

private:
    std::int32_t weeks() const { return m_past.hours / kScheduleWeekHours; }

    std::vector<Assumption> assumptions(const SchedulePolicy &policy) const
    {
        const auto percent = [](int value) { return std::to_string(value) + "%"; };
        return {{"policy", policy.name},
                {"off-hours", policy.hours},
                {"time-zone", m_past.zone.name()},
                {"most-real-work", percent(m_rules.mostCutPercent)},
                {"most-unobserved", percent(m_rules.mostUnobservedPercent)},
                {"observed-hour", percent(m_rules.observedPercent)},
                {"schedule-scale-down-delay", std::to_string(m_rules.scaleDownDelay.count()) + "s"},
                {"hours-per-month", std::to_string(kHoursPerMonth)}};
    }

    std::vector<std::pair<std::string, std::string>> evidence(const ScheduleWorkload &one,
                                                              const ScheduleFate &fate) const
    {
        const ScheduleCount &c = fate.count;
        std::vector<std::pair<std::string, std::string>> out{
            {"can be scheduled as", one.why},
            {"hours replayed", scheduleHoursText(m_past.hours)},
            {"hours held", scheduleHoursText(static_cast<std::int64_t>(one.hours.size()))},
            {"hours off", scheduleHoursText(c.held)},
            {"hours with real work cut", scheduleHoursText(c.cut)},
            {"GPU-hours of real work cut", scheduleFixed(c.cutTime.hours(), 1)},
            {"hours off that were not observed", scheduleHoursText(c.unobserved)},
            {"cost of the hours off", scheduleMoney(c.cost, m_past.currency)},
            {"cost of the hours with real work cut", scheduleMoney(c.cutCost, m_past.currency)}};
        if (fate.perMonth)
            out.emplace_back("saved in the past replayed", scheduleMoney(fate.saved, m_past.currency));
        const auto add = [&](const char *label, GpuTime time) {
            if (time.ticks > 0)
                out.emplace_back(label, scheduleFixed(time.hours(), 1));
        };
        add("GPU-hours committed or on own machines", one.sunk);
        add("GPU-hours on machines that others used", one.shared);
        add("GPU-hours on machines of unknown terms", one.unknown);
        add("GPU-hours without a price", unpricedOf(one));
        return out;
    }

    std::vector<std::string> risks(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        std::vector<std::string> out;
        if (fate.count.cut > 0)
            out.push_back("real work ran in " + ofOffHours(fate.count.cut, fate.count.held)
                          + " and would have been cut; these hours count as no saving");
        if (fate.count.unobserved > 0)
            out.push_back("it was not observed in " + ofOffHours(fate.count.unobserved, fate.count.held)
                          + "; these hours count as no saving");
        if (fate.perMonth && weeks() < kScheduleSpreadWeeks)
            out.push_back("only " + std::to_string(weeks()) + " whole weeks of data, so the spread is not known");
        if (!fate.with.empty())
            out.push_back("part of the cost ends only if the schedule also stops what shares its machines: "
                          + names(fate.with));
        if (fate.perMonth && unpricedOf(one).ticks > 0)
            out.emplace_back("part of what it held has no price and counts as no saving");
        out.emplace_back("what it keeps in memory is lost at each stop");
        if (one.controllerName.empty())
            out.emplace_back("no controller starts the pod again");
        return out;
    }

    std::string exclusion(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        switch (fate.limit) {
        case ScheduleLimit::Protected:
            return "it is protected: " + one.protection;
        case ScheduleLimit::Young:
            return "fewer than 14 days of data";
        case ScheduleLimit::Unpriced:
            return "too much of what it held has no price";
        case ScheduleLimit::Unobserved:
            return "it was not observed in " + ofOffHours(fate.count.unobserved, fate.count.held);
        case ScheduleLimit::RealWork:
            return "real work ran in " + ofOffHours(fate.count.cut, fate.count.held);
        case ScheduleLimit::None:
        case ScheduleLimit::Ended:
            break;
        }
        if (!fate.perMonth)
            return "nothing shows whether its machines are rented";
        return fate.saved > 0 ? std::string() : withoutSaving(one, fate);
    }

    std::string withoutSaving(const ScheduleWorkload &one, const ScheduleFate &fate) const
    {
        if (fate.count.held == 0)
            return "it held nothing in the off hours";
        if (fate.count.cost == 0)
            return "the hours off cost nothing";
        // The largest share of what it held is the reason.
        const std::string others = "others keep its machines running in the off hours";
        const GpuTime ended = heldOf(one) - (one.sunk + one.shared + one.unknown);
        if (ended >= std::max({one.sunk, one.shared, one.unknown}))
            return fate.ending != 0 ? "nothing was idle in the off hours" : others;
        if (one.sunk >= one.shared && one.sunk >= one.unknown && one.sunk.ticks > 0)
            return "the cost of its machines does not end: committed or own hardware";
        if (one.unknown > one.shared)
            return "nothing shows whether its machines are rented";
        return others;
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

    std::string names(const std::set<std::int32_t> &with) const
    {
        std::string text;
        std::size_t named = 0;
        for (const std::int32_t other : with) {
            if (named++ == kMostScheduleNames)
                return text + " and " + std::to_string(with.size() - kMostScheduleNames) + " more";
            text += (text.empty() ? "" : ", ") + m_past.workloads[static_cast<std::size_t>(other)].target;
        }
        return text;
    }

    const SchedulePast &m_past;
    const ScheduleRules &m_rules;
};

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

base::TimeRange scheduleRange(base::TimeRange range, const base::TimeZone &zone)
{
    const base::TimeRange full{fullLocalHour(range.start, zone, true), fullLocalHour(range.end, zone, false)};
    const std::int64_t hours = full.length() / kScheduleHour;
    if (hours < kFewestScheduleHours)
        return {full.start, full.start + hours * kScheduleHour};
    const std::int64_t whole = hours / kScheduleWeekHours * kScheduleWeekHours;
    return {full.end - whole * kScheduleHour, full.end};
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
