// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::store {

// In the file's header: "GPUL".
inline constexpr std::int64_t kApplicationId = 0x4750554C;

// From this version on each page of a file has a checksum (app/store/sqlite/pagevfs.h).
inline constexpr std::int64_t kChecksumsSince = 8;

// Steps of the schema: the n-th leads from version n - 1 to n. The program's own lie in resources/schema.
using MigrationSteps = std::vector<std::string_view>;
MigrationSteps builtInSteps();

// Brings a file to the last step's version, each step in one transaction and after a backup to FILE.bak-vN (a new file
// needs none); a file without checksums is written anew before the step that asks for them. Killed in between, the file
// is whole at one of the versions. Says what it did in `notes`. Fails with Storage… codes; StorageNewer when the file
// is ahead of the steps.
[[nodiscard]] base::Result<void> migrate(Database &database, const MigrationSteps &steps,
                                         std::vector<std::string> &notes);

base::Error newerError(const std::filesystem::path &file, std::int64_t version, std::int64_t known);

} // namespace gpuledger::store
