// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/values/allocated.h"
#include "app/store/values/heldday.h"

#include <optional>
#include <string>
#include <vector>

// Days of allocators and findings about them in the cache; inside a transaction of the owner's.
namespace gpuledger::store {

// Replaces what the source said of that day. False: it said the same before, and only the time of asking is new.
[[nodiscard]] base::Result<bool> putAllocationDay(Database &database, const std::string &source,
                                                  const model::AllocationDay &day, base::UtcTime now, bool final);
// Ascending by name of the source. Fails with StorageCorrupt where a day differs from its checksum.
[[nodiscard]] base::Result<void> readAllocations(Database &database, base::Day day, const AllocatedVisitor &visit);
// The source has less of that day, `told`, than what is kept, which stays: for now, or for good when `final`. Nothing
// where the day is not known. True: it was known otherwise before.
[[nodiscard]] base::Result<bool> holdAllocationDay(Database &database, const std::string &source, base::Day day,
                                                   const model::AllocatedSize &told, base::UtcTime now, bool final);
// Of days first..last, ascending by source and day. Fails as readAllocations().
[[nodiscard]] base::Result<std::vector<HeldDay>> heldAllocationDays(Database &database, base::Day first,
                                                                    base::Day last);
// Ascending by day.
[[nodiscard]] base::Result<std::vector<AllocatedState>> allocatedStates(Database &database, const std::string &source);
// Days of which any source said something, ascending.
[[nodiscard]] base::Result<std::vector<base::Day>> allocatedDays(Database &database);

// A number for where the source was asked last; nothing: it never was.
[[nodiscard]] base::Result<std::optional<std::int64_t>> allocatorAddress(Database &database, const std::string &source);
[[nodiscard]] base::Result<void> putAllocatorAddress(Database &database, const std::string &source,
                                                     const std::string &address);
std::int64_t addressNumber(const std::string &address);

// Replaces all findings of that day.
[[nodiscard]] base::Result<void> putAllocationFindings(Database &database, base::Day day,
                                                       const AllocationFindings &findings);
// Ascending by day and key().
[[nodiscard]] base::Result<void> readAllocationFindings(Database &database, base::Day first, base::Day last,
                                                        const AllocationFindingVisitor &visit);

} // namespace gpuledger::store
