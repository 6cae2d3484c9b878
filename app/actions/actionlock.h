// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <filesystem>
#include <memory>

namespace gpuledger::actions {

// Held by whoever stops, undoes or settles: one at a time for a data folder, over all processes. It goes with the
// process, however that ends.
class ActionLock {
public:
    // Waits for nobody: fails with StorageBusy where somebody else has it.
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
