// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <sys/types.h>

#include <filesystem>
#include <string_view>

namespace gpuledger::base {

// Replaces `file` with `content`, completely or not at all: written beside it, synced, renamed. The folder must exist.
// An existing file keeps its permissions and, where allowed, its owner; a new one gets `mode`. For a link, its target
// is replaced, not the link. Any thread. Fails with StorageFull or StorageReadOnly.
[[nodiscard]] Result<void> replaceFile(const std::filesystem::path &file, std::string_view content, mode_t mode = 0600);

} // namespace gpuledger::base
