// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// What the idle list says of how likely workloads stay idle, held against what came of them: fitted on the first half
// of the demo company and of the development trace, tried on the second. Prints the table of 10 bins of each.
std::vector<Figure> idleFigures(const std::filesystem::path &root);

} // namespace gpuledger::bench
