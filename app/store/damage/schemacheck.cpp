// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/damage/schemacheck.h"

#include "app/store/sqlite/migrations.h"

#include <SQLiteCpp/Exception.h>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr char kQuery[] = "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master";

} // namespace

Result<Schema> schemaOf(Database &database)
{
    Schema schema;
    Statement s = database.statement(kQuery);
    GPULEDGER_TRY(s.each([&] { schema[{s.text(0), s.text(1)}] = {s.text(2), s.text(3)}; }));
    return schema;
}

Result<Schema> builtInSchema(std::int64_t version)
{
    MigrationSteps steps = builtInSteps();
    if (version < 0 || version > static_cast<std::int64_t>(steps.size()))
        return fail(ErrorCode::Internal, "schema version " + std::to_string(version) + " does not exist");
    steps.resize(static_cast<std::size_t>(version));
    Schema schema;
    try {
        SQLite::Database memory(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        for (const std::string_view step : steps)
            memory.exec(std::string(step));
        SQLite::Statement s(memory, kQuery);
        while (s.executeStep())
            schema[{s.getColumn(0).getString(), s.getColumn(1).getString()}] = {s.getColumn(2).getString(),
                                                                                s.getColumn(3).getString()};
    } catch (const SQLite::Exception &e) {
        return fail(ErrorCode::Internal, std::string("the schema can't be created in memory: ") + e.what());
    }
    return schema;
}

Result<void> checkSchema(Database &database, const std::function<void(std::string, std::string)> &tell)
{
    const auto version = database.scalar("PRAGMA user_version");
    GPULEDGER_TRY(version);
    const auto application = database.scalar("PRAGMA application_id");
    GPULEDGER_TRY(application);
    if (application->value_or(0) != kApplicationId)
        tell("sqlite_schema", "the file is not marked as one of this program");
    const auto wanted = builtInSchema(version->value_or(0));
    if (!wanted) {
        tell("sqlite_schema", wanted.error().text);
        return {};
    }
    auto there = schemaOf(database);
    GPULEDGER_TRY(there);
    for (const auto &[what, made] : *wanted) {
        const auto it = there->find(what);
        if (it == there->end())
            tell("sqlite_schema", what.first + ' ' + what.second + " is missing");
        else if (it->second != made)
            tell("sqlite_schema", what.first + ' ' + what.second + " was changed");
        if (it != there->end())
            there->erase(it);
    }
    for (const auto &[what, made] : *there)
        tell("sqlite_schema", what.first + ' ' + what.second + " does not belong here");
    return {};
}

} // namespace gpuledger::store
