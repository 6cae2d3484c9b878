// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <filesystem>
#include <optional>

namespace gpuledger::actions {

// When the watch last looked at the marks. Kept in a file of the data folder, so that the next start knows whether a
// watch was running. std::nullopt if never, or if the file can't be read. Any process; a writer must hold the
// ActionLock.
std::optional<base::UtcTime> lastRound(const std::filesystem::path &dataFolder);
// Fails with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> setLastRound(const std::filesystem::path &dataFolder, base::UtcTime at);

} // namespace gpuledger::actions
