// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"

#include <map>
#include <string>
#include <vector>

namespace gpuledger::actions {

struct PlannedStop;

// How much one confirmation would stop, measured against the limits above which the configuration requires the count to
// be typed.
struct BlastRadius {
    int objects = 0;
    double gpus = 0;
    bool tooMany = false; // more objects than actions.max_per_action
    struct Team {
        std::string name;
        double gpus = 0, held = 0; // held: GPUs of the whole team
    };
    std::vector<Team> teams; // teams that would lose more than actions.max_team_share, ascending by name
    // Full names of the objects that can't be restored, in the order of the plan. Each has to be typed; a name that two
    // of them share has to be typed twice.
    std::vector<std::string> irreversible;

    // Whether the number of objects has to be typed.
    bool needsTypedCount() const { return tooMany || !teams.empty(); }
    // The irreversible objects whose names are not in `typed`.
    std::vector<std::string> untyped(const std::vector<std::string> &typed) const;
    bool operator==(const BlastRadius &) const = default;
};

inline bool operator==(const BlastRadius::Team &a, const BlastRadius::Team &b)
{
    return a.name == b.name && a.gpus == b.gpus && a.held == b.held;
}

// Counts the stoppable stops only. `held`: GPUs that each team holds now; a team missing from it counts as stopped
// entirely.
BlastRadius blastOf(const std::vector<PlannedStop> &stops, const std::map<std::string, double> &held,
                    const model::ActionLimits &limits);

} // namespace gpuledger::actions
