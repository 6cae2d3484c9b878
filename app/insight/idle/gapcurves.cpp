// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/gapcurves.h"

#include "app/store/idle/gaphazards.h"

#include <array>

namespace gpuledger::insight {

using base::Result;
using store::GapCount;

namespace {

constexpr double kBucketsPerHour = 3600.0 / static_cast<double>(base::kBucket.count());

template <typename Map, typename Key> const GapCount *countIn(const Map &counts, const Key &key)
{
    const auto found = counts.find(key);
    return found == counts.end() ? nullptr : &found->second;
}

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
    store::GapHazards hazards = store::fleetHazards(m_fleet);
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
        store::pool(hazards, others);
    }
    constexpr double kHoursAhead = 24;
    store::GapAhead ahead(hazards, static_cast<double>(idleFor.count()) / static_cast<double>(base::kBucket.count()));
    ahead.goTo(kBucketsPerHour);
    out.hour = ahead.stays();
    ahead.goTo(kHoursAhead * kBucketsPerHour);
    out.day = ahead.stays();
    out.idleHours = ahead.idle() / kBucketsPerHour;
    out.workHours = ahead.working() / kBucketsPerHour;
    return out;
}

Result<store::GapPast> gapPastAt(store::AttributionReader &facts, base::UtcTime at)
{
    const auto kept = facts.kept();
    GPULEDGER_TRY(kept);
    if (!*kept)
        return store::GapPast();
    return (*kept)->gapPast(base::dayOf(at));
}

} // namespace gpuledger::insight
