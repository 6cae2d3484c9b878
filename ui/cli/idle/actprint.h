// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/standing.h"
#include "app/actions/run/marks.h"
#include "app/base/time/timezone.h"
#include "app/model/actionrecord.h"
#include "app/store/actions/auditlog.h"
#include "ui/cli/program/output.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// An object of the log and its current state; an error: the state is unknown.
struct ObjectNow {
    model::TargetRef target;
    base::Result<actions::Standing> standing;
};

std::string shownName(const actions::PlannedStop &stop); // the name of its first holder
Json toJson(const actions::Plan &plan);
// The record of a stop that a plan refuses, reported like the actions: with number 0, which no action of the log has.
model::ActionRecord refusedOf(const actions::PlannedStop &stop, const std::string &reason);
Json toJson(const std::vector<model::ActionRecord> &records);
// Adds to each of these actions when its steps were written to the audit log, by the real and the steady clock.
void addRecorded(Json &actions, const std::vector<store::AuditEntry> &log);
Json toJson(const model::Lease &lease);
Json toJson(const std::vector<ObjectNow> &objects);
// As text; empty: none.
std::string textOf(const std::vector<ObjectNow> &objects, const base::TimeZone &zone, bool bold);
Json toJson(const actions::Marked &marked);
Json toJson(const actions::MarkEvent &event, base::UtcTime at);
// As text.
std::string textOf(const actions::Marked &marked, const base::TimeZone &zone, bool bold);
// The scheduled stops among them, with a headline; empty: none.
std::string marksText(const std::vector<model::Lease> &leases, const base::TimeZone &zone, bool bold);
std::string textOf(const actions::Plan &plan, const base::TimeZone &zone, bool bold);
std::string textOf(const std::vector<model::ActionRecord> &records, const base::TimeZone &zone, bool bold);
std::string csvOf(const std::vector<model::ActionRecord> &records);

} // namespace gpuledger::cli
