// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/alerts/alertstore.h"

#include "app/store/alerts/alertcolumns.h"
#include "app/store/sqlite/durable.h"

#include <nlohmann/json.hpp>

namespace gpuledger::store {

using base::Result;
using Counts = Connections::Counts;

namespace {

Result<bool> isLedByAnother(Database &db, const std::string &instance, base::UtcTime now)
{
    Statement s = db.statement("SELECT instance, until_at FROM alert_leader");
    bool isOther = false;
    GPULEDGER_TRY(s.each([&] {
        const base::UtcTime until = base::fromUnix(s.integer(1));
        isOther = s.text(0) != instance && until > now && until <= now + kAlertLease;
    }));
    return isOther;
}

// However long ago: the round that is stored began when `instance` led.
Result<bool> wasTakenOver(Database &db, const std::string &instance)
{
    Statement s = db.statement("SELECT instance FROM alert_leader");
    bool isOther = false;
    GPULEDGER_TRY(s.each([&] { isOther = s.text(0) != instance; }));
    return isOther;
}

Result<void> takeLead(Database &db, const std::string &instance, base::UtcTime now)
{
    Statement s = db.statement("INSERT INTO alert_leader (id, instance, until_at) VALUES (1, ?1, ?2) ON CONFLICT (id)"
                               " DO UPDATE SET instance = excluded.instance, until_at = excluded.until_at");
    return s.bind(1, instance).bind(2, base::toUnix(now + kAlertLease)).run();
}

Result<void> putStates(Database &db, const std::vector<StoredRuleState> &states)
{
    Statement drop = db.statement("DELETE FROM alert_state");
    GPULEDGER_TRY(drop.run());
    for (const StoredRuleState &one : states) {
        Statement s = db.statement("INSERT INTO alert_state (rule, definition, states, at) VALUES (?1, ?2, ?3, ?4)");
        s.bind(1, one.rule).bind(2, one.definition).bind(3, one.states).bind(4, base::toUnix(one.at));
        GPULEDGER_TRY(s.run());
    }
    return {};
}

Result<void> putChanges(Database &db, const std::vector<StoredAlertChange> &changes)
{
    for (const StoredAlertChange &one : changes) {
        Statement s = db.statement("INSERT INTO alert_change (at, rule, scope, alert_key, from_state, to_state, value)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
        s.bind(1, base::toUnix(one.at)).bind(2, one.rule).bind(3, one.scope).bind(4, one.key);
        GPULEDGER_TRY(s.bind(5, one.from).bind(6, one.to).bind(7, one.value).run());
    }
    return {};
}

Result<void> putRepeats(Database &db, const AlertRoundRows &round)
{
    for (const auto &[id, content] : round.contents) {
        Statement s = db.statement("UPDATE alert_message SET content = ?2 WHERE id = ?1");
        GPULEDGER_TRY(s.bind(1, id).bind(2, content).run());
    }
    for (const std::int64_t id : round.endedRepeats) {
        Statement s = db.statement("UPDATE alert_message SET next_at = NULL WHERE id = ?1 AND state = 'delivered'");
        GPULEDGER_TRY(s.bind(1, id).run());
    }
    return {};
}

// Of alerts that no longer fire; what fires is never told twice, however long it fires.
Result<void> forgetPast(Database &db, const AlertRoundRows &round)
{
    const std::string firing =
        nlohmann::json(round.firing).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    Statement acks = db.statement("DELETE FROM alert_ack WHERE alert_key NOT IN (SELECT value FROM json_each(?1))");
    GPULEDGER_TRY(acks.bind(1, firing).run());
    const std::int64_t before = base::toUnix(round.at - kAlertHistoryKept);
    Statement changes = db.statement("DELETE FROM alert_change WHERE at < ?1");
    GPULEDGER_TRY(changes.bind(1, before).run());
    Statement silences = db.statement("DELETE FROM alert_silence WHERE until_at < ?1");
    GPULEDGER_TRY(silences.bind(1, before).run());
    Statement told = db.statement("DELETE FROM alert_told WHERE fired_at < ?1 AND alert_key NOT IN (SELECT value FROM"
                                  " json_each(?2)) AND message NOT IN (SELECT id FROM alert_message WHERE"
                                  " created_at >= ?1)");
    GPULEDGER_TRY(told.bind(1, before).bind(2, firing).run());
    Statement messages = db.statement("DELETE FROM alert_message WHERE created_at < ?1 AND state <> 'waiting' AND"
                                      " next_at IS NULL AND id NOT IN (SELECT message FROM alert_told)");
    return messages.bind(1, before).run();
}

} // namespace

Result<bool> AlertStore::lead(const std::string &instance, base::UtcTime now)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const auto isOther = isLedByAnother(db, instance, now);
        GPULEDGER_TRY(isOther);
        if (*isOther)
            return std::pair(false, false);
        GPULEDGER_TRY(takeLead(db, instance, now));
        return std::pair(true, true);
    };
    return durably<bool>(m_store, work, Counts::No);
}

