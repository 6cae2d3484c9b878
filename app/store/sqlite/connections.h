// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/cachefile.h"
#include "app/store/sqlite/database.h"
#include "app/store/sqlite/readerpool.h"

#include <filesystem>
#include <memory>
#include <mutex>

namespace gpuledger::store {

// The connections of this process to one cache: one that writes, and a pool of those that read.
struct Connections {
    // The writer's connection must be closed last: SQLite then checkpoints the log into the file, which a reader cannot
    // do.
    ~Connections() { readers.reset(); }

    std::filesystem::path file;
    bool readOnly = false;
    std::unique_ptr<UseLock> lock;
    std::shared_ptr<ReaderPool> readers;
    FileIdentity identity;
    std::mutex mutex; // guards everything below
    std::unique_ptr<Database> writer; // null after a failure: reopened by the next write

    enum class Counts { Yes, No }; // whether a write is a new generation of the data that pages show

    // All three require that the caller holds the mutex.
    // The start of every write.
    [[nodiscard]] base::Result<void> prepareWriter();
    [[nodiscard]] base::Result<void> nextGeneration();
    // After a disk failure the connection is closed: what SQLite holds in memory may differ from what is on disk.
    void closeAfter(const base::Error &error);
};

} // namespace gpuledger::store
