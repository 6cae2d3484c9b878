// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/model/settings.h"

#include <optional>
#include <string>
#include <vector>

// The days that the configuration calls known events. Pure; any thread; no errors.
namespace gpuledger::alerts {

class EventCalendar {
public:
    EventCalendar() = default; // without events
    EventCalendar(std::vector<model::KnownEvent> events, base::TimeZone zone)
        : m_events(std::move(events))
        , m_zone(std::move(zone))
    {
    }

    // The first event of which the UTC day has a part; nullptr: none. With a team, also events of this team; without
    // one, only those of everybody. A yearly event begins in the year of its first day; 29 February is the 28th in
    // other years.
    const model::KnownEvent *on(base::Day day, const std::optional<std::string> &team) const;
    bool empty() const { return m_events.empty(); }

private:
    std::vector<model::KnownEvent> m_events;
    base::TimeZone m_zone;
};

} // namespace gpuledger::alerts
