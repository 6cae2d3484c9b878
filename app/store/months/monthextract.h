// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"

#include <filesystem>
#include <optional>
#include <string>

// A cache that holds one month alone: what a report carries (app/reports/reportfile.h).
namespace gpuledger::store {

class Database;

struct MonthCut {
    std::string month; // YYYY-MM
    base::Day first, last; // its days
};

// Copies what `from` holds into the new file `to` (one file, without a log), and takes everything away that is not of
// the month: usage, roll-ups, bills, allocations, the ledger, signed-off months and the log; texts and names that
// nothing refers to any more; errors of sources and folders of bills. Of the time around the month stays who was placed
// where a day before and after it, cut there, because what held a device in a gap at midnight is told by what spoke
// next; and of all other time the order in which devices were on nodes, with its moments drawn together and without
// names, so that every figure of the month comes out as it did. Free pages are gone. Fails with Storage… codes;
// Internal where the cache has a table that this does not know.
[[nodiscard]] base::Result<void> extractMonth(Database &from, const MonthCut &cut, const std::filesystem::path &to);

// The days that a cache is cut to; nothing where it is whole.
struct CutDays {
    base::Day first, last;
};
[[nodiscard]] base::Result<std::optional<CutDays>> cutOf(Database &database);

// Checks a cache that somebody else made, before anything is read from it: its pages, that its tables, indexes, views
// and triggers are those that this program makes for that version and no others, and that it is cut to a month.
// `scratch` is a folder for a file of its own. Then brings it to this program's version. Fails with StorageCorrupt,
// StorageNewer and other Storage… codes.
[[nodiscard]] base::Result<void> admitExtract(const std::filesystem::path &file, const std::filesystem::path &scratch);

} // namespace gpuledger::store
