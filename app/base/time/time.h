// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuledger::base {

// UTC seconds. Screens convert to the user's zone; engine and store never do.
using UtcTime = std::chrono::sys_seconds;
using Seconds = std::chrono::seconds;

inline constexpr Seconds kBucket{300}; // base bucket
inline constexpr Seconds kCell{900}; // roll-up cell: the finest common divisor of all zone offsets in use
inline constexpr Seconds kDay{86400}; // a UTC day
inline constexpr int kBucketsPerDay = 288;
inline constexpr int kCellsPerDay = 96;
inline constexpr int kBucketsPerCell = 3;

constexpr UtcTime fromUnix(std::int64_t seconds)
{
    return UtcTime{Seconds{seconds}};
}
constexpr std::int64_t toUnix(UtcTime t)
{
    return t.time_since_epoch().count();
}

// Floor and ceiling on a grid anchored at the epoch; also correct for times before 1970.
constexpr UtcTime floorTo(UtcTime t, Seconds grid)
{
    const std::int64_t v = toUnix(t), g = grid.count();
    const std::int64_t r = v % g;
    return fromUnix(v - (r < 0 ? r + g : r));
}
constexpr UtcTime ceilTo(UtcTime t, Seconds grid)
{
    const UtcTime f = floorTo(t, grid);
    return f == t ? t : f + grid;
}

// A UTC day, counted from 1970-01-01.
struct Day {
    std::int32_t number = 0;

    constexpr UtcTime start() const { return fromUnix(std::int64_t{number} * kDay.count()); }
    constexpr UtcTime end() const { return start() + kDay; }
    constexpr auto operator<=>(const Day &) const = default;
};
constexpr Day dayOf(UtcTime t)
{
    return Day{static_cast<std::int32_t>(toUnix(floorTo(t, kDay)) / kDay.count())};
}

// Half-open [start, end). Empty if end <= start.
struct TimeRange {
    UtcTime start{};
    UtcTime end{};

    constexpr bool empty() const { return end <= start; }
    constexpr Seconds length() const { return empty() ? Seconds{0} : end - start; }
    constexpr bool contains(UtcTime t) const { return start <= t && t < end; }
    constexpr TimeRange intersect(const TimeRange &o) const
    {
        const TimeRange r{start > o.start ? start : o.start, end < o.end ? end : o.end};
        return r.empty() ? TimeRange{r.start, r.start} : r;
    }
    constexpr bool operator==(const TimeRange &) const = default;
};

// RFC 3339 with any offset ("2026-11-01T00:00:00Z", "+01:00", fractions truncated), or "YYYY-MM-DD" = midnight UTC.
// 23:59:60 is read as the following second. Fails with Parse.
[[nodiscard]] Result<UtcTime> parseTime(std::string_view text);
// "2026-11-01T00:00:00Z"
[[nodiscard]] std::string toRfc3339(UtcTime t);
// "90d", "5m", "1h30m", "2w", "30s", "0". Fails with Parse; never negative.
[[nodiscard]] Result<Seconds> parseDuration(std::string_view text);

} // namespace gpuledger::base
