// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/statement/statement.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The documents of a statement. All show the same figures; external text is treated as data in each of them. Pure
// except for the file that a function names; any thread.
namespace gpuledger::reports {

// One line per team, category and state, and one per adjustment of a closed month, with its reference; amounts with
// nine decimals, unknown is an empty cell. If there are budgets, each is a line of the category "budget" that costs
// nothing, so that sums stay what they are, and the columns from "budget" on are its own.
std::string toCsv(const Statement &statement);

// One self-contained page for reading and printing: without scripts or external resources.
std::string toHtml(const Statement &statement);

// A workbook with one sheet for all teams, one per team and one for adjustments of closed months if there are any, with
// formulas for sums. Spreadsheet numbers have at most 15 digits: an amount that needs more is rounded to that. Returns
// the file's bytes; created in the folder for temporary files. Fails with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<std::string> toXlsx(const Statement &statement);

// Texts shared by all documents.
std::string categoryName(std::string_view category); // "GPU time", "storage", …
std::string teamName(std::string_view team); // "(no team)" for an empty one; safe to show, truncated
std::string cutText(const Statement &statement); // for a statement with isCut()
// "draft", "closed 2026-11-03T09:00:00Z by alex; reason: …"; safe to show.
std::string statusText(const MonthStatus &status);
std::string viewName(CostView view); // "billed cost", "effective cost"
// The parts of a change and their names, in display order: "price", "work", …; those of a closed preceding month
// ("other rules", "late data") if there is one.
std::vector<std::pair<std::string, base::Money>> changeParts(const StatementChange &change);
// A sentence that explains the parts of a closed preceding month; empty: it is open.
std::string restatedText(const StatementChange &change);

} // namespace gpuledger::reports
