// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/heatmap/heatmapvalues.h"
#include "widgets/heatmap/heatmapdata.h"

#include <QString>

#include <vector>

namespace gpuledger::ui {

// A value of a heat map with its unit: "17.3 %", "212 W", "361.20 USD".
QString heatmapValueText(insight::Metric metric, base::Currency currency, double value);
// Whether a cell has nothing to measure, which is not the same as missing telemetry.
bool isBlankCell(const insight::HeatmapCell &cell);
// The lines of the card that explains a cell; none if there is no such cell. GUI thread.
std::vector<widgets::HeatmapData::Line> heatmapCard(const HeatmapValues &values, std::size_t row, int column);

} // namespace gpuledger::ui
