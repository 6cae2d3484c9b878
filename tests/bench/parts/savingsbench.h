// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <filesystem>
#include <vector>

namespace gpuledger::bench {

// All engines of the savings on a fleet of 10,000 GPUs (90 days with `full`, else 14): time and memory of the first
// question; and for 1,000 GPUs and 30 days, the time of another one that changes an assumption.
std::vector<Figure> savingsFigures(const std::filesystem::path &root, bool full);

} // namespace gpuledger::bench
