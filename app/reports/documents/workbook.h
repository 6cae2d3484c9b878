// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"

#include <functional>
#include <string>
#include <variant>
#include <vector>

struct lxw_workbook;

// Workbooks of plain tables, and the file below every workbook. Pure except for a temporary file; any thread.
namespace gpuledger::reports {

struct WorkbookColumn {
    std::string title;
    double width = 16; // letters
    bool hasLines = false; // its texts keep their line breaks, and are wrapped
};

// Nothing, a text, an amount (a number in the format of its currency), a day (a date) or a number with one decimal.
using WorkbookCell = std::variant<std::monostate, std::string, base::Money, base::Day, double>;

struct WorkbookSheet {
    std::string name; // at most 31 letters, none of []:*?/\ and no apostrophe; unlike the others
    std::string title;
    std::vector<std::string> notes; // lines below the title
    std::vector<WorkbookColumn> columns;
    std::vector<std::vector<WorkbookCell>> rows; // as many cells as columns
};

// The file's bytes. Texts stay texts: never a formula, a link or a number; what can't be shown is replaced. Sheets of
// the same content and the same `made` have the same bytes. Spreadsheet numbers have at most 15 digits: an amount that
// needs more is rounded to that. Fails with InvalidArgument (more rows than a sheet can have), StorageFull or
// StorageReadOnly.
[[nodiscard]] base::Result<std::string> toXlsx(const std::vector<WorkbookSheet> &sheets, base::UtcTime made);

// The bytes of the workbook that `fill` writes, with `made` as its time. Created in the folder for temporary files.
// Fails with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<std::string> workbookBytes(base::UtcTime made,
                                                      const std::function<void(lxw_workbook *)> &fill);

} // namespace gpuledger::reports
