// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// The statement of 100 teams for a month of 1,000 GPUs and their bill, and the documents of every team, each compared
// with the time that it takes to read the month's facts once. Below `root`.
std::vector<Figure> showbackFigures(const std::filesystem::path &root);

} // namespace gpuledger::bench
