// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/schedulerun.h"

#include "app/savings/proposals/seededrandom.h"

#include <algorithm>
#include <array>
#include <bit>
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
constexpr base::Seconds kScheduleQuarter{900}; // no zone's clock differs from others by parts of it
constexpr std::uint8_t kScheduleAllQuarters = 0b1111, kScheduleLastQuarter = 0b1000;

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

std::int64_t secondsOf(int quarters) // a bit for each
{
    return std::popcount(static_cast<unsigned>(quarters)) * kScheduleQuarter.count();
}

class ScheduleRun {
public:
    ScheduleRun(const SchedulePast &past, const ScheduleRules &rules, std::optional<std::size_t> detailed)
        : m_past(past)
        , m_rules(rules)
        , m_detailed(detailed)
    {
        m_tables.push_back(quartersOf({past.zone, {}}));
        std::map<std::string, std::size_t> tables; // by owner
        for (const auto &[owner, calendar] : past.calendars) {
            tables.emplace(owner, m_tables.size());
            m_tables.push_back(quartersOf(calendar));
        }
        for (const ScheduleWorkload &one : past.workloads) {
            const auto own = tables.find(one.owner);
            m_tableOf.push_back(own == tables.end() ? 0 : own->second);
        }
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
    // The quarters that are off of each hour of the past, by policy. An hour of the past may lie in two local ones.
    using OffQuarters = std::vector<std::vector<std::uint8_t>>;
    OffQuarters quartersOf(const ScheduleCalendar &calendar) const
    {
        OffQuarters out(m_rules.policies.size(), std::vector<std::uint8_t>(static_cast<std::size_t>(m_past.hours), 0));
        base::UtcTime at = m_past.start;
        for (std::size_t hour = 0; hour < static_cast<std::size_t>(m_past.hours); ++hour) {
            for (int i = 0; i < kScheduleHourQuarters; ++i, at += kScheduleQuarter) {
                const bool isHoliday = calendar.holidays.contains(calendar.zone.localDay(at));
                const auto ofWeek = static_cast<std::size_t>(calendar.zone.hourOfWeek(at));
                for (std::size_t p = 0; p < out.size(); ++p) {
                    const OffHours &off = m_rules.policies[p].off;
                    if (isHoliday ? off.any() : off[ofWeek])
                        out[p][hour] |= static_cast<std::uint8_t>(1 << i);
                }
            }
        }
        return out;
    }
    std::uint8_t offAt(std::size_t workload, std::size_t policy, std::int32_t hour) const
    {
        return m_tables[m_tableOf[workload]][policy][static_cast<std::size_t>(hour)];
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
        std::int64_t held = 0, cut = 0, unobserved = 0; // quarters of hours
        for (const ScheduleHour &h : m_past.workloads[index].hours) {
            const int off = std::popcount(offAt(index, policy, h.hour));
            if (off == 0)
                continue;
            held += off;
            count.cost += quartersOfAmount(h.cost, off);
            if (const GpuTime work = scheduleCut(h, off); work.ticks > 0) {
                cut += off;
                count.cutTime += work;
                count.cutCost += quartersOfAmount(h.cost, off);
            } else if (!isSeen(h)) {
                unobserved += off;
            }
        }
        const auto atLeast = [](std::int64_t q) { return (q + kScheduleHourQuarters - 1) / kScheduleHourQuarters; };
        count.held = atLeast(held);
        count.cut = atLeast(cut);
        count.unobserved = unobserved / kScheduleHourQuarters;
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
            sum += quiet[static_cast<std::size_t>(e.hour)]
                ? quartersOfAmount(e.idle, std::popcount(offAt(index, policy, e.hour)))
                : 0;
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

    // The quarters in which nobody else keeps the machine.
    std::uint8_t freeQuarters(const ScheduleEnding &e) const
    {
        std::uint8_t free = kScheduleAllQuarters;
        for (const std::int32_t other : m_past.groups[static_cast<std::size_t>(e.with)]) {
            const auto i = static_cast<std::size_t>(other);
            if (!m_quiet[i][static_cast<std::size_t>(e.hour)])
                return 0;
            free &= stoppedAt(i, e.hour);
        }
        return free;
    }

    std::uint8_t stoppedAt(std::size_t index, std::int32_t hour) const
    {
        return m_fates[index].limit == ScheduleLimit::None ? offAt(index, m_fates[index].policy, hour) : 0;
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
            std::uint8_t stopped = stoppedAt(index, e.hour);
            for (const std::int32_t other : group)
                stopped &= stoppedAt(static_cast<std::size_t>(other), e.hour);
            if (stopped == 0)
                continue;
            const bool goesOn = e.hour == 0 || stoppedAt(index, e.hour - 1) != 0
                || std::any_of(group.begin(), group.end(), [&](std::int32_t other) {
                                    return stoppedAt(static_cast<std::size_t>(other), e.hour - 1) != 0;
                                });
            if (group.empty()) {
                fate.freed.resize(static_cast<std::size_t>(m_past.hours));
                fate.freed[static_cast<std::size_t>(e.hour)] += freedOf(e, stopped, goesOn);
                continue;
            }
            const auto [at, isNew] = shared.try_emplace(e.with);
            if (isNew)
                at->second = sharedWith(index, group);
            at->second->hours[e.hour] += freedOf(e, stopped, goesOn);
        }
    }

    GpuTime freedOf(const ScheduleEnding &e, std::uint8_t stopped, bool goesOn) const
    {
        constexpr std::int64_t kHour = 3600;
        const std::int64_t off = secondsOf(stopped);
        const std::int64_t ends = goesOn ? off : std::max<std::int64_t>(off - m_rules.scaleDownDelay.count(), 0);
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
                fate.off.push_back(std::popcount(offAt(index, fate.policy, hour)));
        }
        std::int32_t now = -2; // the last hour with a saving
        std::int64_t stays = 0; // seconds for which the machine stays on in it
        for (const ScheduleEnding &e : one.endings) {
            const std::uint8_t free = freeQuarters(e);
            const ScheduleWide ending = quartersOfAmount(e.cost, std::popcount(free));
            fate.ending += ending;
            if (isDetailed)
                fate.endingByHour[static_cast<std::size_t>(e.hour)] += ending;
            const std::uint8_t off = offAt(index, fate.policy, e.hour);
            if ((off & free) == 0 || !m_quiet[index][static_cast<std::size_t>(e.hour)] || e.idle <= 0)
                continue;
            if (e.hour != now) {
                const std::uint8_t last = now == e.hour - 1 ? offAt(index, fate.policy, now) : 0;
                const bool goesOn = (last & kScheduleLastQuarter) != 0 && (off & 1) != 0;
                stays = goesOn ? std::max<std::int64_t>(stays - secondsOf(last), 0) : m_rules.scaleDownDelay.count();
                now = e.hour;
            }
            const ScheduleWide saved =
                ScheduleWide{e.idle} * std::max<std::int64_t>(secondsOf(off & free) - stays, 0) / 3600;
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
    std::vector<OffQuarters> m_tables; // by calendar; [0]: the past's zone
    std::vector<std::size_t> m_tableOf; // by workload
    std::vector<std::vector<bool>> m_quiet; // by workload
    std::vector<ScheduleFate> m_fates;
    std::map<std::vector<std::int32_t>, std::shared_ptr<ScheduleShared>> m_shared; // by workloads
};

} // namespace

ScheduleWide quartersOfAmount(std::int64_t nanos, int quarters)
{
    return ScheduleWide{nanos} * quarters / kScheduleHourQuarters;
}

GpuTime scheduleCut(const ScheduleHour &hour, int offQuarters)
{
    const std::int64_t on = hour.held.ticks * (kScheduleHourQuarters - offQuarters) / kScheduleHourQuarters;
    return {std::max<std::int64_t>(hour.active.ticks - on, 0)};
}

Result<std::vector<ScheduleFate>> scheduleFates(const SchedulePast &past, const ScheduleRules &rules,
                                                const std::stop_token &stop, std::optional<std::size_t> detailed)
{
    return ScheduleRun(past, rules, detailed).run(stop);
}

} // namespace gpuledger::savings
