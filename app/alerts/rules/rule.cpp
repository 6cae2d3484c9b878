// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/rule.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace gpuledger::alerts {

namespace {

struct MetricWords {
    RuleMetric metric;
    std::string_view name, example;
    bool isBelow = false;
};
constexpr std::array<MetricWords, 17> kRuleMetrics{
    {{RuleMetric::IdleCost, "idle-cost", "200 USD/day"},
     {RuleMetric::IdleHours, "idle-hours", "100 h/day"},
     {RuleMetric::Utilization, "utilization", "30 %", true},
     {RuleMetric::AllocationWithoutUse, "allocation-without-use", "50 %"},
     {RuleMetric::Unallocated, "unallocated", "8 GPU"},
     {RuleMetric::Budget, "budget", "80 %"},
     {RuleMetric::Forecast, "forecast", "100 %"},
     {RuleMetric::AttributionCoverage, "attribution-coverage", "95 %", true},
     {RuleMetric::AnomalyCost, "anomaly-cost", "4"},
     {RuleMetric::AnomalyUtilization, "anomaly-utilization", "4"},
     {RuleMetric::SourceLate, "source-late", "2 h"},
     {RuleMetric::QueueWaiting, "queue-waiting", "8 GPU"},
     {RuleMetric::Reconciliation, "reconciliation", "1 %"},
     {RuleMetric::CommitmentUnused, "commitment-unused", "200 USD/day"},
     {RuleMetric::PriceChange, "price-change", "10 %"},
     {RuleMetric::SpotInterruptions, "spot-interruptions", "3 /day"},
     {RuleMetric::CommitmentExpiring, "commitment-expiring", "30 d", true}}};
constexpr std::array<std::string_view, 9> kRuleScopes{"team",  "cluster",    "pool",  "all",    "source",
                                                      "model", "commitment", "label", "project"};
constexpr std::array<std::string_view, 3> kRuleSeverities{"info", "warning", "critical"};

const MetricWords &wordsOf(RuleMetric metric)
{
    return *std::find_if(kRuleMetrics.begin(), kRuleMetrics.end(),
                         [&](const MetricWords &one) { return one.metric == metric; });
}

} // namespace

std::string_view toString(RuleMetric metric)
{
    return wordsOf(metric).name;
}

std::string_view toString(RuleScope scope)
{
    return kRuleScopes[static_cast<std::size_t>(scope)];
}

std::string_view toString(RuleSeverity severity)
{
    return kRuleSeverities[static_cast<std::size_t>(severity)];
}

std::string unitText(RuleUnit unit, base::Currency currency)
{
    switch (unit) {
    case RuleUnit::MoneyPerDay:
        return std::string(currency.code()) + "/day";
    case RuleUnit::HoursPerDay:
        return "h/day";
    case RuleUnit::Gpus:
        return "GPU";
    case RuleUnit::Score:
        return "score";
    case RuleUnit::Hours:
        return "h";
    case RuleUnit::TimesPerDay:
        return "/day";
    case RuleUnit::Days:
        return "d";
    case RuleUnit::Share:
        break;
    }
    return "share";
}

std::optional<RuleMetric> ruleMetricFromString(std::string_view text)
{
    for (const MetricWords &one : kRuleMetrics) {
        if (one.name == text)
            return one.metric;
    }
    return std::nullopt;
}

std::vector<std::string> ruleMetricNames()
{
    std::vector<std::string> names;
    names.reserve(std::size(kRuleMetrics));
    for (const MetricWords &one : kRuleMetrics)
        names.emplace_back(one.name);
    return names;
}

std::vector<std::string> ruleSeverityNames()
{
    return {kRuleSeverities.begin(), kRuleSeverities.end()};
}

bool isAboutIdle(RuleMetric metric)
{
    return metric == RuleMetric::IdleCost || metric == RuleMetric::IdleHours
        || metric == RuleMetric::AllocationWithoutUse;
}

bool fallsBelow(RuleMetric metric)
{
    return wordsOf(metric).isBelow;
}

std::string_view boundExample(RuleMetric metric)
{
    return wordsOf(metric).example;
}

std::vector<std::string> scopesOf(RuleMetric metric)
{
    switch (metric) {
    case RuleMetric::Budget:
    case RuleMetric::Forecast:
        return {"team", "cluster", "model", "label", "project"};
    case RuleMetric::AttributionCoverage: // a team's own cost is always owned
        return {"cluster", "pool", "all"};
    case RuleMetric::AnomalyCost:
    case RuleMetric::AnomalyUtilization:
        return {"team", "cluster", "all"};
    case RuleMetric::QueueWaiting:
    case RuleMetric::SpotInterruptions:
        return {"cluster"};
    case RuleMetric::SourceLate:
        return {"source"};
    case RuleMetric::Reconciliation:
        return {"all"};
    case RuleMetric::CommitmentUnused:
    case RuleMetric::CommitmentExpiring:
        return {"commitment"};
    case RuleMetric::PriceChange:
        return {"model"};
    default:
        return {"team", "cluster", "pool", "all"};
    }
}

bool isDaily(RuleMetric metric)
{
    switch (metric) {
    case RuleMetric::Budget:
    case RuleMetric::Forecast:
    case RuleMetric::AnomalyCost:
    case RuleMetric::AnomalyUtilization:
    case RuleMetric::Reconciliation:
    case RuleMetric::CommitmentUnused:
    case RuleMetric::PriceChange:
    case RuleMetric::SpotInterruptions:
    case RuleMetric::CommitmentExpiring:
        return true;
    default:
        return false;
    }
}

base::Seconds Rule::longestStep() const
{
    return isDaily(metric) ? base::kDay : base::Seconds{3600};
}

bool Rule::worksAt(base::UtcTime t) const
{
    return !hours || hours->test(static_cast<std::size_t>(zone.hourOfWeek(t)));
}

bool Rule::holds(std::int64_t nanos) const
{
    return isBelow() ? nanos < bound.nanos : nanos > bound.nanos;
}

bool Rule::keepsFiring(std::int64_t nanos) const
{
    return isBelow() ? nanos < clearNanos : nanos > clearNanos;
}

std::int64_t Rule::worse(std::int64_t a, std::int64_t b) const
{
    return isBelow() ? std::min(a, b) : std::max(a, b);
}

} // namespace gpuledger::alerts
