// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <string_view>

namespace gpuledger::cli {

// Writes a file that does not exist yet (mode 0600, its folder too when missing: 0700), whole or not at all. Fails with
// Refused (there is one), StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> writeNewFile(const std::filesystem::path &file, std::string_view content);

} // namespace gpuledger::cli
