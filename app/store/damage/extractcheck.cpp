// SPDX-License-Identifier: GPL-3.0-or-later
// Validation of a cache extract that someone else created.
#include "app/base/remedy.h"
#include "app/store/damage/schemacheck.h"
#include "app/store/months/monthextract.h"
#include "app/store/sqlite/cachefile.h"
#include "app/store/sqlite/migrations.h"

#include <vector>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

tl::unexpected<base::Error> foreign(const std::string &what)
{
    return fail(ErrorCode::StorageCorrupt, "the cache in the report was not created by this program: " + what,
                base::Remedy::RequestTrustedReport);
}

Result<void> checkExtractPages(Database &database)
{
    std::string problem;
    Statement s = database.statement("PRAGMA quick_check(1)");
    GPULEDGER_TRY(s.each([&] {
        if (s.text(0) != "ok")
            problem = s.text(0);
    }));
    if (!problem.empty())
        return foreign(problem);
    return {};
}

// A report that this program creates has none: what is stored of a day is not recomputed, so it would be taken from
// whoever created the file.
Result<void> checkNoStoredDays(Database &database)
{
    const auto tables = database.scalar("SELECT count(*) FROM sqlite_master WHERE name = 'day_fact'");
    GPULEDGER_TRY(tables);
    if (tables->value_or(0) == 0)
        return {};
    const auto days = database.scalar("SELECT count(*) FROM day_fact");
    GPULEDGER_TRY(days);
    return days->value_or(0) == 0 ? Result<void>() : foreign("it has stored days of savings");
}

} // namespace

Result<void> admitExtract(const std::filesystem::path &file, const std::filesystem::path &)
{
    const auto look = lookAt(file);
    GPULEDGER_TRY(look);
    if (look->kind != FileLook::Kind::Ours)
        return foreign("its header differs");
    auto opened = Database::open(file, Database::Mode::Reader);
    GPULEDGER_TRY(opened);
    Database &database = **opened;
    const auto version = database.scalar("PRAGMA user_version");
    GPULEDGER_TRY(version);
    if (version->value_or(0) > static_cast<std::int64_t>(builtInSteps().size()))
        return fail(newerError(file, version->value_or(0), static_cast<std::int64_t>(builtInSteps().size())));
    const auto wanted = builtInSchema(version->value_or(0));
    GPULEDGER_TRY(wanted);
    const auto there = schemaOf(database);
    GPULEDGER_TRY(there);
    if (*there != *wanted)
        return foreign("its tables differ");
    GPULEDGER_TRY(checkExtractPages(database));
    GPULEDGER_TRY(checkNoStoredDays(database));
    const auto cut = cutOf(database);
    GPULEDGER_TRY(cut);
    if (!*cut)
        return foreign("it is not limited to one month");
    opened->reset();
    if (*version == static_cast<std::int64_t>(builtInSteps().size()))
        return {};
    auto writer = Database::open(file, Database::Mode::Writer);
    GPULEDGER_TRY(writer);
    std::vector<std::string> notes;
    GPULEDGER_TRY(migrate(**writer, builtInSteps(), notes));
    return (*writer)->execute("PRAGMA journal_mode=DELETE");
}

} // namespace gpuledger::store
