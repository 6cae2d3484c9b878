// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/alerts/alertsdesk.h"

#include "app/alerts/outbox/routes.h"
#include "app/insight/query/query.h"
#include "app/model/fleet/poolname.h"
#include "app/model/settings.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/engine/configservice.h"
#include "app/services/environment/username.h"
#include "app/services/fleet/fleetservice.h"

#include <algorithm>

namespace gpuledger::ui {

using base::Result;
using insight::Dimension;

namespace {

Result<AlertsSnapshot> alertsNow(const services::ConfigService &config, services::FleetService &fleet,
                                 services::AlertService &alerts, services::AlertDesk &desk)
{
    AlertsSnapshot out;
    const auto covered = fleet.coveredRange();
    GPULEDGER_TRY(covered);
    out.covered = *covered;
    out.asked = config.clock().now();
    out.zone = config.timeZone();
    out.isReport = config.isReport();
    const model::Settings &settings = config.settings();
    out.currency = settings.currency;
    if (out.isReport)
        return out;
    out.configured = settings.alerts;
    out.yearStarts = settings.fiscalYearStarts;
    for (const model::AlertTarget &target : settings.targets)
        out.targets.push_back({target.name, target.kind});
    out.routes = alerts::routesOf(settings, out.asked);
    if (!out.configured.empty()) {
        auto evaluation = alerts.evaluate();
        GPULEDGER_TRY(evaluation);
        out.evaluation = std::move(*evaluation);
    }
    auto history = desk.history({out.asked - AlertsSnapshot::kPast, out.asked});
    GPULEDGER_TRY(history);
    out.history = std::move(*history);
    return out;
}

} // namespace

AlertsDesk alertsDesk(const services::ConfigService &config, services::FleetService &fleet,
                      services::AlertService &alerts, services::AlertDesk &desk)
{
    AlertsDesk out;
    out.now = [&config, &fleet, &alerts, &desk](const std::stop_token &) {
        return alertsNow(config, fleet, alerts, desk);
    };
    out.replay = [&alerts](const model::AlertRule &rule, base::TimeRange range) { return alerts.replay(rule, range); };
    out.bound = [&alerts](const model::AlertRule &rule) { return alerts.suggestedBound(rule); };
    out.idle = [&config, &fleet](const std::string &per, const std::string &scope) {
        return fleet.idle(config.clock().now(), filterOfScope(per, scope).value_or(insight::Filter()));
    };
    out.silence = [&desk](const services::Silence &wanted) {
        services::Silence silence = wanted;
        silence.by = services::userName();
        return desk.silence(silence);
    };
    out.endSilence = [&desk](std::int64_t id) { return desk.endSilence(id); };
    out.acknowledge = [&desk](const services::Acknowledgement &wanted) {
        services::Acknowledgement acknowledgement = wanted;
        acknowledgement.by = services::userName();
        return desk.acknowledge(acknowledgement);
    };
    out.retry = [&desk](std::int64_t id) { return desk.retry(id); };
    out.discard = [&desk](std::int64_t id) { return desk.discard(id); };
    out.test = [&desk](const std::string &target, const std::stop_token &stop) { return desk.test(target, stop); };
    return out;
}

const services::RuleResult *AlertsSnapshot::resultOf(const std::string &rule) const
{
    const auto found = std::find_if(evaluation.rules.begin(), evaluation.rules.end(),
                                    [&](const services::RuleResult &one) { return one.rule.name == rule; });
    return found == evaluation.rules.end() ? nullptr : &*found;
}

bool AlertsSnapshot::isAcknowledged(const std::string &key) const
{
    return std::any_of(history.acknowledged.begin(), history.acknowledged.end(),
                       [&](const services::Acknowledgement &one) { return one.key == key; });
}

std::optional<insight::Filter> filterOfScope(const std::string &per, const std::string &scope)
{
    insight::Filter filter;
    if (per == "team")
        filter.include[Dimension::Team] = {scope};
    else if (per == "cluster")
        filter.include[Dimension::Cluster] = {scope};
    else if (per == "pool") {
        const model::PoolOfCluster pool = model::poolOf(scope);
        filter.include[Dimension::Cluster] = {pool.cluster};
        filter.include[Dimension::NodePool] = {pool.pool};
    } else if (per != "all")
        return std::nullopt;
    return filter;
}

} // namespace gpuledger::ui
