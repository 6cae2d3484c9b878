// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/limits.h"

#include "app/actions/plan.h"

namespace gpuledger::actions {

Blast blastOf(const std::vector<PlannedStop> &stops, const std::map<std::string, double> &held,
              const model::ActionLimits &limits)
{
    Blast blast;
    std::map<std::string, double> byTeam;
    for (const PlannedStop &stop : stops) {
        if (!stop.isStoppable())
            continue;
        ++blast.objects;
        blast.gpus += stop.gpus;
        blast.irreversible = blast.irreversible || !stop.target.isReversible;
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

} // namespace gpuledger::actions
