// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

#include <memory>
#include <mutex>
#include <vector>

namespace gpuledger::store {

// A pool of idle read-only connections. Thread-safe; lives as long as the last session.
class ReaderPool : public std::enable_shared_from_this<ReaderPool> {
public:
    ReaderPool(std::filesystem::path file, Database::Mode mode)
        : m_file(std::move(file))
        , m_mode(mode)
    {
    }
    [[nodiscard]] base::Result<std::unique_ptr<Database>> take();
    void giveBack(std::unique_ptr<Database> database);

private:
    const std::filesystem::path m_file;
    const Database::Mode m_mode;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Database>> m_idle;
};

// One state of the cache, pinned from begin() until the object is destroyed. One thread at a time.
class ReadSession {
public:
    [[nodiscard]] static base::Result<std::unique_ptr<ReadSession>> begin(std::shared_ptr<ReaderPool> pool);
    ~ReadSession();
    ReadSession(const ReadSession &) = delete;
    ReadSession &operator=(const ReadSession &) = delete;
    Database &database() { return *m_database; }

private:
    ReadSession(std::shared_ptr<ReaderPool> pool, std::unique_ptr<Database> database);

    std::shared_ptr<ReaderPool> m_pool;
    std::unique_ptr<Database> m_database;
};

} // namespace gpuledger::store
