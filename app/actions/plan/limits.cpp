// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/limits.h"

#include "app/actions/plan/plan.h"

#include <algorithm>

namespace gpuledger::actions {

BlastRadius blastOf(const std::vector<PlannedStop> &stops, const std::map<std::string, double> &held,
                    const model::ActionLimits &limits)
{
    BlastRadius blast;
    std::map<std::string, double> byTeam;
    for (const PlannedStop &stop : stops) {
        if (!stop.isStoppable())
            continue;
        ++blast.objects;
        blast.gpus += stop.gpus;
        if (!stop.target.isReversible)
            blast.irreversible.push_back(model::fullNameOf(stop.target.ref));
        byTeam[stop.owner] += stop.gpus;
    }
    blast.tooMany = blast.objects > limits.maxPerAction;
    constexpr double kNearly = 1e-9;
    for (const auto &[team, gpus] : byTeam) {
        const auto it = held.find(team);
        const double all = it == held.end() ? 0 : it->second;
        if (gpus > all * limits.maxTeamShare + kNearly)
            blast.teams.push_back({team, gpus, all});
    }
    return blast;
}

std::vector<std::string> BlastRadius::untyped(const std::vector<std::string> &typed) const
{
    std::vector<std::string> left = typed, missing;
    for (const std::string &name : irreversible) {
        const auto it = std::find(left.begin(), left.end(), name);
        if (it == left.end())
            missing.push_back(name);
        else
            left.erase(it);
    }
    return missing;
}

} // namespace gpuledger::actions
