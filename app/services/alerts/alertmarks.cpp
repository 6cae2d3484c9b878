// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/alertmarks.h"

#include "app/alerts/rules/rule.h"
#include "app/model/settings.h"
#include "app/services/alerts/alertdesk.h"

#include <optional>

namespace gpuledger::services {

namespace {

// std::nullopt: no workloads are in such a scope. The configuration refuses those.
std::optional<actions::MarkScope> markScopeOf(const std::string &per)
{
    if (per == alerts::toString(alerts::RuleScope::Team))
        return actions::MarkScope::Team;
    if (per == alerts::toString(alerts::RuleScope::Cluster))
        return actions::MarkScope::Cluster;
    if (per == alerts::toString(alerts::RuleScope::Pool))
        return actions::MarkScope::Pool;
    if (per == alerts::toString(alerts::RuleScope::All))
        return actions::MarkScope::All;
    return std::nullopt;
}

} // namespace

std::vector<actions::MarkingRule> markingRulesOf(const base::Result<AlertRound> &round, const model::Settings &settings)
{
    std::vector<actions::MarkingRule> out;
    for (const model::AlertRule &configured : settings.alerts) {
        const auto scope = markScopeOf(configured.per);
        if (!configured.markAfter || !scope)
            continue;
        actions::MarkingRule rule;
        rule.name = configured.name;
        rule.scope = *scope;
        rule.after = *configured.markAfter;
        rule.isEvaluated = round && !round->unevaluated.contains(configured.name);
        for (const FiringAlert &one : round ? round->firing : std::vector<FiringAlert>()) {
            if (one.rule != configured.name)
                continue;
            rule.firing.emplace(one.scope,
                                configured.metric + " above " + configured.bound + " in " + one.scope + " since "
                                    + base::toRfc3339(one.since));
            if (!one.isKnown)
                rule.unknown.insert(one.scope);
        }
        out.push_back(std::move(rule));
    }
    return out;
}

} // namespace gpuledger::services
