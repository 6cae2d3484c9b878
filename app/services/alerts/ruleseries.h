// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/anomaly/events.h"
#include "app/alerts/rules/rulestate.h"
#include "app/services/engine/engine.h"
#include "app/store/months/monthstore.h"

#include <map>
#include <string>
#include <vector>

// What the metric of a rule was over time, for each of its scopes. Blocking; call from a worker thread.
namespace gpuledger::services {

class RuleCells;

using RuleSeries = std::map<std::string, std::vector<alerts::Reading>>; // by scope; of `all`: "all"

struct SeriesQuestion {
    base::TimeRange range;
    base::TimeRange covered; // what was fetched
    double observed = 0; // the least observed share of a scope's paid time; below it a value is unknown
    std::vector<store::FetchedRanges> fetched;
    base::UtcTime now{}; // the end of what is asked for, also where nothing was fetched
    store::LedgerStore *cache = nullptr; // for metrics of what is no part of the view
    std::vector<std::string> scopes{}; // that have readings even if nothing of them is in the range
    alerts::EventCalendar events{}; // of which anomalies know
    // Of `range`, for all rules that ask this question, so that stored cells are read once; null: of one rule alone.
    RuleCells *cells = nullptr;
};

// For the metrics of the last hour, but for QueueWaiting: a reading every quarter hour, of the hour that ends then,
// valued as `summary` does. It is unknown if a source that had begun lacks more than a tenth of the hour, if less than
// `observed` of the scope's paid time was observed (but for the attribution coverage), if more than half of it has no
// price (cost only). Reading::nothing: nothing was held (utilization) or cost (attribution coverage). A scope that held
// nothing has no idle cost: 0. Fails with Storage… codes, Overflow.
[[nodiscard]] base::Result<RuleSeries> ruleSeriesOf(View &view, const alerts::Rule &rule,
                                                    const SeriesQuestion &question);

// False if the hour that ends then is later than the data, or if a source that had begun lacks more than a tenth of it.
bool isHourFetched(base::UtcTime end, const SeriesQuestion &question);

} // namespace gpuledger::services
