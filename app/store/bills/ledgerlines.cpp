// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/bills/ledgerlines.h"

#include "app/base/remedy.h"

#include <set>
#include <unordered_map>

namespace gpuledger::store {

using base::Day;
using base::fail;
using base::Result;
using model::LedgerAmounts;
using model::LedgerKey;

namespace {

Statement &bindKey(Statement &s, const LedgerKey &key)
{
    s.bind(1, std::string(key.currency.code())).bind(2, static_cast<std::int64_t>(key.category));
    s.bind(3, static_cast<std::int64_t>(key.origin)).bind(4, static_cast<std::int64_t>(key.match));
    s.bind(5, key.source).bind(6, key.team).bind(7, key.state).bind(8, key.workloadKind).bind(9, key.environment);
    s.bind(10, key.account).bind(11, key.accountName).bind(12, key.service).bind(13, key.cloud).bind(14, key.region);
    return s.bind(15, key.cluster).bind(16, key.gpuModel);
}

LedgerKey keyAt(const Statement &s)
{
    LedgerKey key;
    if (const auto currency = base::Currency::parse(s.text(1)))
        key.currency = *currency;
    key.category = static_cast<model::LedgerCategory>(s.integer(2));
    key.origin = static_cast<model::LedgerOrigin>(s.integer(3));
    key.match = static_cast<model::LedgerMatch>(s.integer(4));
    key.source = s.text(5);
    key.team = s.text(6);
    key.state = s.text(7);
    key.workloadKind = s.text(8);
    key.environment = s.text(9);
    key.account = s.text(10);
    key.accountName = s.text(11);
    key.service = s.text(12);
    key.cloud = s.text(13);
    key.region = s.text(14);
    key.cluster = s.text(15);
    key.gpuModel = s.text(16);
    return key;
}

Result<std::int64_t> keyId(Database &database, const LedgerKey &key)
{
    Statement find = database.statement(
        "SELECT id FROM ledger_key WHERE currency = ?1 AND category = ?2 AND origin = ?3 AND match = ?4 AND source = ?5"
        " AND team = ?6 AND state = ?7 AND workload_kind = ?8 AND environment = ?9 AND account = ?10"
        " AND account_name = ?11 AND service = ?12 AND cloud = ?13 AND region = ?14 AND cluster = ?15"
        " AND gpu_model = ?16");
    const auto there = bindKey(find, key).step();
    GPULEDGER_TRY(there);
    if (*there)
        return find.integer(0);
    Statement add = database.statement(
        "INSERT INTO ledger_key (currency, category, origin, match, source, team, state, workload_kind, environment,"
        " account, account_name, service, cloud, region, cluster, gpu_model)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)");
    GPULEDGER_TRY(bindKey(add, key).run());
    return database.lastInsertId();
}

Result<std::set<std::int64_t>> keysOf(Database &database, Day day)
{
    std::set<std::int64_t> keys;
    Statement s = database.statement("SELECT key FROM ledger_line WHERE day = ?1 ORDER BY key");
    GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).each([&] { keys.insert(s.integer(0)); }));
    return keys;
}

} // namespace

Result<void> putLedgerDay(Database &database, Day day, const LedgerDay &lines)
{
    auto gone = keysOf(database, day);
    GPULEDGER_TRY(gone);
    if (!gone->empty()) {
        Statement clear = database.statement("DELETE FROM ledger_line WHERE day = ?1");
        GPULEDGER_TRY(clear.bind(1, std::int64_t{day.number}).run());
    }
    Statement add =
        database.statement("INSERT INTO ledger_line (day, key, billed, effective, ticks, unknown_time,"
                           " priced, unpriced_ticks, allocated) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    for (const auto &[key, amounts] : lines) {
        if (amounts == LedgerAmounts{})
            continue;
        const auto id = keyId(database, key);
        GPULEDGER_TRY(id);
        add.bind(1, std::int64_t{day.number}).bind(2, *id).bind(3, amounts.billed).bind(4, amounts.effective);
        add.bind(5, amounts.ticks).bind(6, amounts.unknownTime).bind(7, amounts.priced).bind(8, amounts.unpricedTicks);
        add.bind(9, amounts.allocated);
        GPULEDGER_TRY(add.run());
        gone->erase(*id);
    }
    // A key that no day has any more would be offered as a filter that matches nothing.
    Statement drop = database.statement("DELETE FROM ledger_key WHERE id = ?1"
                                        " AND NOT EXISTS (SELECT 1 FROM ledger_line WHERE key = ?1)");
    for (const std::int64_t id : *gone)
        GPULEDGER_TRY(drop.bind(1, id).run());
    return {};
}

Result<void> readLedger(Database &database, Day first, Day last, const LedgerVisitor &visit)
{
    std::unordered_map<std::int64_t, LedgerKey> keys;
    Statement all = database.statement("SELECT id, currency, category, origin, match, source, team, state,"
                                       " workload_kind, environment, account, account_name, service, cloud, region,"
                                       " cluster, gpu_model FROM ledger_key");
    GPULEDGER_TRY(all.each([&] { keys.emplace(all.integer(0), keyAt(all)); }));
    Statement s = database.statement("SELECT day, key, billed, effective, ticks, unknown_time, priced, unpriced_ticks,"
                                     " allocated FROM ledger_line WHERE day BETWEEN ?1 AND ?2");
    s.bind(1, std::int64_t{first.number}).bind(2, std::int64_t{last.number});
    return s.each([&]() -> Result<void> {
        const auto key = keys.find(s.integer(1));
        if (key == keys.end())
            return fail(base::ErrorCode::StorageCorrupt, "a line of the ledger has no key", base::Remedy::RepairCache);
        return visit(
            {static_cast<std::int32_t>(s.integer(0))}, key->second,
            {s.integer(2), s.integer(3), s.integer(4), s.integer(5), s.integer(6), s.integer(7), s.integer(8)});
    });
}

Result<std::vector<Day>> ledgerDays(Database &database)
{
    std::vector<Day> days;
    Statement s = database.statement("SELECT DISTINCT day FROM ledger_line ORDER BY day");
    GPULEDGER_TRY(s.each([&] { days.push_back({static_cast<std::int32_t>(s.integer(0))}); }));
    return days;
}

} // namespace gpuledger::store
