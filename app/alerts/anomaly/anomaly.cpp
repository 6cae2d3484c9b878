// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/anomaly/anomaly.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

namespace gpuledger::alerts {

namespace {

constexpr double kMadToSigma = 1.4826; // of a normal distribution
constexpr double kShiftScore = 4, kShiftLeastScore = 2;
constexpr double kUnknownScore = std::numeric_limits<double>::quiet_NaN();

double anomalyMedian(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 != 0)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double spreadAround(double median, const std::vector<double> &values)
{
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double one : values)
        distances.push_back(std::abs(one - median));
    return kMadToSigma * anomalyMedian(std::move(distances));
}

double leastSpread(double median, const AnomalySeason &season)
{
    return std::max(season.floor, season.floorShare * std::abs(median));
}

std::size_t windowBegin(std::size_t at, const AnomalySeason &season)
{
    return at - std::min(at, season.length * season.weeks);
}

// Known values less those of a week before, from `begin` to `end`.
std::vector<double> weekDifferences(std::span<const double> values, std::size_t begin, std::size_t end,
                                    std::size_t week)
{
    std::vector<double> out;
    for (std::size_t i = std::max(begin, week); i < end; ++i) {
        const double difference = values[i] - values[i - week];
        if (!std::isnan(difference))
            out.push_back(difference);
    }
    return out;
}

// The weeks before a value, as far as they are looked at.
struct PastWeeks {
    double level = 0; // the median
    double differences = 0; // the spread of the differences from week to week
    std::vector<LevelShift> shifts;
};

std::optional<LevelShift> shiftAt(std::span<const double> values, std::size_t at, double spread,
                                  const AnomalySeason &season)
{
    for (std::size_t i = at; i < at + season.length; ++i) {
        if (std::abs(values[i] - values[i - season.length]) <= kShiftLeastScore * spread)
            return std::nullopt; // most are none; an unknown difference compares as false
    }
    const std::vector<double> differences = weekDifferences(values, at, at + season.length, season.length);
    if (4 * differences.size() < 3 * season.length)
        return std::nullopt;
    const double by = anomalyMedian(differences);
    const double sign = by < 0 ? -1 : 1;
    const bool isShift = std::abs(by) > kShiftScore * spread
        && std::all_of(differences.begin(), differences.end(),
                       [&](double one) { return sign * one > kShiftLeastScore * spread; });
    return isShift ? std::optional(LevelShift{at, by}) : std::nullopt;
}

PastWeeks pastWeeks(std::span<const double> values, std::size_t at, const AnomalySeason &season)
{
    const std::size_t week = season.length, begin = windowBegin(at, season);
    std::vector<double> known;
    std::copy_if(values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(at),
                 std::back_inserter(known), [](double one) { return !std::isnan(one); });
    const std::vector<double> differences = weekDifferences(values, begin + week, at, week);
    PastWeeks out;
    if (differences.empty())
        return out;
    out.level = anomalyMedian(std::move(known));
    out.differences = spreadAround(anomalyMedian(differences), differences);
    const double spread = std::max(out.differences, leastSpread(out.level, season));
    for (std::size_t i = begin + week; i + week <= at; ++i) {
        if (const auto shift = shiftAt(values, i, spread, season)) {
            out.shifts.push_back(*shift);
            i += week - 1;
        }
    }
    return out;
}

} // namespace

std::vector<LevelShift> levelShifts(std::span<const double> values, std::size_t at, const AnomalySeason &season)
{
    return pastWeeks(values, at, season).shifts;
}

std::optional<UsualValue> usualAt(std::span<const double> values, std::size_t at, const AnomalySeason &season)
{
    const PastWeeks past = pastWeeks(values, at, season);
    std::vector<double> comparable;
    for (std::size_t week = 1; week <= season.weeks && week * season.length <= at; ++week) {
        const std::size_t index = at - week * season.length;
        double value = values[index];
        for (const LevelShift &shift : past.shifts)
            value += index < shift.index ? shift.by : 0;
        if (!std::isnan(value))
            comparable.push_back(value);
    }
    if (comparable.size() < season.least)
        return std::nullopt;
    UsualValue out;
    out.median = anomalyMedian(comparable);
    const double least = std::max(leastSpread(out.median, season), leastSpread(past.level, season));
    out.spread = std::max({spreadAround(out.median, comparable), past.differences / std::numbers::sqrt2, least});
    return out.spread > 0 ? std::optional(out) : std::nullopt;
}

std::vector<double> anomalyScores(std::span<const double> values, const AnomalySeason &season)
{
    std::vector<double> out(values.size(), kUnknownScore);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto usual = std::isnan(values[i]) ? std::nullopt : usualAt(values, i, season);
        if (usual)
            out[i] = usual->scoreOf(values[i]);
    }
    return out;
}

} // namespace gpuledger::alerts
