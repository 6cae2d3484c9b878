// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/months/monthrecord.h"

#include <cstddef>
#include <string>
#include <vector>

// Reads the ledger of a closed month as it was when the month was closed. Pure; any thread.
namespace gpuledger::reports {

// Visits the lines that encode() wrote after the first `figureCount` rows, in order. The rows must have been verified
// by their hash. Fails with StorageCorrupt (a row that encode() does not write) or with the visitor's error.
[[nodiscard]] base::Result<void> visitKeptLines(const std::vector<std::string> &rows, std::size_t figureCount,
                                                const LineVisitor &visit);

} // namespace gpuledger::reports
