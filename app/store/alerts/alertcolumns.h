// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/alerts/alertrows.h"
#include "app/store/sqlite/database.h"

// Columns of the tables about alerts. Inside a transaction of the caller.
namespace gpuledger::store {

inline constexpr char kMessageColumns[] = "id, target, rule, notice, state, content, attempts, created_at, next_at,"
                                          " claimed_until, delivered_at, detail";
std::string messageStateText(MessageState state); // "waiting", "delivered" …; Unknown: empty
std::optional<base::UtcTime> optionalTime(const Statement &s, int column);
std::optional<std::int64_t> optionalUnix(const std::optional<base::UtcTime> &time);
// Fails with StorageCorrupt. A state that is not known is no damage: a newer version of the program wrote it.
[[nodiscard]] base::Result<StoredMessage> messageIn(const Statement &s);
// Columns: alert_key, target, notice, rule, scope, fired_at, message, whether that is lost.
[[nodiscard]] base::Result<ToldAlert> toldIn(const Statement &s);
// Without the alerts that its target was told already; nothing if none is left.
[[nodiscard]] base::Result<void> insertMessage(Database &db, const NewMessage &message, base::UtcTime now);

} // namespace gpuledger::store
