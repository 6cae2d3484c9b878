// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/alerts/alertcolumns.h"
#include "app/store/alerts/alertstore.h"
#include "app/store/sqlite/durable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

constexpr std::array<std::pair<MessageState, const char *>, 5> kMessageStates{{{MessageState::Waiting, "waiting"},
                                                                               {MessageState::Delivered, "delivered"},
                                                                               {MessageState::Dead, "dead"},
                                                                               {MessageState::Cancelled, "cancelled"},
                                                                               {MessageState::Discarded, "discarded"}}};

tl::unexpected<base::Error> notAMessage(const std::string &what)
{
    return fail(ErrorCode::StorageCorrupt, "a stored notice is damaged: " + what);
}

// A row was changed by a statement, or none.
Result<bool> changesOne(Connections &store, const std::function<Result<void>(Database &)> &change)
{
    return durably<bool>(
        store,
        [&](Database &db) -> Result<std::pair<bool, bool>> {
            const std::int64_t before = db.totalChanges();
            GPULEDGER_TRY(change(db));
            const bool isChanged = db.totalChanges() != before;
            return std::pair(isChanged, isChanged);
        },
        Connections::Counts::No);
}

std::string keysText(const MessageCut &cut)
{
    return nlohmann::json(cut.keys).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What was not listed in a cancelled message is to be told in another one.
Result<void> forgetOthers(Database &db, std::int64_t message, const MessageCut &cut)
{
    Statement s = db.statement("DELETE FROM alert_told WHERE message = ?1 AND alert_key NOT IN (SELECT value FROM"
                               " json_each(?2))");
    return s.bind(1, message).bind(2, keysText(cut)).run();
}

// What is cut off becomes a cancelled message, as old as that which it was a part of.
Result<void> splitOff(Database &db, std::int64_t message, const MessageCut &cut)
{
    Statement put = db.statement("INSERT INTO alert_message (target, rule, notice, state, content, attempts,"
                                 " created_at, detail) SELECT target, rule, notice, 'cancelled', ?2, attempts,"
                                 " created_at, ?3 FROM alert_message WHERE id = ?1");
    GPULEDGER_TRY(put.bind(1, message).bind(2, cut.cut).bind(3, cut.detail).run());
    const std::int64_t id = db.lastInsertId();
    Statement told = db.statement("UPDATE alert_told SET message = ?2 WHERE message = ?1 AND alert_key IN (SELECT"
                                  " value FROM json_each(?3))");
    return told.bind(1, message).bind(2, id).bind(3, keysText(cut)).run();
}

} // namespace

std::string messageStateText(MessageState state)
{
    for (const auto &[one, text] : kMessageStates) {
        if (one == state)
            return text;
    }
    return {};
}

std::optional<base::UtcTime> optionalTime(const Statement &s, int column)
{
    const auto seconds = s.optionalInteger(column);
    return seconds ? std::optional(base::fromUnix(*seconds)) : std::nullopt;
}

std::optional<std::int64_t> optionalUnix(const std::optional<base::UtcTime> &time)
{
    return time ? std::optional(base::toUnix(*time)) : std::nullopt;
}

Result<StoredMessage> messageIn(const Statement &s)
{
    StoredMessage out;
    out.id = s.integer(0);
    out.target = s.text(1);
    out.rule = s.text(2);
    const auto notice = model::noticeStateFromString(s.text(3));
    if (!notice)
        return notAMessage("its notice");
    out.notice = *notice;
    const std::string state = s.text(4);
    const auto *known = std::find_if(kMessageStates.begin(), kMessageStates.end(),
                                     [&](const auto &one) { return state == one.second; });
    out.state = known == kMessageStates.end() ? MessageState::Unknown : known->first;
    out.content = s.text(5);
    out.attempts = static_cast<int>(s.integer(6));
    out.createdAt = base::fromUnix(s.integer(7));
    out.nextAt = optionalTime(s, 8);
    out.claimedUntil = optionalTime(s, 9);
    out.deliveredAt = optionalTime(s, 10);
    out.detail = s.text(11);
    return out;
}

Result<ToldAlert> toldIn(const Statement &s)
{
    const auto notice = model::noticeStateFromString(s.text(2));
    if (!notice)
        return notAMessage("what was told");
    return ToldAlert{s.text(0),    s.text(1),         *notice,
                     s.text(3),    s.text(4),         base::fromUnix(s.integer(5)),
                     s.integer(6), s.integer(7) != 0, base::fromUnix(s.integer(8))};
}

