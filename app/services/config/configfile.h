// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace gpuledger::services {

// The bytes of a configuration, at most one more than may be in it; nothing when there is no such file. A folder, pipe
// or device is refused, never waited for. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::optional<std::string>> configBytes(const std::filesystem::path &file);

// Held while a configuration is read, changed and put in its place: one at a time for its folder, over all processes.
class ConfigLock {
public:
    // Waits some seconds for others, then fails with StorageBusy. A folder that is not there yet is made.
    [[nodiscard]] static base::Result<std::unique_ptr<ConfigLock>> take(const std::filesystem::path &file);
    ~ConfigLock();
    ConfigLock(const ConfigLock &) = delete;
    ConfigLock &operator=(const ConfigLock &) = delete;

private:
    explicit ConfigLock(int fd)
        : m_fd(fd)
    {
    }
    int m_fd = -1; // of the folder: the file itself is replaced
};

} // namespace gpuledger::services
