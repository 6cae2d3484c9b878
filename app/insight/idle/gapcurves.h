// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/attribution.h"
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
// within a class of age (store::kGapAges) and are pooled in part. Those of the fleet continue, from class to class,
// what the class before has, falling with the square root of the age; that counts as kFleetGaps gaps of its own. Those
// of a narrower group (kind, team and kind, workload) start as those of the wider one without it, which counts as
// kGroupGaps. The start of the chain, and all of it where there is no past, is kDefaultWork and kDefaultOver.
// Immutable; any thread.
class GapCurves {
public:
    static constexpr double kFleetGaps = store::kFleetGaps, kGroupGaps = store::kGroupGaps;
    // Ends per hour of a gap that is an hour old; at other ages divided by the square root of the hours. They are
    // rounded from the public development trace (856 GPUs, 28 days): 28 of 100 such gaps end in work within the next
    // hour.
    static constexpr double kDefaultWork = store::kDefaultWork, kDefaultOver = store::kDefaultOver;

    GapCurves() = default; // no past
    explicit GapCurves(store::GapPast past);

    // `workload` as store::gapWorkload() names it.
    IdleChance chance(model::WorkloadKind kind, const std::string &team, const std::string &workload,
                      base::Seconds idleFor) const;

private:
    store::GapCount m_fleet;
    std::map<model::WorkloadKind, store::GapCount> m_kinds;
    std::map<store::GapGroup, store::GapCount> m_groups; // teams (no workload) and workloads
};

// Of the whole days before the day of `at`; empty if nothing is stored under these rules. Fails with Storage… codes.
[[nodiscard]] base::Result<store::GapPast> gapPastAt(store::AttributionReader &facts, base::UtcTime at);

} // namespace gpuledger::insight
