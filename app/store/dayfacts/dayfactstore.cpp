// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/dayfacts/dayfactstore.h"

#include "app/store/sqlite/connections.h"

#include <mutex>

namespace gpuledger::store {

using base::Result;

namespace {

constexpr std::int64_t kFactDaysKept = 400; // longer than the year that the longest usual question has

Result<bool> isAtGeneration(Database &database, std::int64_t generation)
{
    const auto value = database.scalar("SELECT value FROM meta WHERE key = 'generation'");
    GPULEDGER_TRY(value);
    return value->value_or(0) == generation;
}

// A cache of an older version that is open for reading only does not have the table.
Result<bool> hasTable(Database &database)
{
    const auto count = database.scalar("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'day_fact'");
    GPULEDGER_TRY(count);
    return count->value_or(0) > 0;
}

Result<bool> hasDays(Database &database, std::int64_t generation)
{
    const auto isSame = isAtGeneration(database, generation);
    if (!isSame || !*isSame)
        return isSame;
    return hasTable(database);
}

// Nobody reads rows of another form again, and hardly anybody those of old days.
Result<void> pruneDays(Database &database, const std::string &rules)
{
    Statement old = database.statement("DELETE FROM day_fact WHERE day < (SELECT max(day) FROM day_fact) - ?1"
                                       " OR substr(rules, 1, instr(rules, ' ')) <> ?2");
    return old.bind(1, kFactDaysKept).bind(2, rules.substr(0, rules.find(' ') + 1)).run();
}

Result<bool> putDays(Database &database, const DayFactStore::Days &days, const std::string &rules,
                     std::int64_t generation)
{
    Transaction transaction(database);
    GPULEDGER_TRY(transaction.beginWrite());
    const auto isSame = isAtGeneration(database, generation);
    if (!isSame || !*isSame)
        return isSame;
    Statement s = database.statement("INSERT INTO day_fact (day, rules, data) VALUES (?1, ?2, ?3)"
                                     " ON CONFLICT (day) DO UPDATE SET rules = excluded.rules, data = excluded.data");
    for (const auto &[day, data] : days)
        GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).bind(2, rules).bindBlob(3, data).run());
    GPULEDGER_TRY(pruneDays(database, rules));
    GPULEDGER_TRY(transaction.commit());
    return true;
}

} // namespace

Result<std::optional<std::string>> DayFactStore::read(base::Day day, const std::string &rules, std::int64_t generation)
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Database &database = (*session)->database();
    std::optional<std::string> data;
    const auto isReadable = hasDays(database, generation);
    GPULEDGER_TRY(isReadable);
    if (!*isReadable)
        return data;
    Statement s = database.statement("SELECT data FROM day_fact WHERE day = ?1 AND rules = ?2");
    GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).bind(2, rules).each([&] { data = std::string(s.blob(0)); }));
    return data;
}

Result<std::optional<std::set<base::Day>>> DayFactStore::days(const std::string &rules, std::int64_t generation)
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Database &database = (*session)->database();
    std::optional<std::set<base::Day>> days;
    const auto isReadable = hasDays(database, generation);
    GPULEDGER_TRY(isReadable);
    if (!*isReadable)
        return days;
    days.emplace();
    Statement s = database.statement("SELECT day FROM day_fact WHERE rules = ?1");
    GPULEDGER_TRY(s.bind(1, rules).each([&] { days->insert({static_cast<std::int32_t>(s.integer(0))}); }));
    return days;
}

bool DayFactStore::canPut() const
{
    return !m_store.readOnly;
}

Result<bool> DayFactStore::put(const Days &days, const std::string &rules, std::int64_t generation)
{
    const std::unique_lock guard(m_store.mutex, std::try_to_lock);
    if (!guard)
        return false;
    GPULEDGER_TRY(m_store.prepareWriter());
    auto done = putDays(*m_store.writer, days, rules, generation);
    if (!done)
        m_store.closeAfter(done.error());
    return done;
}

Result<void> DayFactStore::drop(const std::vector<base::Day> &days)
{
    const std::lock_guard guard(m_store.mutex);
    GPULEDGER_TRY(m_store.prepareWriter());
    const auto transact = [&]() -> Result<void> {
        Transaction transaction(*m_store.writer);
        GPULEDGER_TRY(transaction.beginWrite());
        for (const base::Day day : days)
            GPULEDGER_TRY(dropDayFact(*m_store.writer, day));
        return transaction.commit();
    };
    auto done = transact();
    if (!done)
        m_store.closeAfter(done.error());
    return done;
}

Result<void> dropDayFact(Database &database, base::Day day)
{
    return database.statement("DELETE FROM day_fact WHERE day = ?1").bind(1, std::int64_t{day.number}).run();
}

} // namespace gpuledger::store
