// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/idlereplay.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>
#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace gpuledger::services {
class ConfigService;
class FleetService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// The current idle rule and another one, replayed over the same past. Immutable.
struct IdleRuleReplay {
    base::TimeRange range; // the requested range; if the data start later, `now.range` is shorter
    std::shared_ptr<const insight::IdleReplay> now, tried; // the same object if the rules are equal
    base::TimeZone zone;
};

// The two rules to compare, and the past to replay them over.
struct IdleRuleQuestion {
    base::Seconds span{}; // how far the range reaches back from the end of the data
    base::Seconds resumeWithin{};
    model::IdleSettings now, tried;
};

// Replays both; the result for the current rule is taken from `last` if it is still valid. Blocking; call from a worker
// thread. Fails as FleetService::replayIdle() does.
[[nodiscard]] base::Result<std::shared_ptr<const IdleRuleReplay>>
tryIdleRule(const services::ConfigService &config, services::FleetService &fleet, const IdleRuleQuestion &question,
            const std::shared_ptr<const IdleRuleReplay> &last, const std::stop_token &stop);

// The result of a trial as text. GUI thread.
class IdleRuleText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdleRuleText)
public:
    struct Row {
        QString name, tip, now, tried, change;
    };
    static std::vector<Row> rows(const IdleRuleReplay &trial);
    static QString range(const IdleRuleReplay &trial); // "30 Aug – 21 Nov"
    // Whether one of the rules is better in every respect, and notes on what is missing in the sums, one sentence each.
    static QString notes(const IdleRuleReplay &trial);

    // Exceptions, one per line: "namespace:kube-system", "label:team=x".
    static QString exceptions(const std::vector<model::ProtectRule> &rules);
    // std::nullopt if a line cannot be read, which is returned in `badLine`.
    static std::optional<std::vector<model::ProtectRule>> exceptions(const QString &text, QString &badLine);
};

// The effect that the tried rule would have had, by owner and kind of workload; and the stops that would have been
// wrong, those that interrupted most first.
std::vector<TableColumn> idleRulePartColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> idleRulePartTable(std::shared_ptr<const IdleRuleReplay> trial);
std::vector<TableColumn> falseStopColumns();
std::shared_ptr<const TableSnapshot> falseStopTable(std::shared_ptr<const IdleRuleReplay> trial);

} // namespace gpuledger::ui
