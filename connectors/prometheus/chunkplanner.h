// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gpuledger::prometheus {

inline constexpr std::int64_t kMaxSteps = 10'000; // a server refuses more than 11,000
inline constexpr std::int64_t kTargetPoints = 300'000; // per answer: about 10 MB

// Splits a range into the pieces that are queried one after the other: whole days for a small fleet, otherwise equal
// parts of a day, always on the same grid, so that a repeated sync sends the same queries. Value type.
class ChunkPlanner {
public:
    ChunkPlanner(base::TimeRange range, std::int64_t seriesEstimate, std::int64_t targetPoints = kTargetPoints);

    // The next piece in ascending order; std::nullopt at the end.
    std::optional<base::TimeRange> next();
    // Call when the server refused `piece`: its two halves come next, and later pieces are no longer than one of them.
    // Returns false if the piece is a single bucket.
    bool halve(base::TimeRange piece);
    // Queues the same piece again, to be queried differently.
    void again(base::TimeRange piece) { m_again.push_back(piece); }
    std::int64_t bucketsPerChunk() const { return m_buckets; }

private:
    base::TimeRange m_range;
    base::UtcTime m_cursor;
    std::int64_t m_buckets = 0;
    std::vector<base::TimeRange> m_again; // in reverse order
};

} // namespace gpuledger::prometheus
