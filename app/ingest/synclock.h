// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace gpuledger::ingest {

// Held while a source is synced: only one sync per data folder and source, across all processes, so that nothing is
// fetched twice and a bill that two processes found new is imported once. Released when the process ends, however it
// ends.
class SyncLock {
public:
    static constexpr std::chrono::seconds kLongestWait{60}; // for another process's sync of the same source

    // Waits while another process holds it. Fails with StorageBusy after `longest`, naming that process if it is
    // visible from here; with Cancelled, StorageFull or StorageReadOnly.
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
