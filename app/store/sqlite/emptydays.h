// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

namespace gpuledger::store {

// If a page of the table `day_fact` can't be read: makes the table anew, empty, without reading its pages. Each row is
// only a copy of what follows from the facts (app/store/dayfacts). Then, or if only pages that nothing uses are damaged
// (also after an earlier call that had no room on the disk), rewrites the file without them. True: it did, and
// everything else could be read. False: there is other damage; then the file was not rewritten, and if that table was
// damaged too, it is empty. `database` must not be in a transaction. Fails with Storage… codes other than
// StorageCorrupt.
[[nodiscard]] base::Result<bool> emptyDamagedDays(Database &database);

} // namespace gpuledger::store
