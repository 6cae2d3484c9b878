// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/readerpool.h"

namespace gpuledger::store {

using base::fail;
using base::Result;

namespace {

constexpr std::size_t kMaxIdle = 4;

} // namespace

Result<std::unique_ptr<Database>> ReaderPool::take()
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto database = std::move(m_idle.back());
            m_idle.pop_back();
            return database;
        }
    }
    return Database::open(m_file, m_mode);
}

void ReaderPool::giveBack(std::unique_ptr<Database> database)
{
    const std::lock_guard lock(m_mutex);
    if (m_idle.size() < kMaxIdle)
        m_idle.push_back(std::move(database));
}

ReadSession::ReadSession(std::shared_ptr<ReaderPool> pool, std::unique_ptr<Database> database)
    : m_pool(std::move(pool))
    , m_database(std::move(database))
{
}

Result<std::unique_ptr<ReadSession>> ReadSession::begin(std::shared_ptr<ReaderPool> pool)
{
    auto database = pool->take();
    if (!database)
        return fail(std::move(database).error());
    GPULEDGER_TRY((*database)->beginRead());
    return std::unique_ptr<ReadSession>(new ReadSession(std::move(pool), std::move(*database)));
}

// A connection that cannot end its transaction is closed instead of being kept.
ReadSession::~ReadSession()
{
    if (m_database->execute("ROLLBACK"))
        m_pool->giveBack(std::move(m_database));
}

} // namespace gpuledger::store
