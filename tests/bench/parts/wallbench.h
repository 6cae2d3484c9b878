// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/benchwindow.h"

#include <vector>

namespace gpuledger::bench {

// P5 (a query of the Heatmap page, from query to pixels) and the wall of all devices at five minutes; on the cache in
// `folder`, which has `gpus` GPUs and `days` days.
std::vector<Figure> wallFigures(const std::filesystem::path &folder, int gpus, int days);

// P7: opens every page of the window on the cache in `folder` and prints the memory that is resident afterwards, in MB.
void printMemory(const std::filesystem::path &folder, int days);

} // namespace gpuledger::bench
