// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// How unusual a value of a series is, against the same hour or weekday of the weeks before. Values are statistics, in
// any one unit; NaN is unknown, which is never 0. Pure; any thread; no errors.
namespace gpuledger::alerts {

struct AnomalySeason {
    std::size_t length = 7; // values in a week: 7 of days, 168 of hours
    std::size_t weeks = 8; // of the past
    std::size_t least = 3; // comparable values; with fewer, nothing is known
    double floorShare = 0.05; // the spread is at least this share of the median of all values,
    double floor = 0; // and at least this; in the unit of the values, above 0
};

struct UsualValue {
    double median = 0;
    // A standard deviation, if normal. The largest of: 1.4826 x the median absolute deviation of the comparable values;
    // that of all differences from week to week / sqrt(2), because a few values alone tell little; and the floors.
    double spread = 0;
    double scoreOf(double value) const { return (value - median) / spread; }
};

// What is usual at index `at`, from the values before it only. A level that has changed for a whole week is the new
// normal: what was before the change is moved by the change. std::nullopt: too little is known.
std::optional<UsualValue> usualAt(std::span<const double> values, std::size_t at, const AnomalySeason &season);

// (value - median) / spread of every value; NaN: it, or what is usual, is unknown.
std::vector<double> anomalyScores(std::span<const double> values, const AnomalySeason &season);

// Where the level of the values before `at` changed, ascending. A change at c: the week from c differs from the week
// before it in one direction, by more than 4 spreads of the differences of a week in the median and by more than 2 at
// each value, and at least three quarters of these are known. The week from c lies before `at`.
struct LevelShift {
    std::size_t index = 0;
    double by = 0; // the median of the differences
};
std::vector<LevelShift> levelShifts(std::span<const double> values, std::size_t at, const AnomalySeason &season);

} // namespace gpuledger::alerts
