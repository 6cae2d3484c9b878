// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/standing.h"
#include "app/base/time/timezone.h"
#include "app/model/actionrecord.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gpuledger::services {
class ActionService;
class BillingService;
class ConfigService;
} // namespace gpuledger::services
namespace gpuledger::store {
struct AuditEntry;
}

namespace gpuledger::ui {

// What users did: stops and undos with their outcomes, months signed off, decisions, and leases.
struct ActivitySnapshot {
    std::vector<model::ActionRecord> actions; // ascending by id
    std::vector<store::AuditEntry> log; // ascending; the whole log
    base::TimeZone zone;
};
// Blocking; call on a worker thread.
[[nodiscard]] base::Result<std::shared_ptr<const ActivitySnapshot>>
askActivity(const services::ConfigService &config, services::BillingService &billing, services::ActionService &actions);

std::vector<TableColumn> activityColumns();
// Newest first: one row per action, and one per log entry that is not about an action.
std::shared_ptr<const TableSnapshot> activityTable(std::shared_ptr<const ActivitySnapshot> snapshot);
// The action of a row; null if the row is another entry.
const model::ActionRecord *actionOf(const ActivitySnapshot &snapshot, const QString &rowId);

// The details of a row: names and values.
struct ActivityEvidence {
    QString title;
    std::vector<std::pair<QString, QString>> facts;
    std::vector<std::pair<QString, QString>> steps; // when, what; ascending
    std::vector<std::pair<QString, QString>> checks; // icon and name, outcome
};
ActivityEvidence activityEvidence(const ActivitySnapshot &snapshot, const QString &rowId);

// The current state of an action's object: "stopped by kim, not from here, 19 Nov, 08:12: demo is over".
QString standingWords(const actions::Standing &standing, const base::TimeZone &zone);

} // namespace gpuledger::ui
