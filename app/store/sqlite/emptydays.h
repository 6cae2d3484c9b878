// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

namespace gpuledger::store {

// If a page of the table `day_fact` can't be read: makes the table anew, empty, without reading its pages, and rewrites
// the file without them. Each row is only a copy of what follows from the facts (app/store/dayfacts). True: it did, and
// every other table could be read. False: that table isn't the damage, in which case nothing was changed, or not all of
// it, in which case the table is empty. `database` must not be in a transaction. Fails with Storage… codes other than
// StorageCorrupt.
[[nodiscard]] base::Result<bool> emptyDamagedDays(Database &database);

} // namespace gpuledger::store
