// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace gpuledger::services {

// The contents of a configuration file, at most one byte more than the allowed size; std::nullopt if there is no such
// file. Refuses folders, pipes and devices instead of waiting for them. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::optional<std::string>> configBytes(const std::filesystem::path &file);

// Held while a configuration is read, changed and replaced: one holder per folder, across all processes.
class ConfigLock {
public:
    // Waits up to ten seconds for other holders, then fails with StorageBusy. Creates the folder if it is missing.
    [[nodiscard]] static base::Result<std::unique_ptr<ConfigLock>> take(const std::filesystem::path &file);
    ~ConfigLock();
    ConfigLock(const ConfigLock &) = delete;
    ConfigLock &operator=(const ConfigLock &) = delete;

private:
    explicit ConfigLock(int fd)
        : m_fd(fd)
    {
    }
    int m_fd = -1; // of the folder, because the file itself is replaced
};

} // namespace gpuledger::services
