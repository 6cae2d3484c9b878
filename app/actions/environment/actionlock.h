// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <memory>

namespace gpuledger::actions {

// Lets only one process at a time stop, undo or settle actions in a data folder. The operating system releases the lock
// when the process ends, however it ends.
class ActionLock {
public:
    // Does not wait: fails with StorageBusy if the lock is held elsewhere.
    [[nodiscard]] static base::Result<std::unique_ptr<ActionLock>> take(const std::filesystem::path &dataFolder);
    ~ActionLock();
    ActionLock(const ActionLock &) = delete;
    ActionLock &operator=(const ActionLock &) = delete;

private:
    explicit ActionLock(int fd)
        : m_fd(fd)
    {
    }
    int m_fd = -1;
};

} // namespace gpuledger::actions
