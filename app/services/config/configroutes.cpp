// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/rule.h"
#include "app/services/config/confignode.h"

#include <algorithm>

namespace gpuledger::services {

namespace {

constexpr std::string_view kRouteExample = "{ team: vision, send: [vision-chat] }";

bool hasSameConditions(const model::AlertRoute &a, const model::AlertRoute &b)
{
    return a.team == b.team && a.severity == b.severity && a.cluster == b.cluster;
}

model::AlertRoute readRoute(const ConfigValue &value, const std::vector<model::AlertTarget> &targets)
{
    model::AlertRoute route;
    ConfigMap map(value, kRouteExample);
    if (!map.valid())
        return route;
    if (const auto team = map.take("team"))
        route.team = team->text("vision").value_or("");
    if (const auto severity = map.take("severity"))
        route.severity = severity->choice(alerts::ruleSeverityNames()).value_or("");
    if (const auto cluster = map.take("cluster"))
        route.cluster = cluster->text("prod").value_or("");
    if (const auto send = map.require("send", "send: [oncall]")) {
        route.send = readSend(*send, targets);
        if (route.send.empty())
            send->problem("must name a target, such as [oncall]");
    }
    map.finish();
    // After finish(), so that a misspelt "taem" is reported first.
    if (!map.has("team") && !map.has("severity") && !map.has("cluster"))
        value.problem("must have at least one of team, severity and cluster, for example "
                      + std::string(kRouteExample));
    return route;
}

} // namespace

void readRoutes(ConfigMap &map, model::Settings &settings, const std::vector<model::AlertTarget> &targets)
{
    const auto routes = map.take("routes");
    if (!routes)
        return;
    for (const ConfigValue &one : routes->list("[ " + std::string(kRouteExample) + " ]")) {
        model::AlertRoute route = readRoute(one, targets);
        const bool isKnown = !hasSameConditions(route, {})
            && std::any_of(settings.routes.begin(), settings.routes.end(),
                           [&](const model::AlertRoute &other) { return hasSameConditions(route, other); });
        if (isKnown)
            one.problem("has the same conditions as another entry; name the targets of both in one");
        else
            settings.routes.push_back(std::move(route));
    }
}

std::vector<model::AlertRoute> routesIn(const model::Settings &settings)
{
    std::vector<model::AlertRoute> out = settings.routes;
    for (const model::OwnerRule &rule : settings.owners) {
        if (!rule.send.empty() && !rule.team.empty())
            out.push_back({rule.team, {}, {}, rule.send});
    }
    return out;
}

std::vector<std::string> readSend(const ConfigValue &value, const std::vector<model::AlertTarget> &targets)
{
    std::vector<std::string> out;
    for (const ConfigValue &one : value.list("[ oncall ]")) {
        const auto name = one.text("oncall");
        if (!name)
            continue;
        const bool isKnown = std::any_of(targets.begin(), targets.end(),
                                         [&](const model::AlertTarget &target) { return target.name == *name; });
        if (!isKnown)
            one.problem(inQuotes(*name) + " is not the name of an entry of targets");
        out.push_back(*name);
    }
    return out;
}

} // namespace gpuledger::services
