// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/facts/syncstatesql.h"

#include "app/store/facts/timecolumns.h"

namespace gpuledger::store {

using base::Result;

Result<void> putSyncState(Database &database, const SyncState &state)
{
    Statement source = database.statement("INSERT INTO source (name) VALUES (?1) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(source.bind(1, state.source).run());
    Statement s = database.statement(
        "INSERT INTO sync_state (source, last_success, last_attempt, last_error, last_error_code, accepted, rejected,"
        " gaps, bytes) SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM source WHERE name = ?1"
        " ON CONFLICT (source) DO UPDATE SET last_success = excluded.last_success,"
        " last_attempt = excluded.last_attempt, last_error = excluded.last_error,"
        " last_error_code = excluded.last_error_code, accepted = excluded.accepted, rejected = excluded.rejected,"
        " gaps = excluded.gaps, bytes = excluded.bytes");
    s.bind(1, state.source).bind(2, unixOf(state.lastSuccess)).bind(3, unixOf(state.lastAttempt));
    s.bind(4, state.lastError).bind(5, state.lastErrorCode);
    s.bind(6, static_cast<std::int64_t>(state.accepted)).bind(7, static_cast<std::int64_t>(state.rejected));
    return s.bind(8, static_cast<std::int64_t>(state.gaps)).bind(9, static_cast<std::int64_t>(state.bytes)).run();
}

Result<std::vector<SyncState>> readSyncStates(Database &database)
{
    std::vector<SyncState> all;
    Statement s = database.statement(
        "SELECT name, r.range_start, r.range_end, last_success, last_attempt, last_error, last_error_code, accepted,"
        " rejected, gaps, bytes FROM sync_state t JOIN source s ON s.id = t.source LEFT JOIN sync_range r"
        " ON r.source = t.source"
        " AND r.range_start = (SELECT max(range_start) FROM sync_range x WHERE x.source = t.source) ORDER BY name");
    GPULEDGER_TRY(s.each([&] {
        SyncState &state = all.emplace_back();
        state.source = s.text(0);
        if (s.optionalInteger(1))
            state.covered = {base::fromUnix(s.integer(1)), base::fromUnix(s.integer(2))};
        state.lastSuccess = timeAt(s, 3);
        state.lastAttempt = timeAt(s, 4);
        state.lastError = s.text(5);
        state.lastErrorCode = s.text(6);
        state.accepted = static_cast<std::uint64_t>(s.integer(7));
        state.rejected = static_cast<std::uint64_t>(s.integer(8));
        state.gaps = static_cast<std::uint64_t>(s.integer(9));
        state.bytes = static_cast<std::uint64_t>(s.integer(10));
    }));
    return all;
}

} // namespace gpuledger::store
