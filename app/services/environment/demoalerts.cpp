// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/environment/demoalerts.h"

namespace gpuledger::services {

namespace {

struct DemoBudget {
    const char *team, *amount;
};
constexpr DemoBudget kDemoBudgets[] = {{"llm-platform", "130000"}, {"vision", "95000"}, {"ads-ranking", "66000"},
                                       {"speech", "57000"},        {"recsys", "47000"}, {"robotics", "32000"},
                                       {"research", "21000"}};

struct DemoAlert {
    const char *name, *metric, *per, *bound;
    base::Seconds length;
    double hysteresis;
    const char *severity;
};
constexpr base::Seconds kDemoHour{3600};
constexpr DemoAlert kDemoAlerts[] = {
    {"idle-cost", "idle-cost", "team", "500 USD/day", 12 * kDemoHour, 0.2, "warning"},
    {"low-use", "utilization", "cluster", "25 %", 6 * kDemoHour, 0.1, "info"},
    {"unallocated", "unallocated", "all", "60 GPU", 4 * kDemoHour, 0.1, "warning"},
    {"over-budget", "forecast", "team", "100 %", base::Seconds{0}, 0, "critical"},
};

} // namespace

void addDemoBudgets(model::Settings &settings)
{
    for (const DemoBudget &one : kDemoBudgets) {
        model::Budget &budget = settings.budgets.emplace_back();
        budget.key = one.team;
        budget.period = "month";
        budget.amount = one.amount;
        budget.warn = {0.8, 1.0};
        budget.forecast = true;
    }
}

void addDemoAlerts(model::Settings &settings)
{
    for (const DemoAlert &one : kDemoAlerts) {
        model::AlertRule &rule = settings.alerts.emplace_back();
        rule.name = one.name;
        rule.metric = one.metric;
        rule.per = one.per;
        rule.bound = one.bound;
        rule.length = one.length;
        rule.hysteresis = one.hysteresis;
        rule.severity = one.severity;
    }
}

} // namespace gpuledger::services
