// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::widgets {

// Makes every Heatmap a table for screen readers. A Heatmap calls it itself; more calls change nothing.
void installHeatmapAccessibility();

} // namespace gpuledger::widgets
