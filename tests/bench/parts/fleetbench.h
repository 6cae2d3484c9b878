// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gpuledger::bench {

// P10 (idle list of a large fleet), P14 (cost as the fleet grows) and the rewind of the idle rule; `only` names one of
// them, or is empty for all.
std::vector<Figure> fleetFigures(const std::filesystem::path &root, bool full, const std::string &only);

} // namespace gpuledger::bench
