// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"

#include <map>
#include <string>
#include <vector>

namespace gpuledger::actions {

struct PlannedStop;

// How much one confirmation would stop, against what the configuration lets pass without a second thought
// (reliability.md, G20).
struct BlastRadius {
    int objects = 0;
    double gpus = 0;
    bool tooMany = false; // more objects than actions.max_per_action
    struct Team {
        std::string name;
        double gpus = 0, held = 0; // of all that it holds now
    };
    std::vector<Team> teams; // of which more than actions.max_team_share would go; ascending by name
    // Full names of what can't be brought back, in the order of the plan: each has to be typed, a name that two of
    // them have twice.
    std::vector<std::string> irreversible;

    // Then the number of objects has to be typed.
    bool needsTypedCount() const { return tooMany || !teams.empty(); }
    // Those of them that are not among what was typed.
    std::vector<std::string> untyped(const std::vector<std::string> &typed) const;
    bool operator==(const BlastRadius &) const = default;
};

inline bool operator==(const BlastRadius::Team &a, const BlastRadius::Team &b)
{
    return a.name == b.name && a.gpus == b.gpus && a.held == b.held;
}

// Of those that are stoppable. `held`: GPUs that each team holds now; a team that is not in it counts as wholly
// stopped.
BlastRadius blastOf(const std::vector<PlannedStop> &stops, const std::map<std::string, double> &held,
                    const model::ActionLimits &limits);

} // namespace gpuledger::actions
