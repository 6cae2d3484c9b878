// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/usualassumptions.h"

#include "app/savings/assumptions/assumedrules.h"

#include <tuple>

namespace gpuledger::services {

savings::Assumptions usualAssumptions(const model::SavingsSettings &settings)
{
    savings::Assumptions usual;
    for (const auto &[name, value] : settings.assumptions) {
        const std::size_t dot = name.find('.');
        const auto work = model::workloadKindFromString(std::string_view(name).substr(0, dot));
        if (dot == std::string::npos)
            std::ignore = usual.setUsual(name, value);
        else if (work)
            std::ignore = usual.setUsualOf(*work, std::string_view(name).substr(dot + 1), value);
    }
    return usual;
}

savings::Assumptions assumedAmong(const savings::Assumptions &asked, const model::SavingsSettings &settings)
{
    savings::Assumptions all = asked;
    all.useDefaultsOf(usualAssumptions(settings));
    return all;
}

const model::PoolAssumptions *poolAssumptions(const model::SavingsSettings &settings, std::string_view cluster,
                                              std::string_view group)
{
    const model::PoolAssumptions *found = nullptr;
    for (const model::PoolAssumptions &pool : settings.pools) {
        if (pool.name != group || (!pool.cluster.empty() && pool.cluster != cluster))
            continue;
        if (!found || !pool.cluster.empty())
            found = &pool;
    }
    return found;
}

savings::CapacityPolicy poolPolicy(const savings::Assumptions &assumed, const model::PoolAssumptions *own)
{
    if (!own)
        return savings::capacityPolicy(assumed);
    savings::Assumptions all = assumed;
    const auto take = [&](std::string_view name) {
        const auto value = own->values.find(std::string(name));
        return value != own->values.end() && !assumed.changed().contains(name) && all.setUsual(name, value->second);
    };
    const bool delay = take("scale-down-delay"), minimum = take("minimum-nodes"), startUp = take("start-up");
    savings::CapacityPolicy policy = savings::capacityPolicy(all);
    policy.ownDelay = delay;
    policy.ownMinimum = minimum;
    policy.ownStartUp = startUp;
    return policy;
}

std::map<std::string, savings::ScheduleCalendar> teamCalendars(const model::SavingsSettings &settings,
                                                               const base::TimeZone &zone)
{
    std::map<std::string, savings::ScheduleCalendar> out;
    for (const model::TeamCalendar &team : settings.teams) {
        const auto own = base::TimeZone::find(team.timeZone.empty() ? zone.name() : team.timeZone);
        out.insert_or_assign(team.team,
                             savings::ScheduleCalendar{own && !team.timeZone.empty() ? *own : zone, team.holidays});
    }
    return out;
}

} // namespace gpuledger::services
