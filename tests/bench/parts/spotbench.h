// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

#include <vector>

namespace gpuledger::bench {

// Bands of spot estimates, fitted on the past of the real intervals and tried on what followed, and paths a second.
std::vector<Figure> spotFigures();

} // namespace gpuledger::bench
