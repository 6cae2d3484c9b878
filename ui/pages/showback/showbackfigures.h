// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/statementdocument.h"
#include "ui/pages/explainmenu.h"
#include "ui/viewmodels/showback/showbackviewmodel.h"

#include <optional>
#include <string>
#include <vector>

// The figures of the Showback page that can be explained. Pure; GUI thread, because of the translation.
namespace gpuledger::ui {

// For a team, in every currency.
std::vector<Explained> showbackTeamExplained(const ShowbackSnapshot &snapshot, const std::string &team);
// For all teams together, and their bill.
std::vector<Explained> showbackAllExplained(const ShowbackSnapshot &snapshot);
// For a row of the statement shown; without a row, or for one without figures, those of the whole statement.
std::vector<Explained> showbackRowExplained(const ShowbackSnapshot &snapshot, const std::optional<std::string> &team,
                                            const StatementSheet &sheet, const std::optional<SheetRow> &row);
// For the month's bill compared with its ledger.
std::vector<Explained> reconcileExplained(const ShowbackSnapshot &snapshot);

} // namespace gpuledger::ui
