// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/standing.h"
#include "app/base/timezone.h"
#include "app/model/actionrecord.h"
#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gpuledger::ui {

// What people did: stops and undos with what became of them, months that were signed off, decisions, wishes.
struct ActivitySnapshot {
    std::vector<model::ActionRecord> actions; // ascending by id
    std::vector<store::AuditEntry> log; // ascending; all of it
    base::TimeZone zone;
};
// Blocking; worker threads.
[[nodiscard]] base::Result<std::shared_ptr<const ActivitySnapshot>> askActivity(services::Workspace &workspace);

std::vector<TableColumn> activityColumns();
// Newest first: a line for each action, and for each entry of the log that is not of an action.
std::shared_ptr<const TableSnapshot> activityTable(std::shared_ptr<const ActivitySnapshot> snapshot);
// The action of a line; null: it is another entry.
const model::ActionRecord *actionOf(const ActivitySnapshot &snapshot, const QString &rowId);

// What is behind a line: names and values.
struct ActivityEvidence {
    QString title;
    std::vector<std::pair<QString, QString>> facts;
    std::vector<std::pair<QString, QString>> steps; // when, what; ascending
    std::vector<std::pair<QString, QString>> checks; // sign and name, what came of it
};
ActivityEvidence activityEvidence(const ActivitySnapshot &snapshot, const QString &rowId);

// How the object of an action stands now: "stopped by kim, not from here, 19 Nov, 08:12: demo is over".
QString standingWords(const actions::Standing &standing, const base::TimeZone &zone);

} // namespace gpuledger::ui
