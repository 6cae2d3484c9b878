// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/alertconfig.h"

#include "app/alerts/rules/rule.h"
#include "app/base/crypto/sha256.h"

#include <algorithm>

namespace gpuledger::services {

std::optional<base::Seconds> markAfterOf(const model::Settings &settings, const std::string &rule)
{
    const auto configured = std::find_if(settings.alerts.begin(), settings.alerts.end(),
                                         [&](const model::AlertRule &one) { return one.name == rule; });
    const bool marks = settings.actions.stopsMarked && configured != settings.alerts.end();
    return marks ? configured->markAfter : std::nullopt;
}

bool isToldLater(const model::Settings &settings, const std::string &rule, const std::string &target)
{
    const auto configured = std::find_if(settings.alerts.begin(), settings.alerts.end(),
                                         [&](const model::AlertRule &one) { return one.name == rule; });
    const auto names = [&](const std::vector<std::string> &send) {
        return std::find(send.begin(), send.end(), target) != send.end();
    };
    return configured != settings.alerts.end() && !names(configured->send)
        && std::any_of(configured->escalate.begin(), configured->escalate.end(),
                       [&](const model::Escalation &step) { return names(step.send); });
}

std::string definitionOf(const alerts::Rule &rule, const model::Settings &settings)
{
    std::string text = std::string(alerts::toString(rule.metric)) + '\n' + std::string(alerts::toString(rule.scope))
        + '\n' + std::to_string(static_cast<int>(rule.bound.unit)) + '\n' + std::to_string(rule.bound.nanos) + '\n'
        + std::to_string(rule.clearNanos) + '\n' + std::to_string(rule.length.count()) + '\n' + rule.hoursText + '\n'
        + (rule.hours ? rule.zone.name() : "") + '\n' + std::string(settings.currency.code());
    if (rule.metric == alerts::RuleMetric::Budget || rule.metric == alerts::RuleMetric::Forecast) {
        for (const model::Budget &budget : settings.budgets)
            text += '\n' + budget.by + '\n' + budget.key + '\n' + budget.period + '\n' + budget.amount + '\n'
                + (budget.carryOver ? "carry" : "");
        if (settings.fiscalYearStarts != 1)
            text += "\nyear " + std::to_string(settings.fiscalYearStarts);
    }
    const bool knowsEvents =
        rule.metric == alerts::RuleMetric::AnomalyCost || rule.metric == alerts::RuleMetric::AnomalyUtilization;
    if (knowsEvents && !settings.events.empty()) {
        text += '\n' + rule.zone.name();
        for (const model::KnownEvent &event : settings.events) {
            text += '\n' + event.name + '\n' + std::to_string(event.from) + '\n' + std::to_string(event.to)
                + (event.yearly ? "\nyearly" : "");
            for (const std::string &team : event.teams)
                text += '\n' + team;
        }
    }
    return base::sha256Hex(text);
}

} // namespace gpuledger::services
