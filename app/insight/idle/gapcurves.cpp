// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/gapcurves.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuledger::insight {

using base::Result;
using store::GapCount;
using store::kGapAges;

namespace {

constexpr double kBucketsPerHour = 3600.0 / static_cast<double>(base::kBucket.count());
constexpr std::size_t kClasses = kGapAges.size();

// Ends per bucket.
struct Hazard {
    double work = 0, over = 0;
};
using Hazards = std::array<Hazard, kClasses>;

// Of the last class, which has no end: as much again as it is old.
double widthOf(std::size_t i)
{
    return i + 1 < kClasses ? kGapAges[i + 1] - kGapAges[i] : kGapAges[i];
}

// The prior counts as that many gaps that went through the class.
Hazard pooled(const GapCount &count, std::size_t i, const Hazard &prior, double gaps)
{
    const double time = gaps * widthOf(i), seen = static_cast<double>(count.exposure[i]) + time;
    return {(static_cast<double>(count.work[i]) + prior.work * time) / seen,
            (static_cast<double>(count.over[i]) + prior.over * time) / seen};
}

template <typename Map, typename Key> const GapCount *countIn(const Map &counts, const Key &key)
{
    const auto found = counts.find(key);
    return found == counts.end() ? nullptr : &found->second;
}

double fall(double olderHours, double youngerHours)
{
    return std::sqrt(youngerHours / olderHours);
}

Hazards fleetHazards(const GapCount &fleet)
{
    Hazards out;
    const double first = fall(kGapAges.front() / kBucketsPerHour, 1) / kBucketsPerHour;
    Hazard prior{GapCurves::kDefaultWork * first, GapCurves::kDefaultOver * first};
    for (std::size_t i = 0; i < kClasses; ++i) {
        if (i > 0) {
            const double less = fall(kGapAges[i], kGapAges[i - 1]);
            prior = {out[i - 1].work * less, out[i - 1].over * less};
        }
        out[i] = pooled(fleet, i, prior, GapCurves::kFleetGaps);
    }
    return out;
}

// Follows a gap from its present age.
class GapAhead {
public:
    GapAhead(const Hazards &hazards, double age)
        : m_hazards(hazards)
        , m_from(std::max(age, static_cast<double>(kGapAges.front())))
        , m_now(m_from)
    {
    }

    // Goes on to this many buckets from its present age; the calls must ascend.
    void goTo(double ahead)
    {
        const double end = m_from + ahead;
        while (m_now < end) {
            std::size_t i = 0;
            while (i + 1 < kClasses && kGapAges[i + 1] <= m_now)
                ++i;
            const double next = i + 1 < kClasses ? std::min<double>(kGapAges[i + 1], end) : end;
            step(m_hazards[i], next - m_now);
            m_now = next;
        }
    }
    double stays() const { return 1 - m_worked; }
    // Expected time, in buckets.
    double idle() const { return m_idle; }
    double working() const { return m_working; }

private:
    void step(const Hazard &hazard, double length)
    {
        const double rate = hazard.work + hazard.over, ends = -std::expm1(-rate * length);
        const double idle = m_alive * (rate > 0 ? ends / rate : length);
        const double share = rate > 0 ? hazard.work / rate : 0;
        m_working += m_worked * length + share * (m_alive * length - idle);
        m_worked += m_alive * ends * share;
        m_idle += idle;
        m_alive *= 1 - ends;
    }

    const Hazards &m_hazards;
    const double m_from;
    double m_now, m_alive = 1, m_worked = 0, m_idle = 0, m_working = 0;
};

} // namespace

std::string_view toString(IdleChance::From from)
{
    switch (from) {
    case IdleChance::From::Default:
        return "default";
    case IdleChance::From::Fleet:
        return "fleet";
    case IdleChance::From::Kind:
        return "kind";
    case IdleChance::From::Team:
        return "team";
    case IdleChance::From::Workload:
        return "workload";
    }
    return {};
}

GapCurves::GapCurves(store::GapPast past)
    : m_groups(std::move(past.groups))
{
    for (const auto &[group, count] : m_groups) {
        if (!group.workload.empty())
            continue;
        m_fleet += count;
        m_kinds[group.kind] += count;
    }
}

IdleChance GapCurves::chance(model::WorkloadKind kind, const std::string &team, const std::string &workload,
                             base::Seconds idleFor) const
{
    IdleChance out;
    const auto take = [&](IdleChance::From from, const GapCount &count) {
        if (count.ended() == 0)
            return;
        out.from = from;
        out.gaps = count.ended();
    };
    using From = IdleChance::From;
    Hazards hazards = fleetHazards(m_fleet);
    take(From::Fleet, m_fleet);
    const std::array levels{countIn(m_kinds, kind), countIn(m_groups, store::GapGroup{kind, team, {}}),
                            workload.empty() ? nullptr : countIn(m_groups, store::GapGroup{kind, team, workload})};
    constexpr std::array kFrom{From::Kind, From::Team, From::Workload};
    for (std::size_t level = 0; level < levels.size(); ++level) {
        if (!levels[level])
            continue;
        take(kFrom[level], *levels[level]);
        GapCount others = *levels[level]; // without what the narrower level says itself
        if (level + 1 < levels.size() && levels[level + 1])
            others -= *levels[level + 1];
        for (std::size_t i = 0; i < kClasses; ++i)
            hazards[i] = pooled(others, i, hazards[i], kGroupGaps);
    }
    constexpr double kHoursAhead = 24;
    GapAhead ahead(hazards, static_cast<double>(idleFor.count()) / static_cast<double>(base::kBucket.count()));
    ahead.goTo(kBucketsPerHour);
    out.hour = ahead.stays();
    ahead.goTo(kHoursAhead * kBucketsPerHour);
    out.day = ahead.stays();
    out.idleHours = ahead.idle() / kBucketsPerHour;
    out.workHours = ahead.working() / kBucketsPerHour;
    return out;
}

Result<GapCurves> gapCurvesAt(store::AttributionReader &facts, base::UtcTime at)
{
    const auto kept = facts.kept();
    GPULEDGER_TRY(kept);
    if (!*kept)
        return GapCurves();
    auto past = (*kept)->gapPast(base::dayOf(at));
    GPULEDGER_TRY(past);
    return GapCurves(std::move(*past));
}

} // namespace gpuledger::insight
