// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

// A model of a daily series with a weekly season. Values are statistics, in any one unit; NaN is an unknown day, which
// is never 0. Pure; any thread; no errors.
namespace gpuledger::alerts {

using Values = std::vector<double>; // consecutive days; NaN: unknown
inline constexpr double kUnknownDay = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t kWeek = 7;

// How a candidate follows the past: half-lives in days of the weights of its near and its usual level. The near level
// fades towards the usual one: on day k ahead it counts as fade^k.
struct Candidate {
    bool weekly = true; // with factors of weekdays
    double near = 7, usual = 7, fade = 1; // fade: 1 or kFade
};
inline constexpr double kFade = 0.8;
inline constexpr std::size_t kCandidates = 10;
std::span<const Candidate, kCandidates> candidates();

// A candidate fitted to a past.
class WeeklyFit {
public:
    // One value per day ahead, for `days` days after the past.
    Values ahead(std::size_t days) const;

    Candidate how;
    double near = 0, usual = 0; // levels, without the season
    std::array<double, kWeek> factors{}; // of the day at index i of the past, by i % 7; their mean is 1
    std::size_t length = 0; // of the past
};

// Sums of the days ahead, of all candidates fitted to one past: usual x (sum of the factors) + (near - usual) x (sum of
// the faded factors), of which the sums are computed once.
class SumsAhead {
public:
    static constexpr std::size_t kMost = 64; // days
    SumsAhead() = default;
    // `fits`: of fitAll(), not empty.
    explicit SumsAhead(const std::vector<WeeklyFit> &fits);
    // By candidate: the sum of ahead(days), but for rounding; `days` up to kMost.
    std::array<double, kCandidates> of(std::size_t days) const;

private:
    using Curve = std::array<double, kMost + 1>; // by number of days
    static Curve curveOf(const std::array<double, kWeek> &factors, std::size_t length, double fade);

    std::array<double, kCandidates> m_usual{}, m_more{}; // more: near - usual
    Curve m_whole{}, m_faded{}; // with the factors of weekdays
};

// The median, or NaN of no values. Changes their order.
double medianOf(std::span<double> values);
// The values of the known days.
Values knownOf(std::span<const double> past);

// Days whose value is far from the others and has no similar one within two weeks become unknown: a giant invoice says
// nothing about the days to come. Far: more than 6 robust standard deviations (1.4826 x median absolute deviation), and
// more than a tenth of the median.
Values withoutOneOffs(std::span<const double> past);
// The same; `known`: the known days of the past, ascending by value.
Values withoutOneOffs(std::span<const double> past, std::span<const double> known);
// Factors of weekdays: the median, over the weeks, of a value by the mean of the seven days around it. All 1 if the
// series has no level to compare with.
std::array<double, kWeek> weekdayFactors(std::span<const double> past);
// All candidates fitted to a past without one-offs; levels to what follows its last shift (levelshift.h). Empty if no
// day of it is known.
std::vector<WeeklyFit> fitAll(std::span<const double> past);

} // namespace gpuledger::alerts
