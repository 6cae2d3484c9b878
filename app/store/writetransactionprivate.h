// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/codecs/usagecodec.h"
#include "app/store/idle/idlestore.h"
#include "app/store/rollup/cubestore.h"
#include "app/store/snapshot/factreadersql.h"
#include "app/store/sqlite/connections.h"
#include "app/store/writetransaction.h"

#include <memory>
#include <mutex>
#include <set>

namespace gpuledger::store {

// Shared by WriteTransaction and BillTransaction.
struct WriteTransaction::State {
    State(Connections &connections, UsageCodec &usageCodec)
        : store(connections)
        , codec(usageCodec)
        , lock(connections.mutex)
    {
    }
    // Takes the lock and begins.
    static base::Result<std::unique_ptr<State>> begin(Connections &connections, UsageCodec &codec);

    Connections &store;
    UsageCodec &codec;
    std::unique_lock<std::mutex> lock; // released last
    std::unique_ptr<Transaction> transaction;
    std::int64_t changesBefore = 0;
    std::set<base::Day> touched;
    std::unique_ptr<FactReaderSql> facts;
    std::unique_ptr<CubeWriterSql> cube;
    std::unique_ptr<IdleReaderSql> idle;

    Database &database() { return *store.writer; }
    bool changed() const { return store.writer->totalChanges() != changesBefore; }
    // After an error, ended() has to follow; else finished().
    base::Result<void> commit(Counts counts);
    void finished();
    // Rolls back, and closes the connection after a disk failure.
    tl::unexpected<base::Error> ended(const base::Error &error);
};

} // namespace gpuledger::store
