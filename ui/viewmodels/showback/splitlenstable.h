// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/splitlens.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace gpuledger::ui {

// What the split lens shows: each team under every policy, then CPU and memory, then what all of it comes to.
enum class LensFigures { Amounts, Differences }; // Differences: against gpu-first
std::vector<TableColumn> lensColumns();
std::shared_ptr<const TableSnapshot> lensTable(std::shared_ptr<const reports::SplitLens> lens, LensFigures figures);

QString splitPolicyName(model::SplitPolicy policy); // "AWS"
QStringList splitPolicyRules(); // what each of them does, one sentence a policy
// What can't be split, if anything: "120.00 USD of machines …".
QStringList lensNotes(const reports::SplitLens &lens);

} // namespace gpuledger::ui
