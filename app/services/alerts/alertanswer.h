// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/firing.h"
#include "app/insight/query/reach.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::services {

// What fires for one scope. Values are nanos of the unit of the rule.
struct FiringScope {
    std::string scope;
    base::UtcTime since{}; // when it fired
    std::optional<std::int64_t> value; // now; std::nullopt: unknown
    std::int64_t peak = 0; // since it fired
    std::string key; // alertKey()
    std::vector<std::string> drivers; // of an anomaly: what moved, see anomalyDriversOf()
};

struct RuleResult {
    alerts::Rule rule;
    // The most serious state of its scopes: firing, pending, resolved, inactive.
    alerts::AlertState state = alerts::AlertState::Inactive;
    std::size_t scopes = 0;
    std::size_t unknown = 0; // scopes whose value is unknown now
    std::vector<FiringScope> firing; // by scope
    std::map<std::string, std::vector<std::string>> events{}; // of an anomaly: scopes within known events, by event
};

struct AlertEvaluation {
    base::UtcTime at{};
    base::Currency currency;
    std::vector<RuleResult> rules; // as configured
    insight::Reach reach; // of the data, in the last hour
};

struct FiredScope {
    std::string scope;
    alerts::Firing firing;
    // It began before the range: no notice of the range. Its begin is the true one, or that of the replayed data, which
    // begin with the month that contains the begin of the range.
    bool before = false;
};

struct AlertReplay {
    alerts::Rule rule;
    base::TimeRange range; // cut to what was fetched
    base::Currency currency;
    std::set<std::string> events; // of an anomaly: known events, in which nothing fires
    std::vector<FiredScope> fired; // in the range; ascending by begin, then scope
    std::size_t notices = 0; // of them: began in the range
    std::optional<double> noticesPerWeek; // std::nullopt: nothing was fetched
    std::size_t unactionable = 0; // of the notices: over within alerts::kLeastToAct
};

} // namespace gpuledger::services
