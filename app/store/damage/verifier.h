// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/rollup/rollupbuilder.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/integrityproblem.h"

#include <chrono>

namespace gpuledger::store {

// Finds damage in bounded time: SQLite's quick check, then the checksums of the newest usage. `database` may or may not
// be in a transaction. Fails with Storage… codes; damage is returned as findings. `finished` is false if the time limit
// was reached first.
struct QuickFindings {
    std::vector<IntegrityProblem> problems;
    bool finished = true;
};
[[nodiscard]] base::Result<QuickFindings> quickLook(Database &database, std::chrono::milliseconds limit);

// Checks everything: SQLite's integrity and foreign keys, every blob, and each day of the roll-up against its
// recomputation. `database` must be in a read transaction.
[[nodiscard]] base::Result<std::vector<IntegrityProblem>> verifyAll(Database &database, RollupBuilder &rollup);

// Every day that has, or may have, a roll-up.
[[nodiscard]] base::Result<std::vector<base::Day>> allDays(Database &database);

} // namespace gpuledger::store
