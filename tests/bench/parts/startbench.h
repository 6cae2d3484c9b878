// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// P6: from the start of the program to its first paint and to its first complete page, on the cache in `folder`,
// compared with a minimal Qt Charts window and heaptrack_gui (left out if it is not installed), all on the same screen.
std::vector<Figure> startFigures(const std::filesystem::path &root, const std::filesystem::path &folder, int gpus,
                                 int days);
// P7: memory with every page opened, on the cache in `folder`, compared with heaptrack_gui after its start.
std::vector<Figure> memoryFigures(const std::filesystem::path &root, const std::filesystem::path &folder, int gpus,
                                  int days);

} // namespace gpuledger::bench
