// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/data/rawcopy.h"

#include "app/store/sqlite/pagevfs.h"
#include "tests/bench/figure.h"

#include <sqlite3.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

struct CloseDatabase {
    void operator()(sqlite3 *db) const { sqlite3_close(db); }
};
struct EndStatement {
    void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};
using Db = std::unique_ptr<sqlite3, CloseDatabase>;
using Sql = std::unique_ptr<sqlite3_stmt, EndStatement>;

void check(sqlite3 *db, int code)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
        return;
    std::fprintf(stderr, "bench: the raw copy of the cache: %s\n", sqlite3_errmsg(db));
    std::exit(1);
}

Db open(const fs::path &file, int flags)
{
    sqlite3 *db = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &db, flags, store::pageVfs());
    check(db, code);
    return Db(db);
}

void execute(const Db &db, const std::string &sql)
{
    check(db.get(), sqlite3_exec(db.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

Sql prepared(const Db &db, const std::string &sql)
{
    sqlite3_stmt *statement = nullptr;
    check(db.get(), sqlite3_prepare_v2(db.get(), sql.c_str(), -1, &statement, nullptr));
    return Sql(statement);
}

bool step(const Db &db, const Sql &statement)
{
    const int code = sqlite3_step(statement.get());
    check(db.get(), code);
    return code == SQLITE_ROW;
}

std::string text(const Sql &statement, int column)
{
    const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(statement.get(), column));
    return bytes ? bytes : "";
}

// The order in which a sync writes the rows of a table; the other tables are in the order of their keys.
std::string orderOf(std::string_view table)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kDays{
        {{"placement", "seen_start"},
         {"holder_span", "span_start"},
         {"node_span", "span_start"},
         {"rollup_day", "day"},
         {"rollup", "id >> 24 & 0xFFFFFF"}}}; // measure, day and group
    for (const auto &[name, day] : kDays) {
        if (name == table)
            return " ORDER BY " + std::string(day);
    }
    return {};
}

// The settings with which the cache is opened (app/store/sqlite/database.cpp), but for foreign keys: a row may come a
// transaction before the one that it refers to.
void configure(const Db &db)
{
    execute(db,
            "PRAGMA foreign_keys=OFF; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"
            "PRAGMA cache_size=-16384; PRAGMA page_size=8192");
    int reserved = store::kPageSumBytes; // after the page size, which would reset it
    check(db.get(), sqlite3_file_control(db.get(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved));
    execute(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
}

} // namespace

struct RawCopy::Table {
    std::string name;
    int columns = 0;
    struct Free {
        void operator()(sqlite3_value *value) const { sqlite3_value_free(value); }
    };
    std::vector<std::unique_ptr<sqlite3_value, Free>> values; // row by row
    std::size_t rows() const { return values.size() / static_cast<std::size_t>(columns); }
};

struct RawCopy::Rows {
    std::vector<std::string> schema; // the statements that create everything
    std::vector<Table> tables;
};

RawCopy::RawCopy(const fs::path &cache)
    : m_rows(std::make_unique<Rows>())
{
    const Db db = open(cache, SQLITE_OPEN_READONLY);
    const Sql schema = prepared(db,
                                "SELECT type, name, sql FROM sqlite_master"
                                " WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid");
    while (step(db, schema)) {
        m_rows->schema.push_back(text(schema, 2));
        if (text(schema, 0) != "table")
            continue;
        Table table;
        table.name = text(schema, 1);
        const Sql all = prepared(db, "SELECT * FROM \"" + table.name + '"' + orderOf(table.name));
        table.columns = sqlite3_column_count(all.get());
        while (step(db, all)) {
            for (int c = 0; c < table.columns; ++c)
                table.values.emplace_back(sqlite3_value_dup(sqlite3_column_value(all.get(), c)));
        }
        m_rows->tables.push_back(std::move(table));
    }
}

RawCopy::~RawCopy() = default;

std::int64_t RawCopy::rows() const
{
    std::size_t sum = 0;
    for (const Table &table : m_rows->tables)
        sum += table.rows();
    return static_cast<std::int64_t>(sum);
}

double RawCopy::writeMs(const fs::path &file, int transactions) const
{
    for (const char *suffix : {"", "-wal", "-shm"})
        fs::remove(file.string() + suffix);
    const Db db = open(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    configure(db);
    execute(db, "BEGIN");
    for (const std::string &one : m_rows->schema)
        execute(db, one);
    execute(db, "COMMIT");
    if (!store::hasChecksums(db.get())) {
        std::fprintf(stderr, "bench: the pages of the raw copy have no checksums\n");
        std::exit(1);
    }
    std::vector<Sql> inserts;
    for (const Table &table : m_rows->tables) {
        std::string marks = "?";
        for (int c = 1; c < table.columns; ++c)
            marks += ",?";
        inserts.push_back(prepared(db, "INSERT INTO \"" + table.name + "\" VALUES (" + marks + ')'));
    }
    const auto put = [&](const Table &table, const Sql &insert, std::size_t row) {
        for (int c = 0; c < table.columns; ++c) {
            const std::size_t at = row * static_cast<std::size_t>(table.columns) + static_cast<std::size_t>(c);
            sqlite3_bind_value(insert.get(), c + 1, table.values[at].get());
        }
        step(db, insert);
        sqlite3_reset(insert.get());
    };
    const auto parts = static_cast<std::size_t>(transactions);
    return millisecondsOf([&] {
        for (std::size_t part = 0; part < parts; ++part) {
            execute(db, "BEGIN IMMEDIATE");
            for (std::size_t t = 0; t < inserts.size(); ++t) {
                const Table &table = m_rows->tables[t];
                const std::size_t end = table.rows() * (part + 1) / parts;
                for (std::size_t row = table.rows() * part / parts; row < end; ++row)
                    put(table, inserts[t], row);
            }
            execute(db, "COMMIT");
        }
        execute(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    });
}

} // namespace gpuledger::bench
