// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::widgets {

class Chart;

// Screen readers see a chart with one child for each item. Every chart calls it; once is enough.
void installChartAccessibility();

// The children are others now.
void dropChartItems(Chart *chart);

} // namespace gpuledger::widgets
