// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/levelshift.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::alerts {

namespace {

constexpr double kFarSteps = 4, kShiftShare = 0.03;
constexpr std::size_t kShiftDays = 3, kShiftSteps = 7;

Values withoutSeason(std::span<const double> past, const std::array<double, kWeek> &factors)
{
    Values out(past.size(), kUnknownDay);
    for (std::size_t i = 0; i < past.size(); ++i) {
        if (factors[i % kWeek] > 0)
            out[i] = past[i] / factors[i % kWeek];
    }
    return out;
}

double deviationOfSteps(std::span<const double> known)
{
    Values steps;
    for (std::size_t i = 1; i < known.size(); ++i)
        steps.push_back(std::abs(known[i] - known[i - 1]));
    return steps.size() < kShiftSteps ? kUnknownDay : 1.4826 * medianOf(steps);
}

bool isShift(std::span<double> before, std::span<double> after, double least)
{
    if (before.size() < kShiftDays || after.size() < kShiftDays)
        return false;
    const double from = medianOf(before), to = medianOf(after), middle = (from + to) / 2;
    if (!(std::abs(to - from) > std::max(least, kShiftShare * std::abs(from))))
        return false;
    const auto isNew = [&](double value) { return (value > middle) == (to > from); };
    return std::none_of(before.begin(), before.end(), isNew) && std::all_of(after.begin(), after.end(), isNew);
}

} // namespace

std::size_t lastShift(std::span<const double> past, const std::array<double, kWeek> &factors)
{
    const Values level = withoutSeason(past, factors);
    const double far = kFarSteps * deviationOfSteps(knownOf(level));
    std::size_t last = 0, before = level.size(); // the known day before
    for (std::size_t at = 0; at < level.size(); ++at) {
        if (std::isnan(level[at]))
            continue;
        if (before < at && std::abs(level[at] - level[before]) > far) {
            const std::size_t begin = std::max(last, at > kWeek ? at - kWeek : 0);
            Values old = knownOf(std::span(level).subspan(begin, at - begin));
            Values since = knownOf(std::span(level).subspan(at, std::min(kWeek, level.size() - at)));
            last = isShift(old, since, far) ? at : last;
        }
        before = at;
    }
    return last;
}

} // namespace gpuledger::alerts
