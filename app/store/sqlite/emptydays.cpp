// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/emptydays.h"

#include "app/store/sqlite/pagevfs.h"

#include <sqlite3.h>

#include <sstream>
#include <string>

namespace gpuledger::store {

using base::ErrorCode;
using base::Result;

namespace {

bool isCorrupt(const Result<void> &done)
{
    return !done && done.error().code == ErrorCode::StorageCorrupt;
}

// Other damage is for the caller to report: it was there before.
Result<bool> orDamaged(const Result<void> &done)
{
    return done || isCorrupt(done) ? Result<bool>(done.has_value()) : base::fail(done.error());
}

// Its pages belong to nothing from then on, so that no statement reads them.
Result<void> makeDaysAnew(Database &database, const std::string &sql)
{
    Transaction transaction(database);
    GPULEDGER_TRY(transaction.beginWrite());
    GPULEDGER_TRY(database.execute("PRAGMA writable_schema=ON"));
    const auto forgotten = database.execute("DELETE FROM sqlite_schema WHERE type = 'table' AND name = 'day_fact'");
    GPULEDGER_TRY(database.execute("PRAGMA writable_schema=RESET")); // reads the schema again
    GPULEDGER_TRY(forgotten);
    GPULEDGER_TRY(database.execute(sql));
    return transaction.commit();
}

// Whether everything that belongs to a table or an index can be read: then only pages that nothing uses are damaged.
Result<bool> isAllUsedReadable(Database &database)
{
    std::string found;
    Statement check = database.statement("PRAGMA quick_check(2147483647)"); // of each unused page one line
    const auto read = orDamaged(check.each([&] { found += check.text(0) + '\n'; }));
    if (!read || !*read)
        return read;
    std::istringstream lines(found);
    for (std::string line; std::getline(lines, line);) {
        if (line != "ok" && !line.starts_with("***") && line.find("never used") == std::string::npos)
            return false;
    }
    return true;
}

// Without what nothing uses. VACUUM reads each page that it overwrites, so it would fail at those that are damaged.
Result<bool> rewrite(Database &database)
{
    const auto isReadable = isAllUsedReadable(database);
    if (!isReadable || !*isReadable)
        return isReadable;
    sqlite3 *const handle = database.sqlite().getHandle();
    const auto unused = damagedPages(handle);
    if (!unused)
        return false;
    GPULEDGER_TRY(database.execute("PRAGMA temp_store=FILE")); // it may be larger than memory
    overlookDamage(handle, &*unused);
    const auto rewritten = orDamaged(database.execute("VACUUM"));
    overlookDamage(handle, nullptr);
    GPULEDGER_TRY(database.execute("PRAGMA temp_store=MEMORY"));
    (void)database.emptyLog();
    return rewritten;
}

} // namespace

Result<bool> emptyDamagedDays(Database &database)
{
    std::string sql;
    Result<void> read;
    {
        Statement table =
            database.statement("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'day_fact'");
        const auto found = orDamaged(table.each([&] { sql = table.text(0); }));
        if (!found || !*found || sql.empty())
            return found ? Result<bool>(false) : found;
        Statement rows = database.statement("SELECT day, rules, data FROM day_fact");
        read = rows.each([] {});
    }
    if (!read && !isCorrupt(read))
        return base::fail(read.error());
    if (!read) {
        const auto made = orDamaged(makeDaysAnew(database, sql));
        if (!made || !*made)
            return made;
    }
    return rewrite(database);
}

} // namespace gpuledger::store
