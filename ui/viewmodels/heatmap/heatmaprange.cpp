// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmap/heatmaprange.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

namespace {

constexpr double kOutside = 0.02; // share of the values at an end of the range
constexpr double kRoundingError = 1e-9; // a rounding error is no reason for the next round number

// The value that this share of all of them does not exceed.
double scaleQuantile(std::vector<double> &values, double share)
{
    const auto last = static_cast<double>(values.size() - 1);
    const auto at = static_cast<std::ptrdiff_t>(share < 0.5 ? std::floor(last * share) : std::ceil(last * share));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

HeatmapRange withOutside(HeatmapRange range, double lowest, double highest)
{
    range.hasLower = lowest < range.minimum - kRoundingError;
    range.hasHigher = highest > range.maximum + range.maximum * kRoundingError;
    return range;
}

} // namespace

HeatmapRange fittedShares(std::vector<double> values)
{
    if (values.empty())
        return {};
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    const double least = *lowest, most = *highest;
    const double from = std::floor(scaleQuantile(values, kOutside) + kRoundingError);
    const double to = std::ceil(scaleQuantile(values, 1 - kOutside) - kRoundingError);
    constexpr double kLeastWidth = 2; // percent
    return to - from < kLeastWidth ? HeatmapRange{} : withOutside({from, to}, least, most);
}

HeatmapRange fittedAmounts(std::vector<double> values)
{
    std::erase_if(values, [](double v) { return v <= 0; });
    if (values.empty())
        return {0, 1};
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    const double least = *lowest, most = *highest;
    const double top = scaleQuantile(values, 1 - kOutside);
    const double unit = std::pow(10, std::floor(std::log10(top)) - 1);
    HeatmapRange range{0, std::ceil(top / unit - kRoundingError) * unit};
    constexpr double kFar = 0.2; // of the top: closer to zero than that, the scale starts there
    if (least > top * kFar)
        range.minimum = std::floor(least / unit + kRoundingError) * unit;
    if (!(range.maximum > range.minimum))
        range.minimum = 0;
    return withOutside(range, least, most);
}

} // namespace gpuledger::ui
