// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <string>

namespace gpuledger::bench {

// P3, the cost of page checksums, and P11. `full`: 10,000 GPUs x 90 days, which takes some minutes and 500 MB below
// `root`; otherwise smaller sizes. `only`: one of these names, or empty for all.
std::vector<Figure> storeFigures(const std::filesystem::path &root, bool full, const std::string &only);

} // namespace gpuledger::bench
