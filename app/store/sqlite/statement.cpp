// SPDX-License-Identifier: GPL-3.0-or-later
// The part of database.h that implements Statement.
#include "app/store/sqlite/database.h"

#include <sqlite3.h>

namespace gpuledger::store {

using base::Error;
using base::fail;
using base::Result;

void Statement::Finalize::operator()(sqlite3_stmt *statement) const
{
    sqlite3_finalize(statement);
}

Statement::Statement(Database &database, std::string_view sql, Prepared statement)
    : m_database(&database)
    , m_sql(sql)
    , m_statement(std::move(statement))
{
}

Statement::~Statement()
{
    if (!m_statement)
        return;
    sqlite3_reset(m_statement.get());
    m_database->m_free[m_sql].push_back(std::move(m_statement));
}

template <typename F> Statement &Statement::guarded(F bindIt)
{
    if (!m_error && bindIt(m_statement.get()) != SQLITE_OK)
        m_error = m_database->lastError("passing a value to a statement");
    return *this;
}

Statement &Statement::bind(int index, std::int64_t value)
{
    return guarded([&](sqlite3_stmt *s) { return sqlite3_bind_int64(s, index, value); });
}

Statement &Statement::bind(int index, const std::string &text)
{
    return guarded([&](sqlite3_stmt *s) {
        return sqlite3_bind_text(s, index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    });
}

Statement &Statement::bind(int index, std::optional<std::int64_t> value)
{
    return guarded(
        [&](sqlite3_stmt *s) { return value ? sqlite3_bind_int64(s, index, *value) : sqlite3_bind_null(s, index); });
}

Statement &Statement::bindBlob(int index, std::string_view bytes)
{
    return guarded([&](sqlite3_stmt *s) {
        return sqlite3_bind_blob(s, index, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
    });
}

Statement &Statement::bindCopy(int index, std::string_view bytes)
{
    return guarded([&](sqlite3_stmt *s) {
        return sqlite3_bind_blob(s, index, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
    });
}

Result<bool> Statement::step()
{
    if (m_error)
        return fail(*m_error);
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    Error error = m_database->lastError("working on the cache");
    sqlite3_reset(m_statement.get());
    return fail(std::move(error));
}

Result<void> Statement::run()
{
    return each([] {});
}

void Statement::reset()
{
    if (m_statement)
        sqlite3_reset(m_statement.get());
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

std::optional<std::int64_t> Statement::optionalInteger(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL ? std::nullopt
                                                                         : std::optional(integer(column));
}

std::string Statement::text(int column) const
{
    return std::string(blob(column));
}

int Statement::columns() const
{
    return sqlite3_column_count(m_statement.get());
}

bool Statement::isInteger(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_INTEGER;
}

bool Statement::isBlob(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_BLOB;
}

// Numbers are their text.
std::string_view Statement::blob(int column) const
{
    const void *const bytes = sqlite3_column_blob(m_statement.get(), column); // first: it may convert the value
    return {static_cast<const char *>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

} // namespace gpuledger::store
