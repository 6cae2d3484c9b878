// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/integrityproblem.h"

#include <chrono>
#include <vector>

namespace gpuledger::store {

// Finds damage in bounded time: SQLite's quick check, then the checksums of the newest usage. `database` may or may not
// be in a transaction. Fails with Storage… codes; damage is returned as findings. `finished` is false if the time limit
// was reached first.
struct QuickFindings {
    std::vector<IntegrityProblem> problems;
    bool finished = true;
};
[[nodiscard]] base::Result<QuickFindings> quickLook(Database &database, std::chrono::milliseconds limit);

// Every day that has, or may have, a roll-up.
[[nodiscard]] base::Result<std::vector<base::Day>> allDays(Database &database);

} // namespace gpuledger::store
