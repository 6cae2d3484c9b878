// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/timezone.h"
#include "app/insight/idle/idlereplay.h"
#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>
#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace gpuledger::ui {

// The idle rule that is in use and another one, replayed over the same past. Immutable.
struct IdleRuleReplay {
    base::TimeRange range; // asked for; where the data begins later, `now.range` is shorter
    std::shared_ptr<const insight::IdleReplay> now, tried; // the same one where the rules are
    base::TimeZone zone;
};

struct IdleRuleQuestion {
    base::Seconds span{}; // before the end of the data
    base::Seconds resumeWithin{};
    model::IdleSettings now, tried;
};

// Replays both; `last` spares the rule in use where the question is the same for it. Blocking; worker threads. Fails as
// Workspace::replayIdle() does.
[[nodiscard]] base::Result<std::shared_ptr<const IdleRuleReplay>>
tryIdleRule(services::Workspace &workspace, const IdleRuleQuestion &question,
            const std::shared_ptr<const IdleRuleReplay> &last, const std::stop_token &stop);

// What a trial says, as people read it. GUI thread.
class IdleRuleText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdleRuleText)
public:
    struct Row {
        QString name, tip, now, tried, change;
    };
    static std::vector<Row> rows(const IdleRuleReplay &trial);
    static QString range(const IdleRuleReplay &trial); // "30 Aug – 21 Nov"
    // What is in no sum, a sentence each; empty: nothing.
    static QString notes(const IdleRuleReplay &trial);

    // Exceptions, one on a line: "namespace:kube-system", "label:team=x".
    static QString exceptions(const std::vector<model::ProtectRule> &rules);
    // Nothing: a line can't be read; `badLine` says which.
    static std::optional<std::vector<model::ProtectRule>> exceptions(const QString &text, QString &badLine);
};

// What the tried rule would have done, by owner and kind of workload; and the stops that would have been false, those
// that broke most first.
std::vector<TableColumn> idleRulePartColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> idleRulePartTable(std::shared_ptr<const IdleRuleReplay> trial);
std::vector<TableColumn> falseStopColumns();
std::shared_ptr<const TableSnapshot> falseStopTable(std::shared_ptr<const IdleRuleReplay> trial);

} // namespace gpuledger::ui
