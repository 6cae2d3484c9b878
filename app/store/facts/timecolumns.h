// SPDX-License-Identifier: GPL-3.0-or-later
// Times in columns: seconds since 1970, in UTC.
#pragma once

#include "app/base/time/time.h"
#include "app/store/sqlite/database.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace gpuledger::store {

// The range stored in a column and the one after it.
inline base::TimeRange rangeAt(const Statement &s, int column)
{
    return {base::fromUnix(s.integer(column)), base::fromUnix(s.integer(column + 1))};
}

// What a start and an end in columns are compared with. An empty range means everything: bounds that include every row.
inline std::pair<std::int64_t, std::int64_t> boundsOf(const base::TimeRange &range)
{
    if (range.empty())
        return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    return {base::toUnix(range.start), base::toUnix(range.end)};
}

// std::nullopt if the column is NULL.
inline std::optional<base::UtcTime> timeAt(const Statement &s, int column)
{
    const auto v = s.optionalInteger(column);
    return v ? std::optional(base::fromUnix(*v)) : std::nullopt;
}

// For a nullable column.
inline std::optional<std::int64_t> unixOf(const std::optional<base::UtcTime> &t)
{
    return t ? std::optional(base::toUnix(*t)) : std::nullopt;
}

} // namespace gpuledger::store
