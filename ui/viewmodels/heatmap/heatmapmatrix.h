// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "widgets/heatmap/heatmapdata.h"

#include <memory>

namespace gpuledger::ui {

enum class ShareRange { Fitted, Full }; // of the colours of percentages: that of the data, or 0 to 100 %

// Converts the engine's heat map to the widget's data: texts in the user's language, percentages instead of shares. The
// result holds a reference to the heat map for its cards. Any thread: a large one takes longer than a frame, so view
// models call it on the worker thread.
widgets::HeatmapData heatmapMatrix(std::shared_ptr<const insight::Heatmap> heatmap, insight::Dimension by,
                                   ShareRange range = ShareRange::Fitted);

} // namespace gpuledger::ui
