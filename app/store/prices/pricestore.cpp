// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/prices/pricestore.h"

#include "app/store/sqlite/durable.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace gpuledger::store {

using base::Result;
using Counts = Connections::Counts;

namespace {

// The row of a list.
struct ListRow {
    std::int64_t id = 0;
    std::optional<std::int64_t> newest;
    bool isRead = false; // since it is in the configuration
};

// A row that has not ended.
struct OpenPrice {
    std::int64_t id = 0;
    PriceOffer offer;
};

// The texts of an offer, in the order of the first columns.
template <typename Offer> auto namesIn(Offer &o)
{
    return std::array{&o.provider, &o.region, &o.zone, &o.machine, &o.gpu, &o.purchase, &o.payment, &o.source};
}

std::optional<std::int64_t> upfrontOf(const PriceOffer &o)
{
    return o.upfront ? std::optional(o.upfront->nanos()) : std::nullopt;
}

std::string offerKey(const PriceOffer &o)
{
    std::string key;
    for (const std::string *part : namesIn(o))
        key += *part + '\x1f';
    for (const auto &number :
         {std::optional(o.microGpus), std::optional(o.perHour.nanos()), o.termMonths, upfrontOf(o)})
        key += (number ? std::to_string(*number) : "") + '\x1f';
    return key + std::string(o.perHour.currency().code());
}

std::optional<std::int64_t> dayNumber(const std::optional<base::Day> &day)
{
    return day ? std::optional<std::int64_t>(day->number) : std::nullopt;
}

constexpr char kOfferColumns[] = "provider, region, zone, machine, gpu, purchase, payment, source, micro_gpus, price,"
                                 " currency, term_months, upfront, gpu_model, gpu_memory_mib, milli_tflops, seen,"
                                 " contracted";
constexpr int kOfferColumnCount = 18;

// From the first columns of a row.
Result<PriceOffer> offerIn(const Statement &s)
{
    PriceOffer o;
    int column = 0;
    for (std::string *part : namesIn(o))
        *part = s.text(column++);
    o.microGpus = s.integer(8);
    const auto currency = base::Currency::parse(s.text(10));
    if (!currency)
        return base::fail(base::ErrorCode::StorageCorrupt, "a stored price has no currency");
    o.perHour = base::Money(s.integer(9), *currency);
    o.termMonths = s.optionalInteger(11);
    if (const auto upfront = s.optionalInteger(12))
        o.upfront = base::Money(*upfront, *currency);
    o.gpuModel = s.text(13);
    o.memoryMib = s.optionalInteger(14);
    o.milliTflops = s.optionalInteger(15);
    if (const auto day = s.optionalInteger(16))
        o.seen = base::Day{static_cast<std::int32_t>(*day)};
    o.contracted = s.integer(17) != 0;
    return o;
}

// Its row, which is created if there is none.
Result<ListRow> listRow(Database &db, const std::string &list, base::UtcTime now)
{
    Statement put = db.statement("INSERT INTO price_list (name, tried_at, tag, problem) VALUES (?1, ?2, '', '')"
                                 " ON CONFLICT (name) DO UPDATE SET tried_at = excluded.tried_at");
    GPULEDGER_TRY(put.bind(1, list).bind(2, base::toUnix(now)).run());
    ListRow row;
    Statement s = db.statement("SELECT id, newest, read_at IS NOT NULL FROM price_list WHERE name = ?1");
    GPULEDGER_TRY(s.bind(1, list).each([&] {
        row.id = s.integer(0);
        row.newest = s.optionalInteger(1);
        row.isRead = s.integer(2) != 0;
    }));
    return row;
}

Result<std::unordered_map<std::string, OpenPrice>> openPrices(Database &db, std::int64_t list)
{
    std::unordered_map<std::string, OpenPrice> open;
    static const std::string kSql =
        std::string("SELECT ") + kOfferColumns + ", id FROM price_quote WHERE list = ?1 AND ended_at IS NULL";
    Statement s = db.statement(kSql);
    GPULEDGER_TRY(s.bind(1, list).each([&]() -> Result<void> {
        auto offer = offerIn(s);
        GPULEDGER_TRY(offer);
        std::string key = offerKey(*offer);
        open.emplace(std::move(key), OpenPrice{s.integer(kOfferColumnCount), std::move(*offer)});
        return {};
    }));
    return open;
}

Result<void> insertPrice(Database &db, std::int64_t list, const PriceOffer &o, std::int64_t at)
{
    static const std::string kSql = std::string("INSERT INTO price_quote (") + kOfferColumns
        + ", list, first_seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
          " ?19, ?20)";
    Statement s = db.statement(kSql);
    int column = 0;
    for (const std::string *part : namesIn(o))
        s.bind(++column, *part);
    s.bind(9, o.microGpus).bind(10, o.perHour.nanos()).bind(11, std::string(o.perHour.currency().code()));
    s.bind(12, o.termMonths).bind(13, upfrontOf(o));
    s.bind(14, o.gpuModel).bind(15, o.memoryMib).bind(16, o.milliTflops).bind(17, dayNumber(o.seen));
    return s.bind(18, std::int64_t{o.contracted}).bind(19, list).bind(20, at).run();
}

// What is known of the offer beside its price.
Result<void> describePrice(Database &db, std::int64_t id, const PriceOffer &o)
{
    Statement s = db.statement("UPDATE price_quote SET gpu_model = ?2, gpu_memory_mib = ?3, milli_tflops = ?4,"
                               " seen = ?5, contracted = ?6 WHERE id = ?1");
    s.bind(1, id).bind(2, o.gpuModel).bind(3, o.memoryMib).bind(4, o.milliTflops).bind(5, dayNumber(o.seen));
    return s.bind(6, std::int64_t{o.contracted}).run();
}

Result<void> endPrice(Database &db, std::int64_t id, std::int64_t lastSeen, std::int64_t at)
{
    Statement s = db.statement("UPDATE price_quote SET last_seen = ?2, ended_at = ?3 WHERE id = ?1");
    return s.bind(1, id).bind(2, lastSeen).bind(3, at).run();
}

// Marks the list as read.
Result<void> markRead(Database &db, const ListRow &list, base::UtcTime now, const std::optional<std::string> &tag)
{
    const std::int64_t at = base::toUnix(now);
    Statement s = db.statement("UPDATE price_list SET read_at = ?2, newest = ?3, problem = '' WHERE id = ?1");
    GPULEDGER_TRY(s.bind(1, list.id).bind(2, at).bind(3, std::max(at, list.newest.value_or(at))).run());
    if (!tag)
        return {};
    Statement t = db.statement("UPDATE price_list SET tag = ?2 WHERE id = ?1");
    return t.bind(1, list.id).bind(2, *tag).run();
}

// It has nothing any more: if it comes back, it was never read.
Result<void> markForgotten(Database &db, const ListRow &list, std::int64_t at)
{
    Statement s =
        db.statement("UPDATE price_list SET read_at = NULL, newest = ?2, tag = '', problem = '' WHERE id = ?1");
    return s.bind(1, list.id).bind(2, at).run();
}

Result<PriceChanges> putOffers(Database &db, const ListRow &list, const std::vector<PriceOffer> &offers,
                               std::int64_t at, bool &isChanged)
{
    auto open = openPrices(db, list.id);
    GPULEDGER_TRY(open);
    PriceChanges changes;
    std::set<std::string> done;
    for (const PriceOffer &offer : offers) {
        const std::string key = offerKey(offer);
        if (!done.insert(key).second)
            continue;
        const auto known = open->find(key);
        if (known == open->end()) {
            GPULEDGER_TRY(insertPrice(db, list.id, offer, at));
            ++changes.added;
            continue;
        }
        ++changes.same;
        if (known->second.offer != offer) {
            GPULEDGER_TRY(describePrice(db, known->second.id, offer));
            isChanged = true;
        }
        open->erase(known);
    }
    for (const auto &[key, gone] : *open)
        GPULEDGER_TRY(endPrice(db, gone.id, list.newest.value_or(at), at));
    changes.ended = open->size();
    isChanged = isChanged || changes.added > 0 || changes.ended > 0;
    return changes;
}

// `tag`: empty for a list that is no longer in the configuration.
Result<PriceChanges> storeOffers(Connections &store, const std::string &list, const std::vector<PriceOffer> &offers,
                                 const std::optional<std::string> &tag, base::UtcTime now)
{
    using Answer = std::pair<PriceChanges, bool>;
    const auto work = [&](Database &db) -> Result<Answer> {
        const auto row = listRow(db, list, now);
        GPULEDGER_TRY(row);
        const std::int64_t at = std::max(base::toUnix(now), row->newest.value_or(base::toUnix(now)));
        bool isChanged = false;
        auto changes = putOffers(db, *row, offers, at, isChanged);
        GPULEDGER_TRY(changes);
        GPULEDGER_TRY(tag ? markRead(db, *row, now, tag) : markForgotten(db, *row, at));
        if (isChanged)
            GPULEDGER_TRY(store.nextGeneration());
        return Answer{*changes, true};
    };
    return durably<PriceChanges>(store, work, Counts::No);
}

Result<std::vector<StoredPrice>> storedPrices(Connections &store, const std::string &sql)
{
    auto session = ReadSession::begin(store.readers);
    GPULEDGER_TRY(session);
    std::vector<StoredPrice> all;
    Statement s = (*session)->database().statement(sql);
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        auto offer = offerIn(s);
        GPULEDGER_TRY(offer);
        StoredPrice one;
        one.offer = std::move(*offer);
        one.list = s.text(kOfferColumnCount);
        one.firstSeen = base::fromUnix(s.integer(kOfferColumnCount + 1));
        one.lastSeen = base::fromUnix(s.integer(kOfferColumnCount + 2));
        if (const auto ended = s.optionalInteger(kOfferColumnCount + 3))
            one.endedAt = base::fromUnix(*ended);
        all.push_back(std::move(one));
        return {};
    }));
    return all;
}

