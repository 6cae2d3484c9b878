// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/kube/presence.h"

#include <algorithm>

namespace gpuledger::prometheus {

namespace {

base::UtcTime bucketStart(const Presence &p, std::size_t i)
{
    return base::fromUnix((p.firstBucket + static_cast<std::int64_t>(i)) * base::kBucket.count());
}

base::Seconds covered(std::uint16_t count, std::uint16_t full)
{
    if (count >= full)
        return base::kBucket;
    return base::Seconds(base::kBucket.count() * count / full);
}

// The end (exclusive) of the run that starts at `i`, including short outages.
std::size_t runEnd(const std::vector<std::uint16_t> &counts, std::size_t i)
{
    std::size_t end = i + 1;
    for (std::size_t k = end; k < counts.size() && k - end <= kBridgedBuckets; ++k) {
        if (counts[k] != 0)
            end = k + 1;
    }
    return end;
}

} // namespace

std::vector<base::TimeRange> spansOf(const Presence &presence, std::uint16_t full, std::optional<base::UtcTime> hint,
                                     base::TimeRange within)
{
    std::vector<base::TimeRange> spans;
    const auto &counts = presence.counts;
    full = std::max<std::uint16_t>(full, 1);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0)
            continue;
        const std::size_t end = runEnd(counts, i);
        const base::UtcTime first = bucketStart(presence, i);
        base::TimeRange span{first, first};
        if (end == i + 1) {
            const base::TimeRange bucket{first, first + base::kBucket};
            const base::Seconds length = covered(counts[i], full);
            base::UtcTime start = hint && bucket.contains(*hint) ? *hint : first;
            start = std::min(start, bucket.end - length);
            span = {start, start + length};
        } else {
            span.start = i == 0 ? first : first + (base::kBucket - covered(counts[i], full));
            span.end = bucketStart(presence, end - 1) + covered(counts[end - 1], full);
        }
        span = span.intersect(within);
        if (!span.empty())
            spans.push_back(span);
        i = end - 1;
    }
    return spans;
}

} // namespace gpuledger::prometheus
