// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// P9: importing a FOCUS file of 1,000,000 lines, reading alone and with the ledger, compared with DuckDB reading the
// same file on one thread (if Python has it; otherwise with our own CSV reader alone, and the figure says so), and its
// memory; then the query by team and state over twelve months. Needs about 700 MB below `root`.
std::vector<Figure> billFigures(const std::filesystem::path &root);

} // namespace gpuledger::bench
