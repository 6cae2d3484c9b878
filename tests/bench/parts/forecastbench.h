// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// The error of the forecast beside simple ones, and how often the truth lies within its 80 % interval: for the teams of
// the demo company over 12 months, and for those of the development trace. They are the same whatever the machine.
std::vector<Figure> forecastFigures(const std::filesystem::path &root);

} // namespace gpuledger::bench
