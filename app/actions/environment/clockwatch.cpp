// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/environment/clockwatch.h"

namespace gpuledger::actions {

std::optional<base::Seconds> ClockWatch::jumped(base::UtcTime wall, Steady steady, base::UtcTime newestSample,
                                                base::Seconds scrape)
{
    const std::lock_guard lock(m_mutex);
    if (m_last) {
        const auto passed = std::chrono::duration_cast<base::Seconds>(steady - m_last->steady);
        const base::Seconds off = (wall - m_last->wall) - passed;
        if (off > kJump || off < -kJump) {
            m_since = wall;
            m_by = off;
        }
    }
    m_last = Reading{wall, steady};
    // After a jump backwards, samples from before it lie in the future and must be ignored.
    if (m_since && newestSample >= *m_since + kFreshScrapes * scrape && newestSample <= wall + kJump)
        m_since.reset();
    return m_since ? std::optional(m_by) : std::nullopt;
}

} // namespace gpuledger::actions
