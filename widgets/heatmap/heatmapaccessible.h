// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::widgets {

// Exposes every Heatmap as a table to screen readers. A Heatmap calls it itself; further calls have no effect.
void installHeatmapAccessibility();

} // namespace gpuledger::widgets
