// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace gpuledger::store {

class Database;

// A prepared statement on loan from its Database, which must outlive it; given back reset when it goes. A failure of
// preparing or binding is kept and handed out by the next step(), so that callers check in one place. Thread of its
// Database.
class Statement {
public:
    Statement(Statement &&) noexcept = default;
    Statement &operator=(Statement &&) = delete;
    ~Statement();

    Statement &bind(int index, std::int64_t value);
    Statement &bind(int index, const std::string &text);
    Statement &bind(int index, std::optional<std::int64_t> value); // nothing = NULL
    // Does not copy: the bytes must live until the next step() is done.
    Statement &bindBlob(int index, std::string_view bytes);

    Statement &bindCopy(int index, std::string_view bytes);

    // True: a row is there. Fails with Storage… codes.
    [[nodiscard]] base::Result<bool> step();
    // To the end, ignoring rows, then ready to be bound again.
    [[nodiscard]] base::Result<void> run();
    // Calls visit for each row; a visit that returns a Result ends the walk with its error.
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

    // Columns of the current row.
    std::int64_t integer(int column) const;
    std::optional<std::int64_t> optionalInteger(int column) const;
    std::string text(int column) const; // empty for NULL
    bool isInteger(int column) const;
    bool isBlob(int column) const;
    std::string_view blob(int column) const; // until the next step

private:
    friend class Database;
    Statement(Database &database, std::string_view sql, std::unique_ptr<SQLite::Statement> statement);
    template <typename F> Statement &guarded(F bindIt);

    Database *m_database;
    std::string_view m_sql;
    std::unique_ptr<SQLite::Statement> m_statement;
    std::optional<base::Error> m_error;
};

// One connection with its pragmas, its cache of statements and the translation of SQLite's errors. One thread at a
// time.
class Database {
public:
    enum class Mode {
        Writer, // creates the file
        Reader,
        Immutable, // a file that nobody changes, in a folder that can't be written
    };
    [[nodiscard]] static base::Result<std::unique_ptr<Database>> open(const std::filesystem::path &file, Mode mode);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    // `sql` must be a string literal: it is kept as the key of the cache.
    Statement statement(std::string_view sql);
    [[nodiscard]] base::Result<void> execute(const std::string &sql);
    // First column of the first row of a statement without parameters; nothing when there is no row.
    [[nodiscard]] base::Result<std::optional<std::int64_t>> scalar(std::string_view sql);
    // Begins a transaction that pins the state which is read from now on.
    [[nodiscard]] base::Result<void> beginRead();
    // SQLite rolls back on its own after some errors.
    bool inTransaction() const;
    std::int64_t lastInsertId() const;
    // Rows inserted, changed or deleted through this connection so far.
    std::int64_t totalChanges() const;
    // Moves the log into the file and empties it, unless somebody reads from it at this moment; waits for nobody. False
    // where it could not, whatever the reason: nothing is lost, and the next one does it.
    bool emptyLog();
    // Whether closing moves the log into the file (as SQLite does by default); a damaged file is kept as it is.
    void setCheckpointOnClose(bool on);
    const std::filesystem::path &file() const { return m_file; }
    SQLite::Database &sqlite() { return *m_db; }

    // The last failure of this connection in our terms; `doing` in plain words.
    base::Error lastError(std::string_view doing) const;
    static base::Error error(int code, int systemErrno, std::string_view message, std::string_view doing,
                             const std::filesystem::path &file);

private:
    friend class Statement;
    Database(std::filesystem::path file, std::unique_ptr<SQLite::Database> db);
    base::Result<void> configure(Mode mode);
    static int waitForOther(void *self, int attempt);

    std::filesystem::path m_file;
    std::unique_ptr<SQLite::Database> m_db;
    std::unordered_map<std::string_view, std::vector<std::unique_ptr<SQLite::Statement>>> m_free;
};

// Begins in beginWrite(), rolls back when it goes without commit().
class Transaction {
public:
    explicit Transaction(Database &database)
        : m_database(database)
    {
    }
    ~Transaction();
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    // A writer takes the write lock at once: a reader that turns into a writer would fail without waiting.
    [[nodiscard]] base::Result<void> beginWrite();
    [[nodiscard]] base::Result<void> commit();

private:
    Database &m_database;
};

} // namespace gpuledger::store
