// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/benchwindow.h"

#include <vector>

namespace gpuledger::bench {

// P8: the longest gap of the event loop while a person scrolls and hovers, changes pages, and while a sync runs; with
// the demo fleet, in `folder`.
std::vector<Figure> gapFigures(MeasuredApplication &app, const std::filesystem::path &folder);

} // namespace gpuledger::bench
