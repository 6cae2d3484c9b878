// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <filesystem>
#include <optional>
#include <string>

// A cache that holds a single month, as carried by a report (app/reports/files/reportfile.h).
namespace gpuledger::store {

class Database;

// The month that a cache is cut to.
struct MonthCut {
    std::string month; // YYYY-MM
    base::Day first, last; // its days
};

// Copies `from` into the new file `to` (one file, without a log), and removes everything that does not belong to the
// month: usage, roll-ups, bills, allocations, the ledger, signed-off months and the log; texts and names that nothing
// refers to any more; errors of sources and folders of bills. Two things outside the month stay, so that every figure
// of the month comes out as before: the placements of the day before and the day after it, cut there, because the
// holder in a gap at midnight is determined by the next series; and for all other time the order in which devices were
// on nodes, with its times compacted and without names. Free pages are removed. Fails with Storage… codes; Internal if
// the cache has a table that this function does not know.
[[nodiscard]] base::Result<void> extractMonth(Database &from, const MonthCut &cut, const std::filesystem::path &to);

// The days that a cache is cut to; std::nullopt if it is complete.
struct CutDays {
    base::Day first, last;
};
[[nodiscard]] base::Result<std::optional<CutDays>> cutOf(Database &database);

// Validates a cache that someone else created before anything is read from it: its pages, that its tables, indexes,
// views and triggers are exactly those that this program creates for that version, and that it is cut to a month.
// `scratch` is a folder for a temporary file. Then migrates it to this program's version. Fails with StorageCorrupt,
// StorageNewer and other Storage… codes.
[[nodiscard]] base::Result<void> admitExtract(const std::filesystem::path &file, const std::filesystem::path &scratch);

} // namespace gpuledger::store
