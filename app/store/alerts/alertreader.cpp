// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/alerts/alertcolumns.h"
#include "app/store/alerts/alertstore.h"
#include "app/store/sqlite/connections.h"

namespace gpuledger::store {

using base::Result;

namespace {

base::UtcTime timeIn(const Statement &s, int column)
{
    return base::fromUnix(s.integer(column));
}

Result<std::vector<StoredMessage>> messagesOf(Statement &s)
{
    std::vector<StoredMessage> all;
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        auto one = messageIn(s);
        GPULEDGER_TRY(one);
        all.push_back(std::move(*one));
        return {};
    }));
    return all;
}

Result<void> readStates(Database &db, AlertRows &rows)
{
    Statement s = db.statement("SELECT rule, definition, states, at FROM alert_state ORDER BY rule");
    return s.each([&] { rows.states.push_back({s.text(0), s.text(1), s.text(2), timeIn(s, 3)}); });
}

Result<void> readTold(Database &db, AlertRows &rows)
{
    Statement s = db.statement("SELECT t.alert_key, t.target, t.notice, t.rule, t.scope, t.fired_at, t.message,"
                               " coalesce(m.state, 'dead') IN ('dead', 'discarded') OR (m.state = 'cancelled' AND"
                               " m.attempts = 0), coalesce(m.created_at, t.fired_at)"
                               " FROM alert_told AS t LEFT JOIN alert_message AS m ON m.id = t.message");
    return s.each([&]() -> Result<void> {
        auto one = toldIn(s);
        GPULEDGER_TRY(one);
        rows.told.push_back(std::move(*one));
        return {};
    });
}

Result<void> readSilences(Database &db, base::UtcTime now, AlertRows &rows)
{
    Statement s = db.statement("SELECT id, rule, scope, from_at, until_at, by_whom, reason FROM alert_silence"
                               " WHERE until_at > ?1 ORDER BY id");
    return s.bind(1, base::toUnix(now)).each([&] {
        rows.silences.push_back({s.integer(0), s.text(1), s.text(2), timeIn(s, 3), timeIn(s, 4), s.text(5), s.text(6)});
    });
}

Result<void> readAcks(Database &db, AlertRows &rows)
{
    Statement s = db.statement("SELECT alert_key, by_whom, note, at FROM alert_ack ORDER BY at, alert_key");
    return s.each([&] { rows.acks.push_back({s.text(0), s.text(1), s.text(2), timeIn(s, 3)}); });
}

} // namespace

Result<AlertRows> AlertStore::rows(base::UtcTime now)
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Database &db = (*session)->database();
    AlertRows rows;
    GPULEDGER_TRY(readStates(db, rows));
    GPULEDGER_TRY(readTold(db, rows));
    GPULEDGER_TRY(readSilences(db, now, rows));
    GPULEDGER_TRY(readAcks(db, rows));
    return rows;
}

Result<std::vector<StoredMessage>> AlertStore::pending()
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    static const std::string kSql = std::string("SELECT ") + kMessageColumns
        + " FROM alert_message WHERE next_at IS NOT NULL AND state IN ('waiting', 'delivered', 'dead') ORDER BY id";
    Statement s = (*session)->database().statement(kSql);
    return messagesOf(s);
}

Result<std::vector<UndeliveredCount>> AlertStore::undelivered()
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Statement s = (*session)->database().statement("SELECT target, sum(state = 'waiting'), sum(state = 'dead')"
                                                   " FROM alert_message WHERE state IN ('waiting', 'dead')"
                                                   " GROUP BY target ORDER BY target");
    std::vector<UndeliveredCount> counts;
    GPULEDGER_TRY(s.each([&] { counts.push_back({s.text(0), s.integer(1), s.integer(2)}); }));
    return counts;
}

Result<std::vector<StoredMessage>> AlertStore::messages(base::TimeRange range)
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    static const std::string kSql = std::string("SELECT ") + kMessageColumns
        + " FROM alert_message WHERE (created_at >= ?1 AND created_at < ?2) OR state = 'waiting' ORDER BY id DESC";
    Statement s = (*session)->database().statement(kSql);
    s.bind(1, base::toUnix(range.start)).bind(2, base::toUnix(range.end));
    return messagesOf(s);
}

Result<std::optional<StoredMessage>> AlertStore::message(std::int64_t id)
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    static const std::string kSql = std::string("SELECT ") + kMessageColumns + " FROM alert_message WHERE id = ?1";
    Statement s = (*session)->database().statement(kSql);
    auto found = messagesOf(s.bind(1, id));
    GPULEDGER_TRY(found);
    return found->empty() ? std::optional<StoredMessage>() : std::optional(std::move(found->front()));
}

Result<std::vector<StoredAlertChange>> AlertStore::changes(base::TimeRange range)
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<StoredAlertChange> all;
    Statement s = (*session)->database().statement("SELECT at, rule, scope, alert_key, from_state, to_state, value"
                                                   " FROM alert_change WHERE at >= ?1 AND at < ?2"
                                                   " ORDER BY at DESC, id DESC");
    s.bind(1, base::toUnix(range.start)).bind(2, base::toUnix(range.end));
    GPULEDGER_TRY(s.each([&] {
        all.push_back({timeIn(s, 0), s.text(1), s.text(2), s.text(3), s.text(4), s.text(5), s.text(6)});
    }));
    return all;
}

} // namespace gpuledger::store
