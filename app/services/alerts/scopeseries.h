// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/forecast.h"
#include "app/insight/query/query.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/months/monthstore.h"
#include "app/store/values/cube.h"

#include <map>
#include <string>
#include <vector>

// What each scope cost per UTC day, for the forecast. Blocking; call from a worker thread.
namespace gpuledger::services {

struct ScopeSeries {
    std::map<std::string, alerts::ForecastQuestion> scopes; // by value of the dimension
    alerts::ForecastQuestion total;
};

// The days from `from` to the end of `data`, valued as `summary` does. A day is unknown if a source that had begun
// lacks more than a tenth of it, or if the part of its paid time that has a price is more than 5 points below the
// median of the series, both for the scope and for all scopes together: bills do not cover it yet. What is known of
// such a day is in `partly`. Fails with Storage… codes, Overflow.
[[nodiscard]] base::Result<ScopeSeries> scopeSeriesOf(store::CubeReader &cube, store::AttributionReader &facts,
                                                      const insight::Filter &filter, const insight::Dimension &by,
                                                      base::Day from, base::TimeRange data,
                                                      const std::vector<store::FetchedRanges> &fetched,
                                                      base::Currency currency);

// False if a source that had begun by `day` lacks more than a tenth of it, up to `end`: it counts from its first
// fetched moment, and what is after its last one is missing.
bool isDayFetched(base::Day day, base::UtcTime end, const std::vector<store::FetchedRanges> &fetched);

} // namespace gpuledger::services
