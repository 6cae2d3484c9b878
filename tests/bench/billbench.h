// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// P9: a FOCUS file of 1,000,000 lines, read and with its ledger, beside DuckDB reading the same file with one thread
// (where Python has it; else beside our own CSV reader alone, and the figure says so), and its memory; then the
// question by team and state over twelve months. About 700 MB below `root`.
std::vector<Figure> billFigures(const std::filesystem::path &root);

} // namespace gpuledger::bench
