// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/viewmodels/savings/savingssnapshot.h"

#include <string>
#include <vector>

namespace gpuledger::ui {

class SavingsViewModel;

// What can be explained of a proposal, and of the sum of what counts, in each currency. GUI thread.
std::vector<Explained> savingsExplained(const SavingsSnapshot &snapshot, const std::string &proposal);
std::vector<Explained> savingsSumExplained(const SavingsSnapshot &snapshot);
// Of the sum in each currency, and of each accepted proposal and stop that was measured.
std::vector<Explained> realizedExplained(const SavingsDone &done, model::CostView cost);
// Offers these in the rows of the table and in the summary. All must outlive the widgets.
void offerSavingsProofs(widgets::DataTable *table, QWidget *summary, const PageContext &context, QWidget *page,
                        const SavingsViewModel &model);

} // namespace gpuledger::ui
