// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/viewmodels/savings/savingssnapshot.h"

#include <string>
#include <vector>

namespace gpuledger::ui {

// What can be explained of a proposal, and of the sum of what counts, in each currency. GUI thread.
std::vector<Explained> savingsExplained(const SavingsSnapshot &snapshot, const std::string &proposal);
std::vector<Explained> savingsSumExplained(const SavingsSnapshot &snapshot);

} // namespace gpuledger::ui
