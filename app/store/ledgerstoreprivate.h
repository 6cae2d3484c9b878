// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/codecs/usagecodec.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/cachefile.h"
#include "app/store/sqlite/database.h"
#include "app/store/sqlite/readerpool.h"

#include <mutex>

namespace gpuledger::store {

// Shared by LedgerStore and the transactions that it begins.
struct LedgerStore::Private {
    // The writer's connection must be closed last: SQLite then checkpoints the log into the file, which a reader cannot
    // do.
    ~Private() { readers.reset(); }

    std::filesystem::path file;
    bool readOnly = false;
    std::vector<std::string> notes;
    std::unique_ptr<UseLock> lock;
    std::shared_ptr<ReaderPool> readers;
    FileIdentity identity;
    std::mutex mutex; // guards everything below
    std::unique_ptr<Database> writer; // null after a failure: reopened by the next write
    UsageCodec codec;

    base::Result<void> openForWriting();
    base::Result<void> openOnce(bool unclean);
    base::Result<void> openForReading();
    base::Result<void> healOrRefuse(const base::Error &error);
    base::Result<void> prepareWriter();
    base::Result<void> nextGeneration();
    void closeAfter(const base::Error &error);
    enum class Counts { Yes, No }; // whether the write is a new generation of the data
    template <typename Work> base::Result<void> write(Counts counts, Work work);
    template <typename Change> base::Result<void> change(RollupBuilder &rollup, Change apply);
    base::Result<void> rebuild(const std::vector<base::Day> &days, FactReader &facts, RollupBuilder &rollup);
    base::Result<bool> fingerprintDiffers(const RollupBuilder &rollup);
    base::Result<bool> refreshAll(FactReader &facts, RollupBuilder &rollup);
    base::Result<void> saveFingerprint(const RollupBuilder &rollup);
};

} // namespace gpuledger::store
