// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/schedulerun.h"

#include "app/savings/proposals/seededrandom.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace gpuledger::savings {

using base::GpuTime;
using base::Money;
using base::Result;

namespace {

constexpr int kScheduleDraws = 2'000;
constexpr std::int32_t kScheduleTwoWeeks = 2 * kScheduleWeekHours;
constexpr std::uint8_t kScheduleHoliday = 255; // in place of an hour of the week

bool isAboveShare(ScheduleWide part, int percent, ScheduleWide whole)
{
    return part * 100 > whole * percent;
}

// amount / hours x 730, rounded down.
std::optional<Money> scheduleMonth(ScheduleWide amount, std::int64_t hours, base::Currency currency)
{
    const ScheduleWide month = hours > 0 ? amount * kHoursPerMonth / hours : 0;
    if (month > std::numeric_limits<std::int64_t>::max() || month < std::numeric_limits<std::int64_t>::min())
        return std::nullopt;
    return Money(static_cast<std::int64_t>(month), currency);
}

Money lesserOf(Money a, Money b)
{
    return b.nanos() < a.nanos() ? b : a;
}

// The quantiles of the mean of resampled weeks.
std::array<ScheduleWide, 3> resampledWeeks(const std::vector<ScheduleWide> &weeks, std::uint64_t seed)
{
    const bool varies = std::any_of(weeks.begin(), weeks.end(), [&](ScheduleWide one) { return one != weeks[0]; });
    const int draws = varies ? kScheduleDraws : 1; // else all draws are the same
    std::vector<ScheduleWide> sums(static_cast<std::size_t>(draws), 0);
    for (int draw = 0; draw < draws; ++draw) {
        SeededRandom random(seed, static_cast<std::uint64_t>(draw));
        for (std::size_t i = 0; i < weeks.size(); ++i)
            sums[static_cast<std::size_t>(draw)] +=
                weeks[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(weeks.size())))];
    }
    std::sort(sums.begin(), sums.end());
    const auto at = [&](int percent) { return sums[static_cast<std::size_t>((draws - 1) * percent / 100)]; };
    return {at(10), at(50), at(90)};
}

class ScheduleRun {
public:
    ScheduleRun(const SchedulePast &past, const ScheduleRules &rules, std::optional<std::size_t> detailed)
        : m_past(past)
        , m_rules(rules)
        , m_detailed(detailed)
    {
        m_tables.push_back(hoursOf({past.zone, {}}));
        std::map<std::string, std::size_t> tables; // by owner
        for (const auto &[owner, calendar] : past.calendars) {
            tables.emplace(owner, m_tables.size());
            m_tables.push_back(hoursOf(calendar));
        }
        for (const ScheduleWorkload &one : past.workloads) {
            const auto own = tables.find(one.owner);
            m_tableOf.push_back(own == tables.end() ? 0 : own->second);
        }
        for (const SchedulePolicy &policy : rules.policies)
            m_hasOff.push_back(policy.off.any());
    }

    Result<std::vector<ScheduleFate>> run(const std::stop_token &stop)
    {
        const auto &all = m_past.workloads;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            m_quiet.push_back(quietHours(all[i]));
            m_fates.push_back(chosen(i));
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            if (hasAmount(m_fates[i].limit))
                GPULEDGER_TRY(valueOne(i));
            if (m_fates[i].limit == ScheduleLimit::None)
                freeOne(i);
        }
        return std::move(m_fates);
    }

