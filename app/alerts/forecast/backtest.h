// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/weeklymodel.h"

#include <optional>

// A forecast of a sum of days, with a band from what the same method missed in the past. Values as in weeklymodel.h.
// Pure; any thread; no errors.
namespace gpuledger::alerts {

inline constexpr std::size_t kLeastPast = 14; // known days; with fewer, a straight run rate is used
inline constexpr std::size_t kMostPast = 126; // days that a candidate is fitted to, and days that it is tried on
inline constexpr std::size_t kMostLookedAt = 2 * kMostPast; // days; older ones change nothing

struct Ahead {
    Values days; // expected, one per day ahead
    double sum = 0;
    double error = 0; // 80 % of the sums of the past were within this distance
};

// How far off forecasts of all series of a company were.
struct OthersMissed {
    std::size_t daysAhead = 0;
    double share = 0; // of the forecast: 80 % of the sums of the past were within it; see forecastAhead()
};

// The candidates fitted to what precedes each day of a series, so that forecasts on many days of one series fit each
// once. One thread.
class FitMemo {
public:
    struct Fits {
        std::vector<WeeklyFit> all; // by candidate; empty: no day is known
        SumsAhead sums;
    };
    // The candidates fitted to the kMostPast days before day `at` of the newest begin(), without one-offs.
    const Fits &before(std::size_t at);
    // Forgets what was fitted to days that are others in this past.
    void begin(std::span<const double> past);
    // The last kMostPast days of the newest begin(), without one-offs.
    const Values &usual() const { return m_usual; }

private:
    // The kMostPast days of m_past before day `at`, without one-offs.
    Values usualBefore(std::size_t at);
    void sort(std::size_t first, std::size_t end);

    Values m_past, m_usual; // of the newest begin()
    Values m_sorted; // known days of m_past from m_sortedFirst on and before m_sortedEnd, by value
    std::size_t m_sortedFirst = 0, m_sortedEnd = 0;
    std::vector<std::optional<Fits>> m_fits; // by day
};

enum class AheadParts { Sum, All }; // Sum: without the error

// The mean of the candidates of weeklymodel.h, each weighted by 1 / (its mean absolute error in the past)^4. They are
// tried on every day of the last kMostPast from the eighth on, each fitted to the kMostPast days before it: what each
// would have said of the h days that followed, without the one-offs among them. The band is the 80 % quantile of the
// absolute errors of their mean, where the candidates have the weights that were known on the day of the trial.
// How its constants were chosen: tests/bench/README.md.
// - An error after n days counts as one after all N days, times sqrt(1/h + 1/N) / sqrt(1/h + 1/n): more days tell the
//   level better.
// - An error weighs half as much for every 42 days of age. One more error, larger than all, weighs as much as the
//   latest (Barber et al., Conformal prediction beyond exchangeability, Annals of Statistics 51, 2023).
// - Trials that overlap tell less than as many separate ones: the band is wider by a quarter of h / (days tried).
// - A short past has seen few changes. With `others` for as many days, the band is the mean of its own, weighted by the
//   number of separate trials, and of what others missed, weighted by 16 (tried on real series, see
//   tests/bench/README.md).
// Where the past is too short for `daysAhead`, h is half of it, and the error grows with (daysAhead / h)^0.9.
// std::nullopt: fewer than kLeastPast days are known.
// `memo`: of this series; nullptr: none.
std::optional<Ahead> forecastAhead(std::span<const double> past, std::size_t daysAhead,
                                   const std::optional<OthersMissed> &others = std::nullopt,
                                   AheadParts parts = AheadParts::All, FitMemo *memo = nullptr);

// From series that end on the same day. std::nullopt: fewer than three of them have a forecast that is not 0.
std::optional<OthersMissed> missedByAll(std::span<const Values> pasts, std::size_t daysAhead);

} // namespace gpuledger::alerts
