// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/gapcurves.h"

#include "app/store/idle/gaphazards.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpuledger::insight {

using base::Result;
using store::GapCount;

namespace {

constexpr double kBucketsPerHour = 3600.0 / static_cast<double>(base::kBucket.count());

// What a group did, and what the hazards of the wider group would have it do.
struct GapEnds {
    std::int64_t work = 0, over = 0;
    double expectedWork = 0, expectedOver = 0;
};

GapEnds endsOf(const GapCount &count, const store::GapHazards &wider)
{
    GapEnds out;
    for (std::size_t i = 0; i < wider.size(); ++i) {
        out.work += count.work[i];
        out.over += count.over[i];
        out.expectedWork += wider[i].work * count.atRisk(i);
        out.expectedOver += wider[i].over * count.atRisk(i);
    }
    return out;
}

// How the hazards of each group differ from the wider group's, and how likely that makes what the groups did.
struct GapFactors {
    std::vector<store::GapHazard> each;
    store::GapWeight work, over;
};

GapFactors factorsOf(const std::vector<GapEnds> &level)
{
    const auto weightOf = [&](std::int64_t GapEnds::*ends, double GapEnds::*expected) {
        return store::likeliestWeight(GapCurves::kLeastGroupEnds, [&](double weight) {
            double sum = 0;
            for (const GapEnds &own : level)
                sum += store::logOfEnds(own.*ends, own.*expected, weight);
            return sum;
        });
    };
    const auto factor = [](std::int64_t ends, double expected, double weight) {
        return (static_cast<double>(ends) + weight) / (expected + weight);
    };
    GapFactors out;
    out.work = weightOf(&GapEnds::work, &GapEnds::expectedWork);
    out.over = weightOf(&GapEnds::over, &GapEnds::expectedOver);
    for (const GapEnds &own : level)
        out.each.push_back(
            {factor(own.work, own.expectedWork, out.work.weight), factor(own.over, own.expectedOver, out.over.weight)});
    return out;
}

void scale(store::GapHazards &hazards, const store::GapHazard &factor)
{
    for (store::GapHazard &hazard : hazards)
        hazard = {hazard.work * factor.work, hazard.over * factor.over};
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

GapCurves::GapCurves(const store::GapPast &past)
    : m_kinds(store::kindHazards(past))
{
    fitTeams(past);
    fitWorkloads(past);
}

void GapCurves::fitTeams(const store::GapPast &past)
{
    std::vector<store::GapMember> level;
    std::vector<Team *> teams;
    std::vector<GapEnds> ends;
    for (const auto &[group, count] : past.groups) {
        if (!group.workload.empty())
            continue;
        const store::GapHazards &kind = m_kinds.of(group.kind);
        Team &team = m_teams[{group.kind, group.team}];
        team.gaps = count.ended();
        team.hazards = kind;
        ends.push_back(endsOf(count, kind));
        level.push_back({&count, &kind});
        teams.push_back(&team);
    }
    const GapFactors factors = factorsOf(ends);
    const store::GapWeights ages = store::likeliestGaps(level, store::GapGrain::Block);
    for (std::size_t i = 0; i < teams.size(); ++i) {
        scale(teams[i]->hazards, factors.each[i]);
        const store::GapHazards byAge = store::pooledByAge(level[i], ages.gaps(), store::GapGrain::Block);
        for (std::size_t age = 0; age < byAge.size(); ++age) {
            store::GapHazard &hazard = teams[i]->hazards[age];
            if (ages.work.logChance > factors.work.logChance)
                hazard.work = byAge[age].work;
            if (ages.over.logChance > factors.over.logChance)
                hazard.over = byAge[age].over;
        }
    }
}

void GapCurves::fitWorkloads(const store::GapPast &past)
{
    std::vector<Workload *> workloads;
    std::vector<GapEnds> ends;
    for (const auto &[group, count] : past.groups) {
        if (group.workload.empty())
            continue;
        const auto team = m_teams.find({group.kind, group.team});
        Workload &workload = m_workloads[group];
        workload.gaps = count.ended();
        ends.push_back(endsOf(count, team == m_teams.end() ? m_kinds.of(group.kind) : team->second.hazards));
        workloads.push_back(&workload);
    }
    const std::vector<store::GapHazard> factors = factorsOf(ends).each;
    for (std::size_t i = 0; i < workloads.size(); ++i)
        workloads[i]->factor = factors[i];
}

IdleChance GapCurves::chance(model::WorkloadKind kind, const std::string &team, const std::string &workload,
                             base::Seconds idleFor) const
{
    IdleChance out;
    const auto take = [&](IdleChance::From from, std::int64_t gaps) {
        if (gaps == 0)
            return;
        out.from = from;
        out.gaps = gaps;
    };
    using From = IdleChance::From;
    store::GapHazards hazards = m_kinds.of(kind);
    take(From::Fleet, m_kinds.fleetCount.ended());
    if (const auto found = m_kinds.counts.find(kind); found != m_kinds.counts.end())
        take(From::Kind, found->second.ended());
    if (const auto found = m_teams.find({kind, team}); found != m_teams.end()) {
        take(From::Team, found->second.gaps);
        hazards = found->second.hazards;
    }
    const auto own = workload.empty() ? m_workloads.end() : m_workloads.find({kind, team, workload});
    if (own != m_workloads.end()) {
        take(From::Workload, own->second.gaps);
        scale(hazards, own->second.factor);
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
