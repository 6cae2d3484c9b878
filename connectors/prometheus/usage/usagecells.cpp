// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/usagecells.h"

namespace gpuledger::prometheus {

const UsageCell &UsageCells::at(std::size_t bucket) const
{
    static const UsageCell kEmpty;
    return bucket >= first() && bucket < end() ? m_cells[bucket - m_first] : kEmpty;
}

UsageCell &UsageCells::keep(std::size_t bucket)
{
    if (m_cells.empty())
        m_first = bucket;
    if (bucket < m_first) {
        m_cells.insert(m_cells.begin(), m_first - bucket, UsageCell());
        m_first = bucket;
    }
    const std::size_t size = bucket - m_first + 1;
    if (size > m_cells.capacity())
        m_cells.reserve(size + size / 8); // a vector would double
    if (size > m_cells.size())
        m_cells.resize(size);
    return m_cells[bucket - m_first];
}

void UsageCells::reserve(std::size_t buckets)
{
    if (m_cells.empty())
        m_cells.reserve(buckets);
}

void UsageCells::release()
{
    m_first = 0;
    m_cells = {};
}

} // namespace gpuledger::prometheus
