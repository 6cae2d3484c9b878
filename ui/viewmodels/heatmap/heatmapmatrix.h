// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "widgets/heatmap/heatmapdata.h"

#include <memory>

namespace gpuledger::ui {

// The engine's heat map as what the widget paints: texts in the user's language, percent instead of shares. The result
// keeps a share of the heat map for its cards. Any thread: a large one takes longer than a frame, so view-models ask
// for it on the worker.
widgets::HeatmapData heatmapMatrix(std::shared_ptr<const insight::Heatmap> heatmap, insight::Dimension by);

} // namespace gpuledger::ui
