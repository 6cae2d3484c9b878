// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/metricseries.h"

#include "app/alerts/rules/firing.h"
#include "app/services/alerts/budgetseries.h"
#include "app/services/alerts/series/anomalyseries.h"
#include "app/services/alerts/series/billseries.h"
#include "app/services/alerts/series/interruptionseries.h"
#include "app/services/alerts/series/priceseries.h"
#include "app/services/alerts/series/queueseries.h"
#include "app/services/alerts/series/sourceseries.h"
#include "app/services/alerts/series/termseries.h"

#include <algorithm>

namespace gpuledger::services {

using alerts::RuleMetric;
using base::Result;

namespace {

// The longest time that a rule looks back. It can't be taken from the data, because there may be none.
constexpr base::Seconds kLatenessPast = 90 * base::kDay;

Result<RuleSeries> lateSources(const SeriesQuestion &question, const model::Settings &settings)
{
    const auto states = question.cache->syncStates();
    GPULEDGER_TRY(states);
    const base::UtcTime start = std::min(question.range.start, question.now - kLatenessPast);
    return sourceSeriesOf(settings.sources, *states, {start, question.now});
}

Result<RuleSeries> changedPrices(const SeriesQuestion &question)
{
    const auto history = question.cache->prices().history();
    GPULEDGER_TRY(history);
    return priceSeriesOf(*history, {question.range.start, question.now});
}

// The value of a day may become known when the time that is asked for begins after that day.
SeriesQuestion withDaysBefore(const SeriesQuestion &question)
{
    SeriesQuestion out = question;
    const base::UtcTime start = question.range.start;
    out.range.start = std::max(start - alerts::kKnownLater, std::min(start, question.covered.start));
    return out;
}

Result<RuleSeries> dailySeriesOf(View &view, const alerts::Rule &rule, const SeriesQuestion &question,
                                 const model::Settings &settings)
{
    switch (rule.metric) {
    case RuleMetric::Reconciliation:
        return reconciliationSeriesOf(question, settings.currency);
    case RuleMetric::CommitmentUnused:
        return unusedSeriesOf(view, question, settings.currency);
    case RuleMetric::CommitmentExpiring:
        return expiringSeriesOf(view, question, settings.sources);
    case RuleMetric::PriceChange:
        return changedPrices(question);
    case RuleMetric::SpotInterruptions:
        return interruptionSeriesOf(view, question);
    default:
        return anomalySeriesOf(view, rule, question, settings.currency);
    }
}

} // namespace

Result<RuleSeries> metricSeriesOf(View &view, const alerts::Rule &rule, const SeriesQuestion &question,
                                  const model::Settings &settings)
{
    switch (rule.metric) {
    case RuleMetric::Budget:
    case RuleMetric::Forecast:
        // A bill tells a day later, when that day may be before the time that is asked for.
        return budgetSeriesOf(view, rule,
                              rule.scope == alerts::RuleScope::Project ? withDaysBefore(question) : question, settings);
    case RuleMetric::SourceLate:
        return lateSources(question, settings);
    case RuleMetric::QueueWaiting:
        return queueSeriesOf(view, question);
    default:
        return alerts::isDaily(rule.metric) ? dailySeriesOf(view, rule, withDaysBefore(question), settings)
                                            : ruleSeriesOf(view, rule, question);
    }
}

} // namespace gpuledger::services
