// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace gpuledger::store {

class Database;

// What GPU machines cost on a UTC day, as it was known later: effective cost with estimates for what no bill names.
struct GrownDay {
    struct Known {
        base::Day at; // an import of that day changed it
        std::int64_t nanos = 0;
    };
    base::Day day;
    base::Currency currency;
    std::vector<Known> known; // ascending; at least one
};

struct BillGrowth {
    std::vector<GrownDay> days; // that are on a bill; ascending by day, then currency
    std::optional<base::Day> imported; // the last day on which a bill was imported; std::nullopt: never
};

// Days that are older than the newest one by more than this are forgotten.
inline constexpr std::int32_t kGrowthKeptDays = 400;

// Records what the ledger has for these days now, where it differs from what was recorded last; days after `now` are
// left out. What a clock recorded that was ahead is replaced. Inside the writer's transaction, after the ledger of the
// days was rebuilt. Fails with Storage… codes.
[[nodiscard]] base::Result<void> keepGrowth(Database &database, const std::set<base::Day> &days, base::UtcTime now);

// Fails with Storage… codes.
[[nodiscard]] base::Result<BillGrowth> readGrowth(Database &database);

} // namespace gpuledger::store
