// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::alerts {
struct Rule;

// Whom an alert is told to besides the targets of its rule. Pure; any thread; no errors.

// What routes look at.
struct RouteSubject {
    std::string team, cluster; // to which all that the alert is about belongs; empty: to none, or to several
    std::string severity; // "info", "warning", "critical"
};
// Of an alert of `rule`: only `per: team` has a team, and only `per: cluster` and `per: pool` have a cluster.
RouteSubject routeSubjectOf(const Rule &rule, const std::string &scope);

// Whether a route tells alerts of rules that say `per` ("team") and have this severity, of some scope at least.
bool mayTell(const model::AlertRoute &route, std::string_view per, std::string_view severity);

// The routes of the configuration, and those that owner rules which apply at `now` have beside them.
std::vector<model::AlertRoute> routesOf(const model::Settings &settings, base::UtcTime now);

// The targets of every route whose conditions all hold, ascending and each once. A condition on something that the
// subject does not have does not hold.
std::vector<std::string> routedTargets(const std::vector<model::AlertRoute> &routes, const RouteSubject &subject);

} // namespace gpuledger::alerts
