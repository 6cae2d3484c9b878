// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/sqlite/emptydays.h"

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

} // namespace

Result<bool> emptyDamagedDays(Database &database)
{
    std::string sql;
    {
        Statement table =
            database.statement("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'day_fact'");
        const auto found = orDamaged(table.each([&] { sql = table.text(0); }));
        if (!found || !*found || sql.empty())
            return found ? Result<bool>(false) : found;
        Statement rows = database.statement("SELECT day, rules, data FROM day_fact");
        if (const auto read = rows.each([] {}); !isCorrupt(read))
            return read ? Result<bool>(false) : base::fail(read.error());
    }
    const auto made = orDamaged(makeDaysAnew(database, sql));
    if (!made || !*made)
        return made;
    GPULEDGER_TRY(database.execute("PRAGMA temp_store=FILE")); // it may be larger than memory
    const auto rewritten = orDamaged(database.execute("VACUUM")); // also reads every other table
    GPULEDGER_TRY(database.execute("PRAGMA temp_store=MEMORY"));
    return rewritten;
}

} // namespace gpuledger::store
