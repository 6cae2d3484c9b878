// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/backtest.h"
#include "app/alerts/forecast/billages.h"
#include "app/alerts/forecast/period.h"
#include "app/alerts/forecast/weeklymodel.h"
#include "app/base/money/money.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// What a scope will have cost at the end of a period (design: definitions.md, Forecast): spent so far + expected rest.
// Statistics are computed in floating point and rounded once to nano-units; what was spent is exact. Pure; any thread.
namespace gpuledger::alerts {

// What a scope cost on consecutive days, in nano-units. std::nullopt: unknown, which is not 0.
struct DailySeries {
    base::Day first;
    std::vector<std::optional<std::int64_t>> days;
    std::vector<std::int64_t> partly{}; // what is known of an unknown day, by the same index; may be shorter or longer

    base::Day end() const { return base::Day{first.number + static_cast<std::int32_t>(days.size())}; }
    // std::nullopt also outside the series.
    std::optional<std::int64_t> on(base::Day day) const;
};

// The part of a day that the data reach into.
struct PartDay {
    std::int64_t nanos = 0;
    double share = 0; // of the day, 0..1
};

// A day whose bill may still grow. std::nullopt: by how much is unknown, and the day counts as it is.
struct OpenBillDay {
    base::Day day;
    std::optional<DayShare> has; // what it has of its final amount
};

struct ForecastQuestion {
    base::Currency currency;
    DailySeries past; // whole days
    std::optional<PartDay> today; // the day after them
    std::vector<OpenBillDay> open{}; // of `past`; ascending
    std::optional<OthersMissed> others{}; // see missedBy(); without it, the band is from this series alone
};

enum class ForecastMethod {
    None, // nothing is known
    RunRate, // fewer than kLeastPast days are known: the mean of the known days of the period, else of all
    Weekly, // backtest.h
};
std::string_view toString(ForecastMethod method); // "none", "run-rate", "weekly"

struct PeriodForecast {
    Period period;
    ForecastMethod method = ForecastMethod::None;
    base::Money spent; // with what is known of unknown days
    std::optional<base::Money> expected; // at the end; std::nullopt: method None
    std::optional<base::Money> low, high; // 80 % interval, wider for completed days; std::nullopt: not Weekly
    std::size_t unknownDays = 0; // days of the period that are over and unknown; `expected` has an estimate for them
    std::size_t daysLeft = 0; // whole or part
    // Days of the period that are over, but not on their bill to the end: `expected` has these completed by what days
    // of their age used to gain, and these as they are. `spent` has all of them as they are.
    std::size_t completedDays = 0, openDays = 0;
    // |forecast - actual| / actual of the last three whole months, each asked on the same day of the month: the mean of
    // those that can be judged (method Weekly, at least nine tenths of the days known).
    std::optional<double> error;
    std::size_t errorMonths = 0;
};

// What is computed: each takes several times as long as the one before.
enum class ForecastParts {
    Spent, // `spent` alone; the method is None
    Expected, // without `error`, `low` and `high`
    All,
};

// `memo`: of this past, for forecasts on many of its days. Fails with Overflow.
[[nodiscard]] base::Result<PeriodForecast> forecastPeriod(const ForecastQuestion &question, const Period &period,
                                                          ForecastParts parts = ForecastParts::All,
                                                          FitMemo *memo = nullptr);

// How far off the forecasts of all these scopes were, to be asked with each of them about the same period. They end on
// the same day.
std::optional<OthersMissed> missedBy(const std::vector<const ForecastQuestion *> &all, const Period &period);

// A budget for the period after one: what it will cost at most with a probability of 80 %, rounded up to whole units.
// p80 = expected + 0.84 / 1.28 x half of the 80 % interval, as if errors were normally distributed. std::nullopt: the
// method is not Weekly, or it would not be above 0. Fails with Overflow.
[[nodiscard]] base::Result<std::optional<base::Money>> suggestedBudget(const ForecastQuestion &question,
                                                                       const Period &period);

} // namespace gpuledger::alerts