const std::string &storedSql(bool isCurrent)
{
    static const std::string kEvery = std::string("SELECT ") + kOfferColumns
        + ", name, first_seen, coalesce(last_seen, newest), ended_at FROM price_quote AS q JOIN price_list AS l"
          " ON l.id = q.list";
    static const std::string kHistory = kEvery + " ORDER BY name, q.id";
    static const std::string kCurrent = kEvery + " WHERE ended_at IS NULL ORDER BY name, q.id";
    return isCurrent ? kCurrent : kHistory;
}

} // namespace

Result<PriceChanges> PriceStore::put(const std::string &list, const std::vector<PriceOffer> &offers,
                                     const std::string &tag, base::UtcTime now)
{
    return storeOffers(m_store, list, offers, tag, now);
}

Result<void> PriceStore::confirm(const std::string &list, base::UtcTime now)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const auto row = listRow(db, list, now);
        GPULEDGER_TRY(row);
        if (row->isRead)
            GPULEDGER_TRY(markRead(db, *row, now, std::nullopt));
        return std::pair{true, row->isRead};
    };
    GPULEDGER_TRY(durably<bool>(m_store, work, Counts::No));
    return {};
}

Result<void> PriceStore::fail(const std::string &list, const std::string &problem, base::UtcTime now)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const auto row = listRow(db, list, now);
        GPULEDGER_TRY(row);
        Statement s = db.statement("UPDATE price_list SET problem = ?2 WHERE id = ?1");
        GPULEDGER_TRY(s.bind(1, row->id).bind(2, problem).run());
        return std::pair{true, true};
    };
    GPULEDGER_TRY(durably<bool>(m_store, work, Counts::No));
    return {};
}

