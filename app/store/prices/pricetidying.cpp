// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/prices/pricestore.h"
#include "app/store/sqlite/durable.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace gpuledger::store {

using base::Result;

namespace {

constexpr base::UtcTime kOldestClock = base::fromUnix(1'704'067'200); // 2024-01-01: no list was read before
constexpr std::int64_t kFarAway = 20; // times as far from now as they are apart
constexpr base::Seconds kAgeStored{3600}; // more often is not needed

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

// The latest time of all lists. std::nullopt: none was ever read.
std::optional<base::UtcTime> newestOf(const std::vector<PriceListState> &lists)
{
    std::optional<base::UtcTime> newest;
    for (const PriceListState &list : lists)
        newest = std::max(newest, list.newest); // std::nullopt is the least
    return newest;
}

// Whether the times after `now` come from a clock that was ahead: they are close together and far away. If this clock
// is behind, the history goes on from `now` and is long.
Result<bool> wasClockAhead(Database &db, base::UtcTime now)
{
    std::optional<std::int64_t> first, last;
    Statement s = db.statement("SELECT min(at), max(at) FROM (SELECT first_seen AS at FROM price_quote"
                               " UNION ALL SELECT last_seen FROM price_quote UNION ALL SELECT ended_at FROM price_quote"
                               " UNION ALL SELECT tried_at FROM price_list UNION ALL SELECT read_at FROM price_list"
                               " UNION ALL SELECT newest FROM price_list) WHERE at > ?1");
    GPULEDGER_TRY(s.bind(1, base::toUnix(now + kPriceClockSkew)).each([&] {
        first = s.optionalInteger(0);
        last = s.optionalInteger(1);
    }));
    return first && last && *last - *first <= (*first - base::toUnix(now)) / kFarAway;
}

// The time up to which prices have aged, and the clock when that was stored.
struct PriceAge {
    base::UtcTime counted{}, clock{};

    bool isDue(base::UtcTime now) const { return now < clock || now >= clock + kAgeStored; }
};

// As it is stored; std::nullopt: it is not.
Result<std::optional<PriceAge>> storedAge(Database &db)
{
    std::optional<std::int64_t> counted, clock;
    Statement s = db.statement("SELECT key, value FROM meta WHERE key IN ('price_counted', 'price_clock')");
    GPULEDGER_TRY(s.each([&] { (s.text(0) == "price_clock" ? clock : counted) = s.integer(1); }));
    if (!counted || !clock)
        return std::optional<PriceAge>();
    return std::optional(PriceAge{base::fromUnix(*counted), base::fromUnix(*clock)});
}

// With the time that has passed since.
PriceAge ageAt(const std::optional<PriceAge> &stored, base::UtcTime newest, base::UtcTime now)
{
    if (!stored)
        return {std::min(now, newest), now};
    const base::Seconds passed = std::clamp(now - stored->clock, base::Seconds{0}, kPriceLongestPause);
    return {std::min(stored->counted + passed, newest), now};
}

Result<void> storeAge(Database &db, const PriceAge &age)
{
    for (const auto &[key, time] : {std::pair("price_counted", age.counted), std::pair("price_clock", age.clock)}) {
        Statement s = db.statement("INSERT INTO meta (key, value) VALUES (?1, ?2)"
                                   " ON CONFLICT (key) DO UPDATE SET value = excluded.value");
        GPULEDGER_TRY(s.bind(1, std::string(key)).bind(2, base::toUnix(time)).run());
    }
    return {};
}

// Prices that ended before are forgotten.
base::UtcTime forgottenBefore(const PriceAge &age, base::UtcTime now)
{
    return std::min(age.counted, now) - kPriceHistoryKept;
}

Result<bool> hasOldPrices(Database &db, base::UtcTime before)
{
    static const std::string kSql = std::string("SELECT 1 ") + kOldPrices + " LIMIT 1";
    Statement s = db.statement(kSql);
    return s.bind(1, base::toUnix(before)).step();
}

// What tidy() has to do.
struct TidyPlan {
    bool correctsTimes = false, forgets = false, storesAge = false;

    bool isEmpty() const { return !correctsTimes && !forgets && !storesAge; }
};

Result<TidyPlan> tidyPlan(Connections &store, bool isAnyAhead, std::optional<base::UtcTime> newest, base::UtcTime now)
{
    auto session = ReadSession::begin(store.readers);
    GPULEDGER_TRY(session);
    Database &db = (*session)->database();
    TidyPlan plan;
    if (isAnyAhead) {
        const auto wasAhead = wasClockAhead(db, now);
        GPULEDGER_TRY(wasAhead);
        plan.correctsTimes = *wasAhead;
    }
    if (!newest)
        return plan;
    const auto stored = storedAge(db);
    GPULEDGER_TRY(stored);
    plan.storesAge = !*stored || (*stored)->isDue(now);
    const auto hasOld = hasOldPrices(db, forgottenBefore(ageAt(*stored, *newest, now), now));
    GPULEDGER_TRY(hasOld);
    plan.forgets = *hasOld;
    return plan;
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
    PriceTidying done;
    std::copy_if(all->begin(), all->end(), std::back_inserter(done.ahead),
                 [&](const PriceListState &list) { return isAhead(list, now); });
    const std::optional<base::UtcTime> newest = newestOf(*all);
    const auto plan = tidyPlan(m_store, !done.ahead.empty(), newest, now);
    GPULEDGER_TRY(plan);
    if (!plan->correctsTimes)
        done.ahead.clear();
    if (plan->isEmpty())
        return done;
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        for (const PriceListState &list : done.ahead)
            GPULEDGER_TRY(pullBack(db, list.name, now));
        if (newest) {
            const auto stored = storedAge(db);
            GPULEDGER_TRY(stored);
            const PriceAge age = ageAt(*stored, *newest, now);
            const auto forgotten = forgetOldPrices(db, forgottenBefore(age, now));
            GPULEDGER_TRY(forgotten);
            done.forgotten = *forgotten;
            GPULEDGER_TRY(storeAge(db, age));
        }
        if (plan->correctsTimes || done.forgotten > 0)
            GPULEDGER_TRY(m_store.nextGeneration());
        return std::pair{true, true};
    };
    GPULEDGER_TRY(durably<bool>(m_store, work, Connections::Counts::No));
    return done;
}

} // namespace gpuledger::store
