// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// How long a replay of an alert rule over 90 days takes for 100 teams with a budget each, by metric.
std::vector<Figure> alertsFigures(const std::filesystem::path &root);

} // namespace gpuledger::bench
