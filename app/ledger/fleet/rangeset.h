// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <algorithm>
#include <vector>

namespace gpuledger::ledger {

// A set of instants, stored as ascending, disjoint, non-touching half-open ranges. Value type.
class RangeSet {
public:
    // Adds a range; call normalize() after the last one.
    void add(base::TimeRange r)
    {
        if (!r.empty())
            m_ranges.push_back(r);
    }
    // Sorts and merges; gaps of at most `bridge` are filled.
    void normalize(base::Seconds bridge = base::Seconds{0})
    {
        std::sort(m_ranges.begin(), m_ranges.end(), [](const auto &a, const auto &b) { return a.start < b.start; });
        std::size_t n = 0;
        for (const base::TimeRange &r : m_ranges) {
            if (n > 0 && r.start <= m_ranges[n - 1].end + bridge)
                m_ranges[n - 1].end = std::max(m_ranges[n - 1].end, r.end);
            else
                m_ranges[n++] = r;
        }
        m_ranges.resize(n);
    }
    bool empty() const { return m_ranges.empty(); }
    const std::vector<base::TimeRange> &ranges() const { return m_ranges; }
    base::TimeRange hull() const
    {
        return m_ranges.empty() ? base::TimeRange{} : base::TimeRange{m_ranges.front().start, m_ranges.back().end};
    }
    // Seconds of `window` that are in the set.
    base::Seconds overlap(base::TimeRange window) const
    {
        base::Seconds sum{0};
        for (auto it = firstEndingAfter(window.start); it != m_ranges.end() && it->start < window.end; ++it)
            sum += it->intersect(window).length();
        return sum;
    }
    bool touches(base::TimeRange window) const
    {
        const auto it = firstEndingAfter(window.start);
        return it != m_ranges.end() && it->start < window.end;
    }
    // The stored range that contains all of `window`, or null.
    const base::TimeRange *covering(base::TimeRange window) const
    {
        const auto it = firstEndingAfter(window.start);
        return it != m_ranges.end() && it->start <= window.start && window.end <= it->end ? &*it : nullptr;
    }
    // The parts of `window` that are in the set.
    std::vector<base::TimeRange> cut(base::TimeRange window) const
    {
        std::vector<base::TimeRange> out;
        for (auto it = firstEndingAfter(window.start); it != m_ranges.end() && it->start < window.end; ++it)
            out.push_back(it->intersect(window));
        return out;
    }

    // The parts of `window` that are not in it.
    std::vector<base::TimeRange> outside(base::TimeRange window) const
    {
        std::vector<base::TimeRange> out;
        for (const base::TimeRange &in : cut(window)) {
            if (window.start < in.start)
                out.push_back({window.start, in.start});
            window.start = in.end;
        }
        if (!window.empty())
            out.push_back(window);
        return out;
    }

private:
    std::vector<base::TimeRange>::const_iterator firstEndingAfter(base::UtcTime t) const
    {
        return std::partition_point(m_ranges.begin(), m_ranges.end(),
                                    [t](const base::TimeRange &r) { return r.end <= t; });
    }
    std::vector<base::TimeRange> m_ranges;
};

} // namespace gpuledger::ledger
