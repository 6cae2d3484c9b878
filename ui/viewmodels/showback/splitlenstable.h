// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/splitlens.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace gpuledger::ui {

// The figures of the split-policy comparison: each team under every policy, then CPU and memory, then the total.
enum class LensFigures { Amounts, Differences }; // Differences: relative to gpu-first
std::vector<TableColumn> lensColumns();
std::shared_ptr<const TableSnapshot> lensTable(std::shared_ptr<const reports::SplitLens> lens, LensFigures figures);

QString splitPolicyName(model::SplitPolicy policy); // "AWS"
QStringList splitPolicyRules(); // what each of them does, one sentence per policy
// Notes on what cannot be split, if anything: "120.00 USD of machines …".
QStringList lensNotes(const reports::SplitLens &lens);

} // namespace gpuledger::ui
