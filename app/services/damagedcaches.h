// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/base/result.h"
#include "app/store/setaside.h"

#include <filesystem>
#include <vector>

// Damaged caches of a data folder that were set aside: every answer says so until somebody confirms it. Any thread.
namespace gpuledger::services {

// Oldest first.
std::vector<store::SetAside> unconfirmedDamage(const std::filesystem::path &dataFolder);
// Sets the cache aside where it is damaged, and goes on with what of it can be put right or taken over. Nobody else may
// have it open. Fails with StorageBusy and other Storage… codes.
[[nodiscard]] base::Result<void> repairCache(const std::filesystem::path &dataFolder);
// Enters each into the audit log, then speaks of them no more. Blocks. Fails with Storage… codes.
[[nodiscard]] base::Result<void> confirmDamage(const std::filesystem::path &dataFolder,
                                               const std::vector<store::SetAside> &damage, const base::Clock &clock);

} // namespace gpuledger::services
