// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/prices/pricestore.h"
#include "app/store/sqlite/durable.h"

#include <algorithm>
#include <iterator>

namespace gpuledger::store {

using base::Result;

namespace {

constexpr base::UtcTime kOldestClock = base::fromUnix(1'704'067'200); // 2024-01-01: no list was read before

// Prices that ended by ?1 and that another price of the same offer followed by then. Of an offer that is gone, the last
// price stays.
constexpr char kOldPrices[] =
    "FROM price_quote AS q WHERE q.ended_at <= ?1 AND EXISTS (SELECT 1 FROM price_quote AS r WHERE r.gpu = q.gpu"
    " AND r.machine = q.machine AND r.region = q.region AND r.zone = q.zone AND r.list = q.list"
    " AND r.provider = q.provider AND r.purchase = q.purchase AND r.payment = q.payment AND r.source = q.source"
    " AND r.micro_gpus = q.micro_gpus AND r.currency = q.currency AND r.term_months IS q.term_months"
    " AND r.id > q.id AND r.first_seen >= q.ended_at AND r.first_seen <= ?1)";

bool isAhead(const PriceListState &list, base::UtcTime now)
{
    const base::UtcTime latest =
        std::max({list.triedAt, list.readAt.value_or(list.triedAt), list.newest.value_or(list.triedAt)});
    return now >= kOldestClock && latest > now + kPriceClockSkew;
}

// The time before which ended prices are forgotten. `lists` is not empty.
base::UtcTime forgottenBefore(const std::vector<PriceListState> &lists, base::UtcTime now)
{
    base::UtcTime newest{};
    for (const PriceListState &list : lists)
        newest = std::max(newest, list.newest.value_or(newest));
    return std::min(now, newest) - kPriceHistoryKept;
}

Result<bool> hasOldPrices(Connections &store, base::UtcTime before)
{
    static const std::string kSql = std::string("SELECT 1 ") + kOldPrices + " LIMIT 1";
    auto session = ReadSession::begin(store.readers);
    GPULEDGER_TRY(session);
    Statement s = (*session)->database().statement(kSql);
    return s.bind(1, base::toUnix(before)).step();
}

Result<std::int64_t> forgetOldPrices(Database &db, base::UtcTime before)
{
    static const std::string kSql = std::string("DELETE FROM price_quote WHERE id IN (SELECT q.id ") + kOldPrices + ")";
    const std::int64_t changes = db.totalChanges();
    Statement s = db.statement(kSql);
    GPULEDGER_TRY(s.bind(1, base::toUnix(before)).run());
    return db.totalChanges() - changes;
}

// Times of the list that are later than `now` become `now`; their order stays.
Result<void> pullBack(Database &db, const std::string &list, base::UtcTime now)
{
    const std::int64_t at = base::toUnix(now);
    Statement quotes = db.statement("UPDATE price_quote SET first_seen = min(first_seen, ?2),"
                                    " last_seen = min(last_seen, ?2), ended_at = min(ended_at, ?2)"
                                    " WHERE list = (SELECT id FROM price_list WHERE name = ?1)"
                                    " AND (first_seen > ?2 OR last_seen > ?2 OR ended_at > ?2)");
    GPULEDGER_TRY(quotes.bind(1, list).bind(2, at).run());
    Statement s = db.statement("UPDATE price_list SET tried_at = min(tried_at, ?2), read_at = min(read_at, ?2),"
                               " newest = min(newest, ?2) WHERE name = ?1");
    return s.bind(1, list).bind(2, at).run();
}

} // namespace

Result<PriceTidying> PriceStore::tidy(base::UtcTime now)
{
    const auto all = lists();
    GPULEDGER_TRY(all);
    if (all->empty())
        return PriceTidying();
    PriceTidying done;
    std::copy_if(all->begin(), all->end(), std::back_inserter(done.ahead),
                 [&](const PriceListState &list) { return isAhead(list, now); });
    const base::UtcTime before = forgottenBefore(*all, now);
    const auto hasOld = hasOldPrices(m_store, before);
    GPULEDGER_TRY(hasOld);
    if (done.ahead.empty() && !*hasOld)
        return done;
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        for (const PriceListState &list : done.ahead)
            GPULEDGER_TRY(pullBack(db, list.name, now));
        const auto forgotten = forgetOldPrices(db, before);
        GPULEDGER_TRY(forgotten);
        done.forgotten = *forgotten;
        return std::pair{true, true};
    };
    GPULEDGER_TRY(durably<bool>(m_store, work));
    return done;
}

} // namespace gpuledger::store
