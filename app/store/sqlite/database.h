// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

struct sqlite3_stmt;

namespace gpuledger::store {

class Database;

// A prepared statement borrowed from its Database, which must outlive it; reset and returned on destruction. An error
// while preparing or binding is kept and returned by the next step(), so that callers check in one place. Use on the
// thread of its Database.
class Statement {
public:
    Statement(Statement &&) noexcept = default;
    Statement &operator=(Statement &&) = delete;
    ~Statement();

    Statement &bind(int index, std::int64_t value);
    Statement &bind(int index, const std::string &text);
    Statement &bind(int index, std::optional<std::int64_t> value); // std::nullopt = NULL
    // Does not copy: the bytes must stay valid until the next step() has returned.
    Statement &bindBlob(int index, std::string_view bytes);

    Statement &bindCopy(int index, std::string_view bytes);

    // True: a row is available. Fails with Storage… codes.
    [[nodiscard]] base::Result<bool> step();
    // Runs to the end, ignoring rows; then the statement can be bound again.
    [[nodiscard]] base::Result<void> run();
    // Calls visit for each row; if visit returns a Result, an error ends the walk and is returned.
    template <typename Visit> [[nodiscard]] base::Result<void> each(Visit visit)
    {
        while (true) {
            const base::Result<bool> row = step();
            if (!row)
                return base::fail(row.error());
            if (!*row)
                break;
            if constexpr (std::is_void_v<decltype(visit())>)
                visit();
            else
                GPULEDGER_TRY(visit());
        }
        reset();
        return {};
    }
    void reset();

    int columns() const;
    // Columns of the current row.
    std::int64_t integer(int column) const;
    std::optional<std::int64_t> optionalInteger(int column) const;
    std::string text(int column) const; // empty for NULL
    bool isInteger(int column) const;
    bool isBlob(int column) const;
    std::string_view blob(int column) const; // valid until the next step

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt *statement) const;
    };
    // SQLiteCpp's statement counts a reference for each value that is read, a twentieth of the time of a sync.
    using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;

    Statement(Database &database, std::string_view sql, Prepared statement);
    template <typename F> Statement &guarded(F bindIt);

    Database *m_database;
    std::string_view m_sql;
    Prepared m_statement;
    std::optional<base::Error> m_error;
};

// One connection with its pragmas, its statement cache and the translation of SQLite's errors. One thread at a time.
class Database {
public:
    enum class Mode {
        Writer, // creates the file
        Reader,
        Immutable, // a file that no one changes, in a folder that cannot be written
    };
    [[nodiscard]] static base::Result<std::unique_ptr<Database>> open(const std::filesystem::path &file, Mode mode);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    // `sql` must be a string literal: it is used as the cache key.
    Statement statement(std::string_view sql);
    [[nodiscard]] base::Result<void> execute(const std::string &sql);
    // First column of the first row of a statement without parameters; std::nullopt if there is no row.
    [[nodiscard]] base::Result<std::optional<std::int64_t>> scalar(std::string_view sql);
    // Begins a transaction that pins the current state for all reads.
    [[nodiscard]] base::Result<void> beginRead();
    // SQLite rolls back on its own after some errors.
    bool inTransaction() const;
    std::int64_t lastInsertId() const;
    // Rows inserted, changed or deleted through this connection so far.
    std::int64_t totalChanges() const;
    // Checkpoints the log into the file and truncates it, unless someone is reading from it; never waits. False if it
    // could not, for whatever reason: nothing is lost, and the next call does it.
    bool emptyLog();
    // Whether closing checkpoints the log into the file (SQLite's default); a damaged file is kept as it is.
    void setCheckpointOnClose(bool on);
    const std::filesystem::path &file() const { return m_file; }
    SQLite::Database &sqlite() { return *m_db; }

    // The last error of this connection as an Error of ours; `doing` describes the operation in plain words.
    base::Error lastError(std::string_view doing) const;
    static base::Error error(int code, int systemErrno, std::string_view message, std::string_view doing,
                             const std::filesystem::path &file);

private:
    friend class Statement;
    Database(std::filesystem::path file, std::unique_ptr<SQLite::Database> db);
    base::Result<void> configure(Mode mode);
    base::Result<void> keepLog();
    static int waitForOther(void *self, int attempt);

    std::filesystem::path m_file;
    std::unique_ptr<SQLite::Database> m_db;
    std::unordered_map<std::string_view, std::vector<Statement::Prepared>> m_free;
};

// A write transaction: begins in beginWrite(), rolls back on destruction without commit().
class Transaction {
public:
    explicit Transaction(Database &database)
        : m_database(database)
    {
    }
    ~Transaction();
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    // Takes the write lock at once: a read transaction that is upgraded to a write would fail without waiting.
    [[nodiscard]] base::Result<void> beginWrite();
    [[nodiscard]] base::Result<void> commit();

private:
    Database &m_database;
};

} // namespace gpuledger::store
