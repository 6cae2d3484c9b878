// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/ledgerstore.h"
#include "app/store/sqlite/database.h"

#include <vector>

namespace gpuledger::store {

// How the last attempt ended; `covered` is not written, it follows from the facts. In the writer's transaction.
[[nodiscard]] base::Result<void> putSyncState(Database &database, const SyncState &state);
// Ascending by source. `covered` is the latest stretch that was fetched without a hole.
[[nodiscard]] base::Result<std::vector<SyncState>> readSyncStates(Database &database);

} // namespace gpuledger::store
