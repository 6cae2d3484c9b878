// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/values/cube.h"

#include <vector>

namespace gpuledger::store {

// Ledger lines in the cache; call inside a transaction of the caller. Replaces all lines of that day; lines that are
// all zero are left out.
[[nodiscard]] base::Result<void> putLedgerDay(Database &database, base::Day day, const LedgerDay &lines);
// Ascending by day.
[[nodiscard]] base::Result<void> readLedger(Database &database, base::Day first, base::Day last,
                                            const LedgerVisitor &visit);
// Days that have lines, ascending.
[[nodiscard]] base::Result<std::vector<base::Day>> ledgerDays(Database &database);

} // namespace gpuledger::store
