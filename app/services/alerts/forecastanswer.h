// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/budgets/budget.h"
#include "app/alerts/budgets/suggest.h"
#include "app/base/result.h"
#include "app/insight/query/query.h"
#include "app/insight/query/reach.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

struct ForecastQuery {
    insight::Filter filter;
    insight::Dimension by;
    model::CostView cost = model::CostView::Effective;
    alerts::PeriodKind period = alerts::PeriodKind::Month; // the one that contains now
    bool byProject = false; // instead of `by`: by account of the bills (accountseries.h); without a filter
};

struct ScopeForecast {
    std::string key;
    alerts::PeriodForecast forecast;
    std::vector<std::pair<alerts::Budget, alerts::BudgetState>> budgets; // each of its own period
    std::optional<alerts::SuggestedAmount> usual; // a budget from its past, per period of the answer
    std::string name{}; // of an account, if the bills have one
};

// Descending by expected amount, unknown ones last; ties by key.
struct ForecastAnswer {
    alerts::Period period;
    base::Currency currency;
    ScopeForecast total; // without budgets
    std::vector<ScopeForecast> rows;
    insight::Reach reach; // of the data, in the period so far
};

class Engine;
// What AlertService::forecast() answers, but for `reach`. Blocking; call from a worker thread. Fails likewise.
[[nodiscard]] base::Result<ForecastAnswer> forecastOf(const Engine &engine, const ForecastQuery &query);

} // namespace gpuledger::services
