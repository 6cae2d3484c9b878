// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"

#include <filesystem>
#include <optional>

namespace gpuledger::actions {

// When the watch looked at the marks the last time: a file of the data folder, so that the next start knows whether
// anybody watched. Any process; whoever writes holds the ActionLock. Nothing: never, or it can't be read.
std::optional<base::UtcTime> lastRound(const std::filesystem::path &dataFolder);
// Fails with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> setLastRound(const std::filesystem::path &dataFolder, base::UtcTime at);

} // namespace gpuledger::actions
