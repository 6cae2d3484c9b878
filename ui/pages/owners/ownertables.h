// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/owners/ownerrulesviewmodel.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <map>
#include <memory>

// The tables of the owner rules. Pure; GUI thread.
namespace gpuledger::ui {

QString currencyText(const ledger::RulePreview &preview); // "USD"
// Share of the cost, or of the time if no price is known; 0 if there is nothing.
double shareOf(const ledger::Claimed &part, const ledger::Claimed &all);
QString wholeMoney(std::int64_t nanos); // "14,820"
QString hoursOf(base::GpuTime time); // "1,240.5"

// The rules in order with what each claims; the last row is what no rule claims. `claims` are keyed by the rows' ids, 0
// for the last; missing ones are shown as a dash.
std::vector<TableColumn> ownerRuleColumns(const QString &currency);
std::shared_ptr<const TableSnapshot> ownerRuleTable(const std::vector<OwnerRulesViewModel::Row> &rows,
                                                    const std::map<int, ledger::RulePreview::Rule> &claims,
                                                    const ledger::Claimed &all);
QString ownerRuleRowId(int id);

// Each team's cost now and under other rules, largest changes first.
std::vector<TableColumn> teamChangeColumns(const QString &currency);
std::shared_ptr<const TableSnapshot> teamChangeTable(std::shared_ptr<const ledger::RulePreview> preview);
int changedTeams(const ledger::RulePreview &preview);

// Workloads without an owner, most expensive first.
std::vector<TableColumn> unownedColumns(const QString &currency);
std::shared_ptr<const TableSnapshot> unownedTable(std::shared_ptr<const ledger::RulePreview> preview);

} // namespace gpuledger::ui
