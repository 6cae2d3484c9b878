// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"
#include "widgets/heatmap/heatmapdata.h"

#include <QString>

#include <vector>

namespace gpuledger::ui {

struct CellPosition {
    int row = -1, column = -1;
};

QString heatmapCellName(const widgets::HeatmapData &matrix, CellPosition at); // "research, Sat 10:00–11:00"

// What can be explained: the cell's value by the metric that is shown, and the other values on its card; and the same
// of one holder of a column's cell, by its key. GUI thread.
std::vector<Explained> heatmapExplained(const HeatmapViewModel &model, const widgets::HeatmapData &matrix,
                                        CellPosition at, insight::Metric shown);
std::vector<Explained> heatmapHolderExplained(const HeatmapViewModel &model, const widgets::HeatmapData &matrix,
                                              int column, const QString &key);

} // namespace gpuledger::ui
