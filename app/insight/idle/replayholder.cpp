// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/replayholder.h"

#include <algorithm>
#include <cstddef>

namespace gpuledger::insight {

void ReplayWindow::note(std::int64_t bucket, double observed, bool active, std::size_t width)
{
    if (m_ring.size() != width) { // its first bucket, or a rule assigns it another kind from now on
        m_ring.assign(width, 0);
        m_next = bucket;
        m_sum = 0;
    }
    m_lastActive = active ? bucket : m_lastActive;
    if (width == 0)
        return;
    if (bucket - m_next >= static_cast<std::int64_t>(width)) {
        std::fill(m_ring.begin(), m_ring.end(), 0.0);
        m_sum = 0;
        m_next = bucket;
    }
    for (; m_next <= bucket; ++m_next) {
        double &slot = m_ring[static_cast<std::size_t>(m_next) % width];
        m_sum -= slot;
        slot = m_next == bucket ? observed : 0;
        m_sum += slot;
    }
}

} // namespace gpuledger::insight
