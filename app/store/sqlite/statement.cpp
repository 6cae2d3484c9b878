// SPDX-License-Identifier: GPL-3.0-or-later
// The part of database.h that implements Statement.
#include "app/store/sqlite/database.h"

#include <sqlite3.h>
#include <SQLiteCpp/Exception.h>

namespace gpuledger::store {

using base::Error;
using base::fail;
using base::Result;

Statement::Statement(Database &database, std::string_view sql, std::unique_ptr<SQLite::Statement> statement)
    : m_database(&database)
    , m_sql(sql)
    , m_statement(std::move(statement))
{
}

Statement::~Statement()
{
    if (!m_statement)
        return;
    m_statement->tryReset();
    m_database->m_free[m_sql].push_back(std::move(m_statement));
}

template <typename F> Statement &Statement::guarded(F bindIt)
{
    if (m_error)
        return *this;
    try {
        bindIt();
    } catch (const SQLite::Exception &) {
        m_error = m_database->lastError("passing a value to a statement");
    }
    return *this;
}

Statement &Statement::bind(int index, std::int64_t value)
{
    return guarded([&] { m_statement->bind(index, value); });
}

Statement &Statement::bind(int index, const std::string &text)
{
    return guarded([&] { m_statement->bind(index, text); });
}

Statement &Statement::bind(int index, std::optional<std::int64_t> value)
{
    return guarded([&] {
        if (value)
            m_statement->bind(index, *value);
        else
            m_statement->bind(index);
    });
}

Statement &Statement::bindBlob(int index, std::string_view bytes)
{
    return guarded([&] { m_statement->bindNoCopy(index, bytes.data(), static_cast<int>(bytes.size())); });
}

Statement &Statement::bindCopy(int index, std::string_view bytes)
{
    return guarded([&] { m_statement->bind(index, bytes.data(), static_cast<int>(bytes.size())); });
}

Result<bool> Statement::step()
{
    if (m_error)
        return fail(*m_error);
    const int code = m_statement->tryExecuteStep();
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    Error error = m_database->lastError("working on the cache");
    m_statement->tryReset();
    return fail(std::move(error));
}

Result<void> Statement::run()
{
    return each([] {});
}

void Statement::reset()
{
    if (m_statement)
        m_statement->tryReset();
}

std::int64_t Statement::integer(int column) const
{
    return m_statement->getColumn(column).getInt64();
}

std::optional<std::int64_t> Statement::optionalInteger(int column) const
{
    const SQLite::Column value = m_statement->getColumn(column);
    return value.isNull() ? std::nullopt : std::optional<std::int64_t>(value.getInt64());
}

std::string Statement::text(int column) const
{
    const SQLite::Column value = m_statement->getColumn(column);
    return value.isNull() ? std::string() : value.getString();
}

int Statement::columns() const
{
    return m_statement->getColumnCount();
}

bool Statement::isInteger(int column) const
{
    return m_statement->getColumn(column).isInteger();
}

bool Statement::isBlob(int column) const
{
    return m_statement->getColumn(column).isBlob();
}

std::string_view Statement::blob(int column) const
{
    const SQLite::Column value = m_statement->getColumn(column);
    const void *bytes = value.getBlob();
    return bytes ? std::string_view(static_cast<const char *>(bytes), static_cast<std::size_t>(value.getBytes()))
                 : std::string_view();
}

} // namespace gpuledger::store
