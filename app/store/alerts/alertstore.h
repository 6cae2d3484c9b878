// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/store/alerts/alertrows.h"

namespace gpuledger::store {

struct Connections;

// What alerts did, the outbox of their notices, silences and acknowledgements. When a call returns, its change is on
// disk (synchronous=FULL), because it can't be fetched again. Created by LedgerStore::alerts(); the LedgerStore must
// outlive it. Any thread; several processes. Fails with Storage… codes.
class AlertStore {
public:
    explicit AlertStore(Connections &store)
        : m_store(store)
    {
    }

    // Makes this instance the one that evaluates until now + kAlertLease, or renews that. False: another one is. A
    // lease that ends later than it could comes from a clock that was ahead, and is void.
    [[nodiscard]] base::Result<bool> lead(const std::string &instance, base::UtcTime now);
    // Ends the lease of this instance, so that the next program need not wait.
    [[nodiscard]] base::Result<void> resign(const std::string &instance);
    [[nodiscard]] base::Result<AlertRows> rows(base::UtcTime now);
    // Everything of a round in one transaction; forgets what is older than kAlertHistoryKept and no longer fires.
    // False, and nothing is stored: another instance has led since lead(). An alert that a target was told is left out.
    [[nodiscard]] base::Result<bool> putRound(const std::string &instance, const AlertRoundRows &round);

    // Messages that belong to no round. An alert that a target was told is left out, so anyone may queue them.
    [[nodiscard]] base::Result<void> queue(const std::vector<NewMessage> &messages, base::UtcTime now);
    // Messages with a next time, ascending by id, but for those whose state only a newer version knows.
    [[nodiscard]] base::Result<std::vector<StoredMessage>> pending();
    // By target; those of which all messages were delivered are left out.
    [[nodiscard]] base::Result<std::vector<UndeliveredCount>> undelivered();
    // Created in the range, or waiting; the newest first.
    [[nodiscard]] base::Result<std::vector<StoredMessage>> messages(base::TimeRange range);
    [[nodiscard]] base::Result<std::optional<StoredMessage>> message(std::int64_t id);
    // Before it is sent: counts the attempt and keeps other programs from its target. False: another one is sending to
    // the target, or the message or its content is no longer what it was.
    [[nodiscard]] base::Result<bool> claim(const StoredMessage &message, base::UtcTime now);
    // What was cancelled or discarded meanwhile, or has a state of a newer version, stays so, unless it was delivered.
    [[nodiscard]] base::Result<void> settle(std::int64_t id, const MessageOutcome &outcome);
    // A dead message becomes due, and a waiting or dead one is discarded. False: there is none.
    [[nodiscard]] base::Result<bool> retry(std::int64_t id, base::UtcTime now);
    [[nodiscard]] base::Result<bool> discard(std::int64_t id);
    // Cancels a waiting message, or a part of it, which becomes a cancelled message of its own. Without a rest, its
    // other alerts count as not told. False: it is being sent, or is no longer what it was.
    [[nodiscard]] base::Result<bool> cancel(const StoredMessage &message, const MessageCut &cut, base::UtcTime now);

    [[nodiscard]] base::Result<std::vector<StoredAlertChange>> changes(base::TimeRange range); // newest first
    [[nodiscard]] base::Result<std::int64_t> silence(const StoredSilence &silence);
    [[nodiscard]] base::Result<bool> endSilence(std::int64_t id, base::UtcTime now); // false: there is none
    [[nodiscard]] base::Result<void> acknowledge(const StoredAck &ack);

private:
    Connections &m_store;
};

} // namespace gpuledger::store
