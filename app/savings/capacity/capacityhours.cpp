// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacity/capacityhours.h"

#include <algorithm>

namespace gpuledger::savings {

CapacityHour CapacityHours::operator[](std::size_t hour) const
{
    const State &state = m_states[hour];
    const auto after = std::upper_bound(m_first.begin(), m_first.end(), hour);
    return {m_nanos[static_cast<std::size_t>(after - m_first.begin()) - 1], state.allocated, state.present, state.known,
            state.priced};
}

bool CapacityHours::isEmpty(std::size_t hour) const
{
    const State &state = m_states[hour];
    return state.present && state.known && state.allocated == 0;
}

void CapacityHours::push_back(const CapacityHour &hour)
{
    if (m_nanos.empty() || m_nanos.back() != hour.nanos) {
        m_first.push_back(static_cast<std::uint32_t>(m_states.size()));
        m_nanos.push_back(hour.nanos);
    }
    m_states.push_back({hour.allocated, hour.present, hour.known, hour.priced});
}

void CapacityHours::padTo(std::size_t count)
{
    while (m_states.size() < count)
        push_back({});
}

void CapacityHours::addDay(std::int64_t first, std::span<const CapacityHour> hours, std::size_t most)
{
    for (const CapacityHour &hour : hours) {
        const std::int64_t at = first++;
        if (at < 0 || at >= static_cast<std::int64_t>(most))
            continue;
        padTo(static_cast<std::size_t>(at));
        push_back(hour);
    }
}

} // namespace gpuledger::savings
