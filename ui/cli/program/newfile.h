// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <string_view>

namespace gpuledger::cli {

// Writes a new file (mode 0600; a missing folder is created with 0700) atomically. Fails with Refused (it already
// exists), StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> writeNewFile(const std::filesystem::path &file, std::string_view content);

} // namespace gpuledger::cli
