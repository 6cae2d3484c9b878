// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <map>

namespace gpuledger::store {

// Compacts the time outside a range: keeps the order of the added timestamps and gaps of up to kGap between them
// (scrapes that belong together), but not the times themselves. One thread.
class TimestampCompactor {
public:
    static constexpr std::int64_t kGap = 600; // seconds; longer gaps are shortened to one second more than this

    explicit TimestampCompactor(base::TimeRange kept)
        : m_from(base::toUnix(kept.start))
        , m_to(base::toUnix(kept.end))
    {
    }
    void add(std::int64_t unixTime)
    {
        if (unixTime < m_from || unixTime > m_to)
            m_folded.emplace(unixTime, unixTime);
    }
    // Call once after all add() calls.
    void settle()
    {
        std::int64_t last = m_from, folded = m_from;
        for (auto it = m_folded.lower_bound(m_from); it != m_folded.begin();) {
            --it;
            folded -= shortened(last - it->first);
            last = it->first;
            it->second = folded;
        }
        last = folded = m_to;
        for (auto it = m_folded.upper_bound(m_to); it != m_folded.end(); ++it) {
            folded += shortened(it->first - last);
            last = it->first;
            it->second = folded;
        }
    }
    // The compacted time of a timestamp that was added, or that lies in the range.
    std::int64_t of(std::int64_t unixTime) const
    {
        const auto it = m_folded.find(unixTime);
        return it == m_folded.end() ? unixTime : it->second;
    }

private:
    static std::int64_t shortened(std::int64_t gap) { return gap > kGap ? kGap + 1 : gap; }

    std::int64_t m_from, m_to;
    std::map<std::int64_t, std::int64_t> m_folded;
};

} // namespace gpuledger::store
