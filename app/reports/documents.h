// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/statement.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Documents of a statement. All show the same figures; foreign text is data in each of them. Pure but for the file that
// a function names; any thread.
namespace gpuledger::reports {

// A line for each team, category and state, and one for each adjustment of a closed month, which names that; amounts
// with nine decimals, unknown is an empty cell.
std::string toCsv(const Statement &statement);

// One self-contained page for reading and printing: no script, and nothing is fetched.
std::string toHtml(const Statement &statement);

// A sheet with all teams, one for each team and one for adjustments of closed months where there are any, whose sums
// are formulas. A number of a spreadsheet has 15 digits at most: an amount that needs more is written rounded to them.
// The file's bytes; made in the folder for temporary files. Fails with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<std::string> toXlsx(const Statement &statement);

// Words that all documents share.
std::string categoryName(std::string_view category); // "GPU time", "storage", …
std::string teamName(std::string_view team); // "(no team)" for an empty one; safe to show, cut
std::string cutText(const Statement &statement); // of one that isCut()
// "draft", "closed 2026-11-03T09:00:00Z by alex; reason: …"; safe to show.
std::string statusText(const MonthStatus &status);
std::string viewName(CostView view); // "billed cost", "effective cost"
// The parts of a change and what they are called, in the order in which they are told: "price", "work", …; those of a
// closed month before ("other rules", "late data") where there is one.
std::vector<std::pair<std::string, base::Money>> changeParts(const StatementChange &change);
// What those of a closed month before are, as a sentence; empty: it is open.
std::string restatedText(const StatementChange &change);

} // namespace gpuledger::reports
