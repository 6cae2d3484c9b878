// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/chunkplanner.h"

#include <algorithm>

namespace gpuledger::prometheus {

namespace {

constexpr std::int64_t kMaxDays = 7;

// The largest number of buckets up to `most` that divides a day or spans whole days.
std::int64_t onGrid(std::int64_t most)
{
    most = std::clamp<std::int64_t>(most, 1, std::min(kMaxSteps, kMaxDays * base::kBucketsPerDay));
    if (most >= base::kBucketsPerDay)
        return most / base::kBucketsPerDay * base::kBucketsPerDay;
    while (base::kBucketsPerDay % most != 0)
        --most;
    return most;
}

} // namespace

ChunkPlanner::ChunkPlanner(base::TimeRange range, std::int64_t seriesEstimate, std::int64_t targetPoints)
    : m_range(range)
    , m_cursor(range.start)
    , m_buckets(onGrid(targetPoints / std::max<std::int64_t>(1, seriesEstimate)))
{
}

std::optional<base::TimeRange> ChunkPlanner::next()
{
    if (!m_again.empty()) {
        const base::TimeRange piece = m_again.back();
        m_again.pop_back();
        return piece;
    }
    if (m_cursor >= m_range.end)
        return std::nullopt;
    const base::Seconds length = m_buckets * base::kBucket;
    // Whole days start at midnight; parts of a day start at multiples of their length.
    const base::Seconds grid = std::min(length, base::kDay);
    const base::UtcTime end = std::min(m_range.end, base::floorTo(m_cursor, grid) + length);
    const base::TimeRange piece{m_cursor, end};
    m_cursor = end;
    return piece;
}

bool ChunkPlanner::halve(base::TimeRange piece)
{
    const std::int64_t buckets = piece.length() / base::kBucket;
    if (buckets <= 1)
        return false;
    const base::UtcTime middle = piece.start + (buckets / 2) * base::kBucket;
    m_again.push_back({middle, piece.end});
    m_again.push_back({piece.start, middle});
    m_buckets = std::min(m_buckets, onGrid(buckets - buckets / 2));
    return true;
}

} // namespace gpuledger::prometheus
