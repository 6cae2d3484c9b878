// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace gpuledger::ui {

// The range of a colour scale, in the unit of the values, and whether any value lies outside it.
struct HeatmapRange {
    double minimum = 0, maximum = 100;
    bool hasLower = false, hasHigher = false;
};

// Fitted to percentages: all but the lowest and the highest 2 % of them, in whole percent. Values that hardly differ,
// and none at all, get 0 to 100. The values must be finite. Any thread.
HeatmapRange fittedShares(std::vector<double> values);
// Fitted to amounts: all but the highest 2 % of those above zero, in two digits; from zero unless all of them are far
// from it.
HeatmapRange fittedAmounts(std::vector<double> values);

} // namespace gpuledger::ui
