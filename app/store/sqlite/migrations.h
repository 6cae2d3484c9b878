// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::store {

// In the file's header: "GPUL".
inline constexpr std::int64_t kApplicationId = 0x4750554C;

// From this version on, each page of a file has a checksum (app/store/sqlite/pagevfs.h).
inline constexpr std::int64_t kChecksumsSince = 8;

// Steps of the schema: the n-th migrates from version n - 1 to n. The program's own steps are in resources/schema.
using MigrationSteps = std::vector<std::string_view>;
MigrationSteps builtInSteps();

// Migrates a file to the last step's version, each step in one transaction and after a backup to FILE.bak-vN (a new
// file needs none); a file without checksums is rewritten before the step that requires them. One process at a time
// does it, the others wait (StorageBusy after 10 minutes). If killed in between, the file is intact at one of the
// versions. Reports what it did in `notes`; damaged days of savings are emptied (emptyDamagedDays()). Fails with
// Storage… codes; StorageCorrupt if a page is damaged, StorageNewer if the file is newer than the steps.
[[nodiscard]] base::Result<void> migrate(Database &database, const MigrationSteps &steps,
                                         std::vector<std::string> &notes);

base::Error newerError(const std::filesystem::path &file, std::int64_t version, std::int64_t known);

} // namespace gpuledger::store
