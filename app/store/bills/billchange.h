// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/store/sqlite/database.h"

#include <cstdint>
#include <map>
#include <set>

namespace gpuledger::store {

// The UTC days of a part of a bill. Fails with Storage… codes.
[[nodiscard]] base::Result<std::set<base::Day>> daysOf(Database &database, std::int64_t part);

// What a part says of each of its days, as a sum of hashes of its items' shares of the day. Two that are equal make the
// same ledger, which depends on no order of lines. Only for comparisons within this process.
using DayDigests = std::map<base::Day, std::uint64_t>;

// Fails with Storage… codes.
[[nodiscard]] base::Result<DayDigests> digestsOf(Database &database, std::int64_t part);

// The days that only one of them has, or that differ.
std::set<base::Day> changedDays(const DayDigests &before, const DayDigests &now);

} // namespace gpuledger::store
