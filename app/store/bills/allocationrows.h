// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/values/allocated.h"
#include "app/store/values/heldday.h"

#include <optional>
#include <string>
#include <vector>

// Rows of allocator days and findings in the cache; call inside a transaction of the caller.
namespace gpuledger::store {

// Replaces what the source reported for that day. False: the report is unchanged, and only the fetch time is updated.
[[nodiscard]] base::Result<bool> putAllocationDay(Database &database, const std::string &source,
                                                  const model::AllocationDay &day, base::UtcTime now, bool final);
// Ascending by source name. Fails with StorageCorrupt if a day does not match its checksum.
[[nodiscard]] base::Result<void> readAllocations(Database &database, base::Day day, const AllocatedVisitor &visit);
// Records that the source now has less for that day (`told`) than what is stored; the stored data stay, for now, or
// permanently if `final`. Does nothing if the day is unknown. True: the recorded state changed.
[[nodiscard]] base::Result<bool> holdAllocationDay(Database &database, const std::string &source, base::Day day,
                                                   const model::AllocatedSize &told, base::UtcTime now, bool final);
// For days first..last, ascending by source and day. Fails like readAllocations().
[[nodiscard]] base::Result<std::vector<HeldDay>> heldAllocationDays(Database &database, base::Day first,
                                                                    base::Day last);
// Ascending by day.
[[nodiscard]] base::Result<std::vector<AllocatedState>> allocatedStates(Database &database, const std::string &source);
// Days for which any source reported something, ascending.
[[nodiscard]] base::Result<std::vector<base::Day>> allocatedDays(Database &database);

// A number that identifies the address the source was last queried at; std::nullopt: never queried.
[[nodiscard]] base::Result<std::optional<std::int64_t>> allocatorAddress(Database &database, const std::string &source);
[[nodiscard]] base::Result<void> putAllocatorAddress(Database &database, const std::string &source,
                                                     const std::string &address);
std::int64_t addressNumber(const std::string &address);

// Replaces all findings for that day.
[[nodiscard]] base::Result<void> putAllocationFindings(Database &database, base::Day day,
                                                       const AllocationFindings &findings);
// Ascending by day and key().
[[nodiscard]] base::Result<void> readAllocationFindings(Database &database, base::Day first, base::Day last,
                                                        const AllocationFindingVisitor &visit);

} // namespace gpuledger::store
