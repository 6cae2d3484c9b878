// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace gpuledger::ingest {

// Held while a source is synced: one at a time for a data folder and a source, over all processes, so that nothing is
// fetched twice and a bill that two found new is imported once. It goes with the process, however that ends.
class SyncLock {
public:
    static constexpr std::chrono::seconds kLongestWait{60}; // for somebody else's sync of the same source

    // Waits while somebody else has it. Fails with StorageBusy after `longest`, naming the process where that can be
    // seen from here; with Cancelled, StorageFull or StorageReadOnly.
    [[nodiscard]] static base::Result<std::unique_ptr<SyncLock>> take(const std::filesystem::path &dataFolder,
                                                                      const std::string &source,
                                                                      std::chrono::milliseconds longest,
                                                                      const std::stop_token &stop);
    ~SyncLock();
    SyncLock(const SyncLock &) = delete;
    SyncLock &operator=(const SyncLock &) = delete;

private:
    explicit SyncLock(int fd)
        : m_fd(fd)
    {
    }
    int m_fd = -1;
};

} // namespace gpuledger::ingest
