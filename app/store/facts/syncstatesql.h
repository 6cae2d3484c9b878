// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/values/syncstate.h"

#include <vector>

namespace gpuledger::store {

// Stores how the last attempt ended; `covered` is not written, because it follows from the facts. Call in the writer's
// transaction.
[[nodiscard]] base::Result<void> putSyncState(Database &database, const SyncState &state);
// Ascending by source. `covered` is the latest range that was fetched without a gap.
[[nodiscard]] base::Result<std::vector<SyncState>> readSyncStates(Database &database);

} // namespace gpuledger::store
