// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/outbox/routes.h"

#include "app/alerts/rules/rule.h"
#include "app/model/fleet/poolname.h"

#include <set>

namespace gpuledger::alerts {

namespace {

bool holds(const std::string &wanted, const std::string &actual)
{
    return wanted.empty() || wanted == actual;
}

bool appliesAt(const model::OwnerRule &rule, base::UtcTime now)
{
    return (!rule.from || *rule.from <= now) && (!rule.until || now < *rule.until);
}

} // namespace

RouteSubject routeSubjectOf(const Rule &rule, const std::string &scope)
{
    RouteSubject out;
    out.severity = std::string(toString(rule.severity));
    if (rule.scope == RuleScope::Team)
        out.team = scope;
    else if (rule.scope == RuleScope::Cluster)
        out.cluster = scope;
    else if (rule.scope == RuleScope::Pool)
        out.cluster = model::poolOf(scope).cluster;
    return out;
}

bool mayTell(const model::AlertRoute &route, std::string_view per, std::string_view severity)
{
    return (route.team.empty() || per == toString(RuleScope::Team))
        && (route.cluster.empty() || per == toString(RuleScope::Cluster) || per == toString(RuleScope::Pool))
        && (route.severity.empty() || route.severity == severity);
}

std::vector<model::AlertRoute> routesOf(const model::Settings &settings, base::UtcTime now)
{
    std::vector<model::AlertRoute> out = settings.routes;
    for (const model::OwnerRule &rule : settings.owners) {
        if (!rule.send.empty() && !rule.team.empty() && appliesAt(rule, now))
            out.push_back({rule.team, {}, {}, rule.send});
    }
    return out;
}

std::vector<std::string> routedTargets(const std::vector<model::AlertRoute> &routes, const RouteSubject &subject)
{
    std::set<std::string> out;
    for (const model::AlertRoute &route : routes) {
        if (holds(route.team, subject.team) && holds(route.cluster, subject.cluster)
            && holds(route.severity, subject.severity))
            out.insert(route.send.begin(), route.send.end());
    }
    return {out.begin(), out.end()};
}

} // namespace gpuledger::alerts
