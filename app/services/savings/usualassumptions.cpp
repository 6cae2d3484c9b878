// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/usualassumptions.h"

#include <tuple>

namespace gpuledger::services {

savings::Assumptions usualAssumptions(const model::SavingsSettings &settings)
{
    savings::Assumptions usual;
    for (const auto &[name, value] : settings.assumptions)
        std::ignore = usual.setUsual(name, value);
    return usual;
}

savings::Assumptions assumedAmong(const savings::Assumptions &asked, const model::SavingsSettings &settings)
{
    savings::Assumptions all = asked;
    all.useDefaultsOf(usualAssumptions(settings));
    return all;
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
