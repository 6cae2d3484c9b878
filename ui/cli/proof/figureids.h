// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlereplay.h"
#include "app/insight/overview/summary.h"
#include "app/insight/queue/waiting.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement/splitlens.h"
#include "app/reports/statement/statement.h"
#include "ui/cli/program/output.h"

// Adds "figures" to JSON answers: beside each row's figures the ids that `explain` accepts, keyed by the figures' own
// keys ("gpu_hours.idle"). A figure that cannot be explained has none. Each function expects the JSON that was made
// from the answer; see heatmapids.h for heat maps. Pure; any thread.
namespace gpuledger::cli {

void addFigures(Json &json, const insight::Summary &summary, const insight::Filter &filter,
                const insight::Dimension &by);
void addFigures(Json &json, const insight::IdleList &list);
// For the JSON of waiting jobs, and the idle list of the same instant: the rate of a part that is a whole idle
// workload, and what is of one such part alone.
void addFigures(Json &json, const insight::WaitingList &waiting, const insight::IdleList &idle);
// Of its sums and stops; none if it has more stops than it lists. The idle time of the range has one if `threshold`,
// which is that of the configuration, is the replay's.
void addFigures(Json &json, const insight::IdleReplay &replay, const insight::ReplayQuery &query, double threshold);
// None if amounts were converted to another currency.
void addFigures(Json &json, const insight::LedgerAnswer &answer, const insight::LedgerQuery &query, bool effective);
// Of amounts that are not zero; differences are none of the ledger's.
void addFigures(Json &json, const reports::SplitLens &lens);
void addFigures(Json &json, const insight::Reconciliation &answer, base::Currency report);
// For a closed month they refer to the stored ledger, and its workloads have none.
void addFigures(Json &json, const reports::Statement &statement);

} // namespace gpuledger::cli
