// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rule.h"
#include "app/alerts/rules/rulestate.h"
#include "app/services/alerts/alertdesk.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::model {
struct AlertRoute;
struct AlertRule;
} // namespace gpuledger::model

namespace gpuledger::ui {

// The words of alerts in the language of the window. Words that are not known are shown as the configuration writes
// them. GUI thread.
class AlertText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::AlertText)
public:
    static QString metric(const std::string &name); // "idle cost"
    static QString per(const std::string &name); // "each team"
    static QString severity(const std::string &name); // "warning"
    static QString state(alerts::AlertState state); // "firing"
    static QString scope(const std::string &per, const std::string &scope); // the team as the window names it
    static QString delivery(services::OutboxState state); // "not delivered"
    static QString notice(model::NoticeState state); // "firing"
    // "200.00 USD per day"; a dash for std::nullopt. Nanos of the unit.
    static QString value(std::optional<std::int64_t> nanos, alerts::RuleUnit unit, base::Currency currency);
    static QString times(int count); // "3 times"
    // Whom routes tell alerts of a rule, besides its own targets: "Routes also tell vision-chat (vision), pager.";
    // empty: nobody.
    static QString routed(const std::vector<model::AlertRoute> &routes, const model::AlertRule &rule);
    // What a new bound could be, in the currency: "200 EUR/day".
    static QString example(const std::string &metric, base::Currency currency);

private:
    static QString specialMetric(const std::string &name);
};

} // namespace gpuledger::ui
