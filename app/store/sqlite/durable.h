// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/connections.h"

#include <mutex>
#include <utility>

namespace gpuledger::store {

// Runs one transaction of the writer that is on disk when this returns, for data that cannot be fetched again. `work`
// gets the database and returns the answer, and whether it wrote anything. Fails with Storage… codes and as `work`
// does; then nothing was written. `counts`: whether the write is a new generation of the data that pages show. Any
// thread.
template <typename Answer, typename Work>
base::Result<Answer> durably(Connections &store, const Work &work,
                             Connections::Counts counts = Connections::Counts::Yes)
{
    const std::lock_guard guard(store.mutex);
    GPULEDGER_TRY(store.prepareWriter());
    Database &writer = *store.writer;
    const auto attempt = [&]() -> base::Result<Answer> {
        GPULEDGER_TRY(writer.execute("PRAGMA synchronous=FULL"));
        Transaction transaction(writer);
        GPULEDGER_TRY(transaction.beginWrite());
        auto answer = work(writer);
        GPULEDGER_TRY(answer);
        if (!answer->second)
            return std::move(answer->first);
        if (counts == Connections::Counts::Yes)
            GPULEDGER_TRY(store.nextGeneration());
        GPULEDGER_TRY(transaction.commit());
        return std::move(answer->first);
    };
    auto done = attempt();
    if (!done)
        store.closeAfter(done.error());
    if (store.writer)
        (void)store.writer->execute("PRAGMA synchronous=NORMAL"); // otherwise it stays at the safer setting
    return done;
}

} // namespace gpuledger::store
