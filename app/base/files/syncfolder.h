// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace gpuledger::base {

// Makes renames and new names in a folder survive a power failure. An empty path is the current folder. Returns 0, or
// errno.
int syncFolder(const std::filesystem::path &folder);

} // namespace gpuledger::base
