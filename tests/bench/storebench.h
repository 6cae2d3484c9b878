// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <string>

namespace gpuledger::bench {

// P3, the cost of the checksums of pages, and P11. `full`: the sizes of performance.md (10,000 GPUs x 90 days: some
// minutes and 500 MB below root); else smaller ones. `only`: one of these names, or empty for all.
std::vector<Figure> storeFigures(const std::filesystem::path &root, bool full, const std::string &only);

} // namespace gpuledger::bench