Result<void> insertMessage(Database &db, const NewMessage &message, base::UtcTime now)
{
    Statement put = db.statement("INSERT INTO alert_message (target, rule, notice, state, content, attempts,"
                                 " created_at, next_at, detail) VALUES (?1, ?2, ?3, 'waiting', ?4, 0, ?5, ?5, '')");
    const std::string notice(model::toString(message.notice));
    put.bind(1, message.target).bind(2, message.rule).bind(3, notice).bind(4, message.content);
    GPULEDGER_TRY(put.bind(5, base::toUnix(now)).run());
    const std::int64_t id = db.lastInsertId();
    const std::int64_t before = db.totalChanges();
    for (const ToldAlert &alert : message.alerts) {
        Statement told = db.statement("INSERT INTO alert_told (alert_key, target, notice, rule, scope, fired_at,"
                                      " message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING");
        told.bind(1, alert.key).bind(2, message.target).bind(3, notice).bind(4, alert.rule).bind(5, alert.scope);
        GPULEDGER_TRY(told.bind(6, base::toUnix(alert.firedAt)).bind(7, id).run());
    }
    if (db.totalChanges() != before)
        return {};
    Statement drop = db.statement("DELETE FROM alert_message WHERE id = ?1");
    return drop.bind(1, id).run();
}

Result<bool> AlertStore::claim(const StoredMessage &message, base::UtcTime now)
{
    return changesOne(m_store, [&](Database &db) {
        // A claim that ends later than it could comes from a clock that was ahead.
        Statement s = db.statement(
            "UPDATE alert_message SET attempts = attempts + 1, claimed_until = ?3 WHERE id = ?1 AND attempts = ?2"
            " AND next_at IS ?5 AND content = ?6 AND state = ?7 AND NOT EXISTS (SELECT 1 FROM alert_message AS o WHERE "
            "o.target ="
            " alert_message.target AND o.claimed_until > ?4 AND o.claimed_until <= ?3)");
        s.bind(1, message.id).bind(2, std::int64_t{message.attempts});
        s.bind(3, base::toUnix(now + kMessageClaim)).bind(4, base::toUnix(now));
        s.bind(5, optionalUnix(message.nextAt)).bind(6, message.content);
        return s.bind(7, messageStateText(message.state)).run();
    });
}

Result<void> AlertStore::settle(std::int64_t id, const MessageOutcome &outcome)
{
    const auto done = changesOne(m_store, [&](Database &db) {
        Statement s = db.statement("UPDATE alert_message SET state = ?2, next_at = ?3, claimed_until = NULL,"
                                   " delivered_at = coalesce(?4, delivered_at), detail = ?5,"
                                   " attempts = attempts - ?6 WHERE id = ?1 AND (state IN ('waiting',"
                                   " 'delivered', 'dead') OR ?2 = 'delivered')");
        s.bind(1, id).bind(2, messageStateText(outcome.state)).bind(3, optionalUnix(outcome.nextAt));
        s.bind(4, optionalUnix(outcome.deliveredAt)).bind(5, outcome.detail);
        return s.bind(6, std::int64_t{outcome.counts ? 0 : 1}).run();
    });
    GPULEDGER_TRY(done);
    return {};
}

Result<bool> AlertStore::retry(std::int64_t id, base::UtcTime now)
{
    return changesOne(m_store, [&](Database &db) {
        Statement s = db.statement("UPDATE alert_message SET state = 'waiting', next_at = ?2, created_at = ?2,"
                                   " attempts = 0 WHERE id = ?1 AND state = 'dead'");
        return s.bind(1, id).bind(2, base::toUnix(now)).run();
    });
}

// What its target was told stays: it is not queued again.
Result<bool> AlertStore::discard(std::int64_t id)
{
    return changesOne(m_store, [&](Database &db) {
        Statement s = db.statement("UPDATE alert_message SET state = 'discarded', next_at = NULL, detail = 'discarded'"
                                   " WHERE id = ?1 AND state IN ('waiting', 'dead')");
        return s.bind(1, id).run();
    });
}

Result<bool> AlertStore::cancel(const StoredMessage &message, const MessageCut &cut, base::UtcTime now)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const std::int64_t before = db.totalChanges();
        // A claim that ends later than it could comes from a clock that was ahead.
        Statement s = db.statement(
            "UPDATE alert_message SET state = CASE WHEN ?2 = '' THEN 'cancelled' ELSE state END,"
            " next_at = CASE WHEN ?2 = '' THEN NULL ELSE next_at END,"
            " detail = CASE WHEN ?2 = '' THEN ?3 ELSE detail END,"
            " content = CASE WHEN ?2 = '' THEN ?4 ELSE ?2 END WHERE id = ?1 AND state = 'waiting' AND content = ?5"
            " AND (claimed_until IS NULL OR claimed_until <= ?6 OR claimed_until > ?7)");
        s.bind(1, message.id).bind(2, cut.rest).bind(3, cut.detail).bind(4, cut.cut).bind(5, message.content);
        GPULEDGER_TRY(s.bind(6, base::toUnix(now)).bind(7, base::toUnix(now + kMessageClaim)).run());
        if (db.totalChanges() == before)
            return std::pair(false, false);
        GPULEDGER_TRY(cut.rest.empty() ? forgetOthers(db, message.id, cut) : splitOff(db, message.id, cut));
        return std::pair(true, true);
    };
    return durably<bool>(m_store, work, Connections::Counts::No);
}

} // namespace gpuledger::store
