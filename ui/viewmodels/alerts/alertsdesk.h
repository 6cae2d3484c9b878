// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/idle.h"
#include "app/services/alerts/alertanswer.h"
#include "app/services/alerts/alertdesk.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {
class AlertService;
class ConfigService;
class FleetService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// What the Alerts page shows at one time. Immutable.
struct AlertsSnapshot {
    struct Target {
        std::string name, kind;
    };
    static constexpr base::Seconds kPast = 90 * base::kDay; // history and replay

    base::TimeRange covered; // by the data
    base::UtcTime asked{};
    base::TimeZone zone;
    base::Currency currency;
    std::vector<model::AlertRule> configured;
    int yearStarts = 1; // the month in which the year of budgets begins, 1 to 12
    std::vector<Target> targets;
    std::vector<model::AlertRoute> routes; // those beside owner rules, too
    services::AlertEvaluation evaluation; // of the configured rules, in their order
    services::AlertHistory history;
    bool isReport = false; // has neither rules nor history

    const services::RuleResult *resultOf(const std::string &rule) const; // null: it is not evaluated
    bool isAcknowledged(const std::string &key) const;
};

// What the page asks. Every function blocks and runs on a worker thread; each fails as its service does.
struct AlertsDesk {
    std::function<base::Result<AlertsSnapshot>(const std::stop_token &)> now;
    std::function<base::Result<services::AlertReplay>(const model::AlertRule &, base::TimeRange)> replay;
    // A bound for a new rule, as the configuration writes it; std::nullopt: the past suggests none.
    std::function<base::Result<std::optional<std::string>>(const model::AlertRule &)> bound;
    // What is idle in a scope of a rule; `per` is "team", "cluster", "pool" or "all".
    std::function<base::Result<insight::IdleList>(const std::string &per, const std::string &scope)> idle;
    std::function<base::Result<services::Silence>(const services::Silence &)> silence;
    std::function<base::Result<void>(std::int64_t)> endSilence;
    std::function<base::Result<void>(const services::Acknowledgement &)> acknowledge;
    std::function<base::Result<void>(std::int64_t)> retry, discard; // messages
    std::function<base::Result<ports::Delivery>(const std::string &target, const std::stop_token &)> test;
};
// All must outlive it.
AlertsDesk alertsDesk(const services::ConfigService &config, services::FleetService &fleet,
                      services::AlertService &alerts, services::AlertDesk &desk);

// The filter of one scope of a rule. std::nullopt: no filter selects it (a source, a label).
std::optional<insight::Filter> filterOfScope(const std::string &per, const std::string &scope);

} // namespace gpuledger::ui
