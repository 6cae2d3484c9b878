// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/anomaly/events.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::alerts {

namespace {

using std::chrono::year_month_day;

struct EventLocalDays {
    std::int32_t first = 0, last = 0;
};

year_month_day eventDate(std::int32_t day)
{
    return year_month_day{std::chrono::sys_days{std::chrono::days{day}}};
}

std::int32_t eventYearsLater(std::int32_t day, int years)
{
    year_month_day date = eventDate(day) + std::chrono::years{years};
    if (!date.ok())
        date = date.year() / date.month() / std::chrono::last;
    return static_cast<std::int32_t>(std::chrono::sys_days{date}.time_since_epoch().count());
}

bool isWithinEvent(const model::KnownEvent &event, const EventLocalDays &days)
{
    if (event.from <= days.last && event.to >= days.first)
        return true;
    if (!event.yearly)
        return false;
    // One that began in the year before may reach into this one.
    const int years = static_cast<int>(eventDate(days.last).year()) - static_cast<int>(eventDate(event.from).year());
    for (int later = std::max(1, years - 1); later <= years; ++later) {
        if (eventYearsLater(event.from, later) <= days.last && eventYearsLater(event.to, later) >= days.first)
            return true;
    }
    return false;
}

bool eventConcerns(const model::KnownEvent &event, const std::optional<std::string> &team)
{
    return event.teams.empty()
        || (team && std::find(event.teams.begin(), event.teams.end(), *team) != event.teams.end());
}

} // namespace

const model::KnownEvent *EventCalendar::on(base::Day day, const std::optional<std::string> &team) const
{
    if (m_events.empty())
        return nullptr;
    const EventLocalDays days{m_zone.localDay(day.start()), m_zone.localDay(day.end() - base::Seconds{1})};
    const auto found = std::find_if(m_events.begin(), m_events.end(), [&](const model::KnownEvent &one) {
        return eventConcerns(one, team) && isWithinEvent(one, days);
    });
    return found == m_events.end() ? nullptr : &*found;
}

} // namespace gpuledger::alerts
