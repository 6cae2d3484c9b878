// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/codecs/usagecodec.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/connections.h"

namespace gpuledger::store {

// Shared by LedgerStore and the transactions that it begins.
struct LedgerStore::Private : Connections {
    std::vector<std::string> notes;
    UsageCodec codec; // guarded by the mutex

    base::Result<void> openForWriting();
    base::Result<void> openOnce(bool unclean);
    base::Result<void> openForReading();
    base::Result<void> healOrRefuse(const base::Error &error);
    template <typename Work> base::Result<void> write(Work work);
};

} // namespace gpuledger::store
