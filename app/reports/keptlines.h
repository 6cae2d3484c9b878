// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/monthrecord.h"

#include <cstddef>
#include <string>
#include <vector>

// The ledger of a closed month as it was when the month was closed. Pure; any thread.
namespace gpuledger::reports {

// Visits the lines that encode() wrote behind the first `figureCount` rows, in their order. Of rows that were checked
// against their hash. Fails with StorageCorrupt (a row that encode() does not write) or what the visitor returned.
[[nodiscard]] base::Result<void> visitKeptLines(const std::vector<std::string> &rows, std::size_t figureCount,
                                                const LineVisitor &visit);

} // namespace gpuledger::reports
