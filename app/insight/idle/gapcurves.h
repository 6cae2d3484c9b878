// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/attribution.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/idle/gaphazards.h"
#include "app/store/values/gapkept.h"

#include <map>
#include <string>
#include <utility>

namespace gpuledger::insight {

// How likely an idle workload stays idle, and what a stop now would bring and take away. It stays idle for a time if it
// does no work in it: it goes on as it is, or ends without having worked again.
struct IdleChance {
    // The narrowest group with a past of its own; what is known of it is pooled with what is known of the wider ones.
    enum class From { Default, Fleet, Kind, Team, Workload };
    From from = From::Default;
    std::int64_t gaps = 0; // of that group whose end is known; 0: by default
    double hour = 0, day = 0; // chance that it stays idle for the next hour, the next day: 0..1
    // Expected parts of the next day, in hours: idle until it works again or ends, and from then on if it works again.
    // The latter counts as work to its end, which is the most that it can be.
    double idleHours = 0, workHours = 0;
    bool operator==(const IdleChance &) const = default;
};
std::string_view toString(IdleChance::From from); // "default", "fleet", "kind", "team", "workload"

// Survival of idle gaps by age, for two ends that compete: the workload works again, or ends. Hazards are constant
// within a class of age (store::kGapAges). Those of the fleet continue, from class to class, what the class before has,
// falling with the square root of the age; that counts as kFleetGaps gaps of its own. Those of a kind are pooled class
// by class with the fleet's: (ends + hazard x time) / (time at risk + time), time being what so many gaps would spend
// in the class, and time at risk what its gaps spent in it (store::GapCount::atRisk()). The teams of a kind have its
// hazards times one factor for all ages, (ends + weight) / (ends that the kind's hazards expect + weight), or are
// pooled with them as kinds are, but by blocks of classes (store::kGapBlocks): for each end, whichever makes the past
// of all teams likelier. A workload has the hazards of its team times such a factor. So few ends suffice to tell a
// restless workload from a calm one. How many gaps, and which weight, count for the wider group is estimated for each
// level and end from the same past, as what makes all its ends likeliest (store::likeliestWeight()): if groups differ,
// it is small, if they don't, large. At least kLeastKindGaps and kLeastGroupEnds, because the gaps of one group depend
// on each other. This is the gamma-Poisson model of Clayton and Kaldor (Biometrics 43, 1987, 671-681), empirical Bayes.
// The start of the chain, and all of it where there is no past, is kDefaultWork and kDefaultOver. Immutable; any
// thread.
class GapCurves {
public:
    static constexpr double kFleetGaps = store::kFleetGaps;
    static constexpr double kLeastKindGaps = store::kLeastKindGaps, kLeastGroupEnds = store::kLeastGroupEnds;
    // Ends per hour of a gap that is an hour old; at other ages divided by the square root of the hours. They are
    // rounded from the public development trace (856 GPUs, 28 days): 28 of 100 such gaps end in work within the next
    // hour.
    static constexpr double kDefaultWork = store::kDefaultWork, kDefaultOver = store::kDefaultOver;

    GapCurves()
        : GapCurves(store::GapPast())
    {
    } // no past
    explicit GapCurves(const store::GapPast &past);

    // `workload` as store::gapWorkload() names it.
    IdleChance chance(model::WorkloadKind kind, const std::string &team, const std::string &workload,
                      base::Seconds idleFor) const;

private:
    struct Team {
        std::int64_t gaps = 0; // whose end is known
        store::GapHazards hazards;
    };
    struct Workload {
        std::int64_t gaps = 0;
        store::GapHazard factor{1, 1}; // of its team's hazards
    };
    void fitTeams(const store::GapPast &past);
    void fitWorkloads(const store::GapPast &past);

    store::KindHazards m_kinds;
    std::map<std::pair<model::WorkloadKind, std::string>, Team> m_teams;
    std::map<store::GapGroup, Workload> m_workloads;
};

// Of the whole days before the day of `at`; empty if nothing is stored under these rules. Fails with Storage… codes.
[[nodiscard]] base::Result<store::GapPast> gapPastAt(store::AttributionReader &facts, base::UtcTime at);

} // namespace gpuledger::insight