private:
    static bool hasAmount(ScheduleLimit limit)
    {
        return limit != ScheduleLimit::Ended && limit != ScheduleLimit::Young && limit != ScheduleLimit::Unpriced;
    }
    // The hour of the week of each hour of the past.
    std::vector<std::uint8_t> hoursOf(const ScheduleCalendar &calendar) const
    {
        std::vector<std::uint8_t> hours;
        hours.reserve(static_cast<std::size_t>(m_past.hours));
        for (std::int32_t h = 0; h < m_past.hours; ++h) {
            const base::UtcTime at = m_past.start + h * base::Seconds{3600};
            const bool isHoliday = calendar.holidays.contains(calendar.zone.localDay(at));
            hours.push_back(isHoliday ? kScheduleHoliday : static_cast<std::uint8_t>(calendar.zone.hourOfWeek(at)));
        }
        return hours;
    }
    bool isOff(std::size_t workload, std::size_t policy, std::int32_t hour) const
    {
        const std::uint8_t local = m_tables[m_tableOf[workload]][static_cast<std::size_t>(hour)];
        return local == kScheduleHoliday ? m_hasOff[policy] : m_rules.policies[policy].off[local];
    }
    bool isSeen(const ScheduleHour &h) const
    {
        return ScheduleWide{(h.held - h.unobserved).ticks} * 100
            >= ScheduleWide{h.held.ticks} * m_rules.observedPercent;
    }

    // The hours in which it held something, was observed and did no work.
    std::vector<bool> quietHours(const ScheduleWorkload &one) const
    {
        std::vector<bool> quiet(static_cast<std::size_t>(m_past.hours), false);
        for (const ScheduleHour &h : one.hours)
            quiet[static_cast<std::size_t>(h.hour)] = h.active.ticks == 0 && isSeen(h);
        return quiet;
    }

    ScheduleCount countOf(std::size_t index, std::size_t policy) const
    {
        ScheduleCount count;
        for (const ScheduleHour &h : m_past.workloads[index].hours) {
            if (!isOff(index, policy, h.hour))
                continue;
            ++count.held;
            count.cost += h.cost;
            if (h.active.ticks > 0) {
                ++count.cut;
                count.cutTime += h.active;
                count.cutCost += h.cost;
            } else if (!isSeen(h)) {
                ++count.unobserved;
            }
        }
        return count;
    }

    ScheduleLimit limitOf(const ScheduleWorkload &one) const
    {
        if (one.hours.empty() || one.hours.back().hour < m_past.hours - kScheduleWeekHours)
            return ScheduleLimit::Ended;
        if (!one.protection.empty())
            return ScheduleLimit::Protected;
        if (m_past.hours - one.hours.front().hour < kScheduleTwoWeeks)
            return ScheduleLimit::Young;
        ScheduleWide held = 0, unpriced = 0;
        for (const ScheduleHour &h : one.hours) {
            held += h.held.ticks;
            unpriced += h.unpriced.ticks;
        }
        return isAboveShare(unpriced, m_rules.mostUnpricedPercent, held) ? ScheduleLimit::Unpriced
                                                                         : ScheduleLimit::None;
    }
    ScheduleLimit limitOf(const ScheduleCount &count) const
    {
        if (isAboveShare(count.unobserved, m_rules.mostUnobservedPercent, count.held))
            return ScheduleLimit::Unobserved;
        return isAboveShare(count.cut, m_rules.mostCutPercent, count.held - count.unobserved) ? ScheduleLimit::RealWork
                                                                                              : ScheduleLimit::None;
    }

    // What a policy could save if everybody else took part.
    ScheduleWide possible(std::size_t index, std::size_t policy, const std::vector<bool> &quiet) const
    {
        ScheduleWide sum = 0;
        for (const ScheduleEnding &e : m_past.workloads[index].endings)
            sum += isOff(index, policy, e.hour) && quiet[static_cast<std::size_t>(e.hour)] ? e.idle : 0;
        return sum;
    }

    ScheduleFate chosen(std::size_t index) const
    {
        ScheduleFate fate;
        fate.limit = limitOf(m_past.workloads[index]);
        fate.policy = m_rules.policies.size() - 1;
        fate.count = countOf(index, fate.policy);
        if (fate.limit != ScheduleLimit::None)
            return fate;
        fate.limit = limitOf(fate.count);
        std::optional<ScheduleWide> best;
        for (std::size_t p = m_rules.policies.size(); p-- > 0;) {
            const ScheduleCount count = countOf(index, p);
            if (limitOf(count) != ScheduleLimit::None)
                continue;
            const ScheduleWide sum = possible(index, p, m_quiet.back());
            if (best && *best >= sum)
                continue;
            best = sum;
            fate.limit = ScheduleLimit::None;
            fate.policy = p;
            fate.count = count;
        }
        return fate;
    }

    bool isFree(const ScheduleEnding &e) const
    {
        const auto &group = m_past.groups[static_cast<std::size_t>(e.with)];
        return std::all_of(group.begin(), group.end(), [&](std::int32_t other) {
            const auto i = static_cast<std::size_t>(other);
            return m_fates[i].limit == ScheduleLimit::None && isOff(i, m_fates[i].policy, e.hour)
                && m_quiet[i][static_cast<std::size_t>(e.hour)];
        });
    }

    bool isStopped(std::size_t index, std::int32_t hour) const
    {
        return m_fates[index].limit == ScheduleLimit::None && isOff(index, m_fates[index].policy, hour);
    }

    // What ends in an hour, rounded up: nobody starts the machine again, whatever the past says of the hour. Only a
    // machine that nobody had stopped before stays on for the delay.
    void freeOne(std::size_t index)
    {
        const ScheduleWorkload &one = m_past.workloads[index];
        ScheduleFate &fate = m_fates[index];
        std::map<std::int32_t, ScheduleShared *> shared; // by group
        for (const ScheduleEnding &e : one.endings) {
            const auto &group = m_past.groups[static_cast<std::size_t>(e.with)];
            const auto stopped = [&](std::int32_t hour) {
                return [this, hour](std::int32_t other) { return isStopped(static_cast<std::size_t>(other), hour); };
            };
            if (!isStopped(index, e.hour) || !std::all_of(group.begin(), group.end(), stopped(e.hour)))
                continue;
            const bool goesOn = e.hour == 0 || isStopped(index, e.hour - 1)
                || std::any_of(group.begin(), group.end(), stopped(e.hour - 1));
            if (group.empty()) {
                fate.freed.resize(static_cast<std::size_t>(m_past.hours));
                fate.freed[static_cast<std::size_t>(e.hour)] += freedOf(e, goesOn);
                continue;
            }
            const auto [at, isNew] = shared.try_emplace(e.with);
            if (isNew)
                at->second = sharedWith(index, group);
            at->second->hours[e.hour] += freedOf(e, goesOn);
        }
    }

    GpuTime freedOf(const ScheduleEnding &e, bool goesOn) const
    {
        constexpr std::int64_t kHour = 3600;
        const std::int64_t ends = goesOn ? kHour : std::max<std::int64_t>(kHour - m_rules.scaleDownDelay.count(), 0);
        return {static_cast<std::int64_t>((ScheduleWide{e.machine.ticks} * ends + kHour - 1) / kHour)};
    }

    ScheduleShared *sharedWith(std::size_t index, const std::vector<std::int32_t> &group)
    {
        std::vector<std::int32_t> all = group;
        all.push_back(static_cast<std::int32_t>(index));
        std::sort(all.begin(), all.end());
        std::shared_ptr<ScheduleShared> &found = m_shared[all];
        if (!found)
            found = std::make_shared<ScheduleShared>(ScheduleShared{all, {}});
        m_fates[index].shared.push_back(found);
        return found.get();
    }

    Result<void> valueOne(std::size_t index)
    {
        const ScheduleWorkload &one = m_past.workloads[index];
        ScheduleFate &fate = m_fates[index];
        const auto count = static_cast<std::size_t>(m_past.hours / kScheduleWeekHours);
        std::vector<ScheduleWide> weeks(count, 0);
        const bool isDetailed = m_detailed == index;
        if (isDetailed) {
            fate.savedByHour = fate.endingByHour = std::vector<ScheduleWide>(static_cast<std::size_t>(m_past.hours), 0);
            for (std::int32_t hour = 0; hour < m_past.hours; ++hour)
                fate.off.push_back(isOff(index, fate.policy, hour));
        }
        std::int32_t now = -2, before = -2; // the hours with a saving
        for (const ScheduleEnding &e : one.endings) {
            if (!isFree(e))
                continue;
            fate.ending += e.cost;
            if (isDetailed)
                fate.endingByHour[static_cast<std::size_t>(e.hour)] += e.cost;
            if (!isOff(index, fate.policy, e.hour) || !m_quiet[index][static_cast<std::size_t>(e.hour)] || e.idle <= 0)
                continue;
            if (e.hour != now)
                before = std::exchange(now, e.hour);
            const bool goesOn = before == e.hour - 1;
            const ScheduleWide saved =
                goesOn ? ScheduleWide{e.idle} : ScheduleWide{e.idle} * (3600 - m_rules.scaleDownDelay.count()) / 3600;
            fate.saved += saved;
            if (isDetailed)
                fate.savedByHour[static_cast<std::size_t>(e.hour)] += saved;
            if (const auto week = static_cast<std::size_t>(e.hour / kScheduleWeekHours); week < count)
                weeks[week] += saved;
            const auto &group = m_past.groups[static_cast<std::size_t>(e.with)];
            fate.with.insert(group.begin(), group.end());
        }
        return addMonth(fate, one, weeks);
    }

    Result<void> addMonth(ScheduleFate &fate, const ScheduleWorkload &one, const std::vector<ScheduleWide> &weeks) const
    {
        const bool isKnown = !one.endings.empty() || one.unknown.ticks == 0;
        const auto avoidable = scheduleMonth(fate.ending, m_past.hours, m_past.currency);
        const auto mean = scheduleMonth(fate.saved, m_past.hours, m_past.currency);
        std::array<std::optional<Money>, 3> band{mean, mean, mean};
        if (weeks.size() >= kScheduleFewestWeeks) {
            const auto sums = resampledWeeks(weeks, m_rules.seed);
            for (std::size_t i = 0; i < sums.size(); ++i)
                band[i] = scheduleMonth(sums[i], static_cast<std::int64_t>(weeks.size()) * kScheduleWeekHours,
                                        m_past.currency);
        }
        if (!avoidable || !band[0] || !band[1] || !band[2])
            return base::fail(base::ErrorCode::Overflow, "an amount of a schedule is too large");
        if (!isKnown)
            return {};
        const Money most(std::max<std::int64_t>(avoidable->nanos(), 0), m_past.currency); // credits end nothing
        fate.avoidable = most;
        fate.perMonth = MoneyBand{lesserOf(*band[0], most), lesserOf(*band[1], most), lesserOf(*band[2], most)};
        return {};
    }

    const SchedulePast &m_past;
    const ScheduleRules &m_rules;
    const std::optional<std::size_t> m_detailed;
    std::vector<std::vector<std::uint8_t>> m_tables; // hours of the past as those of a calendar; [0]: the past's zone
    std::vector<std::size_t> m_tableOf; // by workload
    std::vector<bool> m_hasOff; // by policy
    std::vector<std::vector<bool>> m_quiet; // by workload
    std::vector<ScheduleFate> m_fates;
    std::map<std::vector<std::int32_t>, std::shared_ptr<ScheduleShared>> m_shared; // by workloads
};

} // namespace

Result<std::vector<ScheduleFate>> scheduleFates(const SchedulePast &past, const ScheduleRules &rules,
                                                const std::stop_token &stop, std::optional<std::size_t> detailed)
{
    return ScheduleRun(past, rules, detailed).run(stop);
}

} // namespace gpuledger::savings
