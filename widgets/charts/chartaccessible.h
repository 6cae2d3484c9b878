// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::widgets {

class Chart;

// Exposes a chart to screen readers with one child per item. Every chart calls it; further calls have no effect.
void installChartAccessibility();

// Call when the children have changed.
void dropChartItems(Chart *chart);

} // namespace gpuledger::widgets
