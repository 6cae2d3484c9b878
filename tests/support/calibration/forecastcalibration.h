// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/weeklymodel.h"
#include "app/base/time/time.h"

#include <cstddef>
#include <string>
#include <vector>

// The forecast of a month held against what came, beside simple forecasts. Pure; any thread.
namespace gpuledger::tests {

// What a scope cost per UTC day; alerts::kUnknownDay where it is unknown.
struct CostSeries {
    std::string name;
    base::Day first;
    alerts::Values days;
};

// From and to: indexes of days; `to` is not included.
struct SeriesPeriod {
    std::size_t from = 0, to = 0;
};

// The calendar months that lie in it.
std::vector<SeriesPeriod> wholeMonths(const CostSeries &series);

struct ForecastTrial {
    std::size_t series = 0, periods = 0; // periods: of all series
    std::size_t trials = 0;
    std::size_t withBand = 0, within = 0; // trials with an 80 % interval, and those of them that have the truth in it
    // Sums over the trials of |forecast - truth| / truth of the whole period.
    double ours = 0, runRate = 0, seasonalNaive = 0;
    double halfBand = 0; // sum over the trials with an interval, in the same unit

    void add(const ForecastTrial &other);
    double meanOf(double sum) const { return trials > 0 ? sum / static_cast<double>(trials) : 0; }
    double withinShare() const;
    std::string text() const;
};

// Asked on the sixth, eleventh, … and 26th day of each period, knowing only the days before. The straight run rate is
// the mean of the period so far. A period counts if something was spent and its days are known but for a tenth; its
// unknown days cost nothing, in the truth and in each forecast.
ForecastTrial rollForecasts(const CostSeries &series, const std::vector<SeriesPeriod> &periods);
// The same for all series of a company, whose bands learn from each other. All begin on the same day.
ForecastTrial rollCompany(const std::vector<CostSeries> &company, const std::vector<SeriesPeriod> &periods);

} // namespace gpuledger::tests
