// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/gauges/rejectedreadings.h"

namespace gpuledger::format {

void RejectedReadings::add(std::string_view reason, std::uint64_t count)
{
    const auto at = m_counts.find(reason);
    if (at != m_counts.end())
        at->second += count;
    else if (count > 0)
        m_counts.emplace(reason, count);
}

std::vector<ports::FactBatch::Rejected> RejectedReadings::told() const
{
    std::vector<ports::FactBatch::Rejected> out;
    for (const auto &[reason, count] : m_counts)
        out.push_back({reason, count});
    return out;
}

} // namespace gpuledger::format
