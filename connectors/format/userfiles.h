// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Small files of the user's own, read as a whole. Plain functions; they block.
namespace gpuledger::format {

// The file at a path, or all files of a folder that end like `extension` (".json"), ascending by name. Fails with
// NotFound, Forbidden and TooMuch (more than 1,000).
[[nodiscard]] base::Result<std::vector<std::filesystem::path>> userFilesAt(const std::filesystem::path &path,
                                                                           std::string_view extension);
// Fails with Forbidden (no regular file, or not readable) and TooMuch (more than 64 MiB).
[[nodiscard]] base::Result<std::string> userFileText(const std::filesystem::path &path);

} // namespace gpuledger::format