Result<void> PriceStore::keepOnly(const std::set<std::string> &lists, base::UtcTime now)
{
    const auto stored = current();
    GPULEDGER_TRY(stored);
    std::set<std::string> others;
    for (const StoredPrice &one : *stored) {
        if (!lists.contains(one.list))
            others.insert(one.list);
    }
    for (const std::string &name : others)
        GPULEDGER_TRY(storeOffers(m_store, name, {}, std::nullopt, now));
    return {};
}

Result<std::vector<PriceListState>> PriceStore::lists()
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<PriceListState> all;
    Statement s = (*session)->database().statement("SELECT name, tried_at, read_at, tag, problem FROM price_list"
                                                   " ORDER BY name");
    GPULEDGER_TRY(s.each([&] {
        PriceListState one;
        one.name = s.text(0);
        one.triedAt = base::fromUnix(s.integer(1));
        if (const auto read = s.optionalInteger(2))
            one.readAt = base::fromUnix(*read);
        one.tag = s.text(3);
        one.problem = s.text(4);
        all.push_back(std::move(one));
    }));
    return all;
}

Result<std::vector<StoredPrice>> PriceStore::current()
{
    return storedPrices(m_store, storedSql(true));
}

Result<std::vector<StoredPrice>> PriceStore::history()
{
    return storedPrices(m_store, storedSql(false));
}

} // namespace gpuledger::store
