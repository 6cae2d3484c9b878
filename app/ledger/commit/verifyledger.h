// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/commit/rollupbuilder.h"
#include "app/store/ledgerstore.h"

#include <vector>

namespace gpuledger::ledger {

// SQLite's own check, the checksums of everything stored, and cube == recomputation from the facts. Empty: everything
// holds. Reads one state of the cache and does not block writers. Fails with Storage… codes, or as the builder does.
[[nodiscard]] base::Result<std::vector<store::IntegrityProblem>> verify(store::LedgerStore &cache,
                                                                        RollupBuilder &rollup);

} // namespace gpuledger::ledger
