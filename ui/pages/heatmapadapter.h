// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap.h"
#include "widgets/heatmap/heatmapdata.h"

#include <memory>

namespace gpuledger::ui {

// The engine's heat map as what the widget paints: texts in the user's language, percent instead of shares. The result
// keeps a share of the snapshot for its cards. GUI thread.
widgets::HeatmapData heatmapData(std::shared_ptr<const insight::Heatmap> heatmap, insight::Dimension by);

} // namespace gpuledger::ui
