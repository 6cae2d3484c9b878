// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "app/insight/idle/idle.h"
#include "app/insight/overview/summary.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement.h"
#include "ui/cli/program/output.h"

// Puts "figures" into JSON answers: beside each row's figures the ids that `explain` takes, by the names of their keys
// ("gpu_hours.idle"). A figure that can't be explained has none. Each expects the JSON that was made of the answer.
// Pure; any thread.
namespace gpuledger::cli {

void addFigures(Json &json, const insight::Summary &summary, const insight::Filter &filter,
                const insight::Dimension &by);
// A cell without a value has none for it.
void addFigures(Json &json, const insight::Heatmap &map, const insight::HeatmapQuery &query);
void addFigures(Json &json, const insight::IdleList &list);
// None where amounts were converted to another currency, or machines split into parts.
void addFigures(Json &json, const insight::LedgerAnswer &answer, const insight::LedgerQuery &query, bool effective);
void addFigures(Json &json, const insight::Reconciliation &answer, base::Currency report);
// Of a closed month they are of what was kept, and its workloads have none.
void addFigures(Json &json, const reports::Statement &statement);

} // namespace gpuledger::cli
