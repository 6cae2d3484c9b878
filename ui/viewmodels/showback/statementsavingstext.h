// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/statementsavings.h"
#include "ui/viewmodels/showback/statementsheet.h"

#include <vector>

namespace gpuledger::ui {

// The savings of a statement as rows of its sheet. GUI thread, because of the translation.
std::vector<StatementSheet::Saving> savingRows(const reports::StatementSavings &savings);
QString savingsNote(const reports::StatementSavings &savings); // what the amounts are

} // namespace gpuledger::ui