Result<void> AlertStore::resign(const std::string &instance)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        Statement s = db.statement("DELETE FROM alert_leader WHERE instance = ?1");
        GPULEDGER_TRY(s.bind(1, instance).run());
        return std::pair(true, true);
    };
    const auto done = durably<bool>(m_store, work, Counts::No);
    GPULEDGER_TRY(done);
    return {};
}

Result<bool> AlertStore::putRound(const std::string &instance, const AlertRoundRows &round)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const auto isOther = wasTakenOver(db, instance);
        GPULEDGER_TRY(isOther);
        if (*isOther)
            return std::pair(false, false);
        GPULEDGER_TRY(takeLead(db, instance, round.at));
        GPULEDGER_TRY(putStates(db, round.states));
        GPULEDGER_TRY(putChanges(db, round.changes));
        for (const NewMessage &message : round.messages)
            GPULEDGER_TRY(insertMessage(db, message, round.at));
        GPULEDGER_TRY(putRepeats(db, round));
        GPULEDGER_TRY(forgetPast(db, round));
        return std::pair(true, true);
    };
    return durably<bool>(m_store, work, Counts::No);
}

Result<void> AlertStore::queue(const std::vector<NewMessage> &messages, base::UtcTime now)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        for (const NewMessage &message : messages)
            GPULEDGER_TRY(insertMessage(db, message, now));
        return std::pair(true, true);
    };
    const auto done = durably<bool>(m_store, work, Counts::No);
    GPULEDGER_TRY(done);
    return {};
}

Result<std::int64_t> AlertStore::silence(const StoredSilence &silence)
{
    const auto work = [&](Database &db) -> Result<std::pair<std::int64_t, bool>> {
        Statement s = db.statement("INSERT INTO alert_silence (rule, scope, from_at, until_at, by_whom, reason)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
        s.bind(1, silence.rule).bind(2, silence.scope).bind(3, base::toUnix(silence.from));
        s.bind(4, base::toUnix(silence.until)).bind(5, silence.by).bind(6, silence.reason);
        GPULEDGER_TRY(s.run());
        return std::pair(db.lastInsertId(), true);
    };
    return durably<std::int64_t>(m_store, work, Counts::No);
}

Result<bool> AlertStore::endSilence(std::int64_t id, base::UtcTime now)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const std::int64_t before = db.totalChanges();
        Statement s = db.statement("UPDATE alert_silence SET until_at = ?2 WHERE id = ?1 AND until_at > ?2");
        GPULEDGER_TRY(s.bind(1, id).bind(2, base::toUnix(now)).run());
        const bool isChanged = db.totalChanges() != before;
        return std::pair(isChanged, isChanged);
    };
    return durably<bool>(m_store, work, Counts::No);
}

Result<void> AlertStore::acknowledge(const StoredAck &ack)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        Statement s = db.statement("INSERT INTO alert_ack (alert_key, by_whom, note, at) VALUES (?1, ?2, ?3, ?4)"
                                   " ON CONFLICT (alert_key) DO UPDATE SET by_whom = excluded.by_whom,"
                                   " note = excluded.note, at = excluded.at");
        GPULEDGER_TRY(s.bind(1, ack.key).bind(2, ack.by).bind(3, ack.note).bind(4, base::toUnix(ack.at)).run());
        return std::pair(true, true);
    };
    const auto done = durably<bool>(m_store, work, Counts::No);
    GPULEDGER_TRY(done);
    return {};
}

} // namespace gpuledger::store
