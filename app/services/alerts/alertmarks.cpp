// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/alertmarks.h"

#include "app/model/settings.h"
#include "app/services/alerts/alertanswer.h"

#include <algorithm>

namespace gpuledger::services {

namespace {

actions::MarkScope markScopeOf(alerts::RuleScope scope)
{
    switch (scope) {
    case alerts::RuleScope::Team:
        return actions::MarkScope::Team;
    case alerts::RuleScope::Cluster:
        return actions::MarkScope::Cluster;
    case alerts::RuleScope::Pool: // refused by the configuration, as those of metrics without idle workloads
    case alerts::RuleScope::Source:
    case alerts::RuleScope::Model:
    case alerts::RuleScope::Commitment:
    case alerts::RuleScope::Label:
    case alerts::RuleScope::Project:
    case alerts::RuleScope::All:
        break;
    }
    return actions::MarkScope::All;
}

} // namespace

bool hasMarkingRules(const model::Settings &settings)
{
    return std::any_of(settings.alerts.begin(), settings.alerts.end(),
                       [](const model::AlertRule &rule) { return rule.markAfter.has_value(); });
}

std::vector<actions::MarkingRule> markingRulesOf(const AlertEvaluation &evaluation, const model::Settings &settings)
{
    std::vector<actions::MarkingRule> out;
    for (const model::AlertRule &configured : settings.alerts) {
        const auto result = std::find_if(evaluation.rules.begin(), evaluation.rules.end(),
                                         [&](const RuleResult &one) { return one.rule.name == configured.name; });
        if (!configured.markAfter || result == evaluation.rules.end() || result->rule.scope == alerts::RuleScope::Pool)
            continue;
        actions::MarkingRule rule;
        rule.name = configured.name;
        rule.scope = markScopeOf(result->rule.scope);
        rule.after = *configured.markAfter;
        for (const FiringScope &scope : result->firing)
            rule.firing.emplace(scope.scope,
                                configured.metric + " above " + configured.bound + " in " + scope.scope + " since "
                                    + base::toRfc3339(scope.since));
        out.push_back(std::move(rule));
    }
    return out;
}

} // namespace gpuledger::services
