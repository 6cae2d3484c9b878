// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/prices/pricestore.h"

#include "app/store/prices/pricerows.h"
#include "app/store/sqlite/durable.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <unordered_map>

namespace gpuledger::store {

using base::Result;
using Counts = Connections::Counts;

namespace {

// The row of a list.
struct ListRow {
    std::int64_t id = 0;
    std::optional<std::int64_t> newest;
    std::optional<base::UtcTime> readAt; // since it is in the configuration

    bool wasReadSince(const std::optional<ReadBefore> &before) const { return before && readAt != before->readAt; }
};

// A row that has not ended.
struct OpenPrice {
    std::int64_t id = 0;
    PriceOffer offer;
};

std::optional<std::int64_t> upfrontOf(const PriceOffer &o)
{
    return o.upfront ? std::optional(o.upfront->nanos()) : std::nullopt;
}

std::string joinedParts(const PriceOffer &o, std::initializer_list<std::optional<std::int64_t>> numbers)
{
    std::string key;
    for (const std::string *part : offerTexts(o))
        key += *part + '\x1f';
    for (const std::optional<std::int64_t> &number : numbers)
        key += (number ? std::to_string(*number) : "") + '\x1f';
    return key + std::string(o.perHour.currency().code());
}

std::string offerKey(const PriceOffer &o)
{
    return joinedParts(o, {o.microGpus, o.perHour.nanos(), o.termMonths, upfrontOf(o)});
}

// The offer at any price.
std::string offerName(const PriceOffer &o)
{
    return joinedParts(o, {o.microGpus, o.termMonths});
}

std::optional<std::int64_t> dayNumber(const std::optional<base::Day> &day)
{
    return day ? std::optional<std::int64_t>(day->number) : std::nullopt;
}

// Its row, which is created if there is none.
Result<ListRow> listRow(Database &db, const std::string &list, base::UtcTime now)
{
    Statement put = db.statement("INSERT INTO price_list (name, tried_at, tag, problem) VALUES (?1, ?2, '', '')"
                                 " ON CONFLICT (name) DO UPDATE SET tried_at = excluded.tried_at");
    GPULEDGER_TRY(put.bind(1, list).bind(2, base::toUnix(now)).run());
    ListRow row;
    Statement s = db.statement("SELECT id, newest, read_at FROM price_list WHERE name = ?1");
    GPULEDGER_TRY(s.bind(1, list).each([&] {
        row.id = s.integer(0);
        row.newest = s.optionalInteger(1);
        if (const auto read = s.optionalInteger(2))
            row.readAt = base::fromUnix(*read);
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

// `ended`: when it was at another price; empty: it is the current one.
Result<void> insertPrice(Database &db, std::int64_t list, const PriceOffer &o, std::int64_t at,
                         std::optional<std::int64_t> ended = std::nullopt)
{
    static const std::string kSql = std::string("INSERT INTO price_quote (") + kOfferColumns
        + ", list, first_seen, last_seen, ended_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
          " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?21)";
    Statement s = db.statement(kSql);
    int column = 0;
    for (const std::string *part : offerTexts(o))
        s.bind(++column, *part);
    s.bind(9, o.microGpus).bind(10, o.perHour.nanos()).bind(11, std::string(o.perHour.currency().code()));
    s.bind(12, o.termMonths).bind(13, upfrontOf(o));
    s.bind(14, o.gpuModel).bind(15, o.memoryMib).bind(16, o.milliTflops).bind(17, dayNumber(o.seen));
    return s.bind(18, std::int64_t{o.contracted}).bind(19, list).bind(20, at).bind(21, ended).run();
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

// The steps of one offer, each of which changed its price; ascending, none before the last reading or after `at`.
using OfferSteps = std::vector<std::pair<std::int64_t, const PriceStep *>>;

std::map<std::string, OfferSteps> stepsByOffer(const std::vector<PriceStep> &steps, const ListRow &list,
                                               std::int64_t at)
{
    std::vector<const PriceStep *> sorted;
    for (const PriceStep &step : steps) {
        if (base::toUnix(step.from) <= at)
            sorted.push_back(&step);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto *a, const auto *b) { return a->from < b->from; });
    std::map<std::string, OfferSteps> all;
    for (const PriceStep *step : sorted) {
        OfferSteps &own = all[offerName(step->offer)];
        const std::int64_t from = std::max(base::toUnix(step->from), list.newest.value_or(base::toUnix(step->from)));
        if (!own.empty() && own.back().first == from) // what was before the last reading
            own.pop_back();
        if (own.empty() || offerKey(own.back().second->offer) != offerKey(step->offer))
            own.emplace_back(from, step);
    }
    return all;
}

// Stores the steps before the offers of the reading, as if the list had been read at each of them. Returns how many
// prices were added.
Result<std::size_t> putSteps(Database &db, const ListRow &list, const std::vector<PriceOffer> &offers,
                             const std::vector<PriceStep> &steps, std::int64_t at)
{
    if (steps.empty())
        return std::size_t{0};
    const auto open = openPrices(db, list.id);
    GPULEDGER_TRY(open);
    std::map<std::string, const OpenPrice *> before;
    for (const auto &[key, price] : *open)
        before[offerName(price.offer)] = &price;
    std::set<std::string> current;
    for (const PriceOffer &offer : offers)
        current.insert(offerKey(offer));
    std::size_t added = 0;
    for (const auto &[name, own] : stepsByOffer(steps, list, at)) {
        std::size_t next = 0;
        if (const auto was = before.find(name); was != before.end()) {
            next = offerKey(was->second->offer) == offerKey(own.front().second->offer) ? 1 : 0;
            if (next < own.size())
                GPULEDGER_TRY(endPrice(db, was->second->id, own[next].first, own[next].first));
        }
        for (; next < own.size(); ++next) {
            const PriceOffer &offer = own[next].second->offer;
            std::optional<std::int64_t> ended;
            if (next + 1 < own.size())
                ended = own[next + 1].first;
            else if (!current.contains(offerKey(offer)))
                ended = at;
            GPULEDGER_TRY(insertPrice(db, list.id, offer, own[next].first, ended));
            ++added;
        }
    }
    return added;
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
                                 const std::vector<PriceStep> &steps, const std::optional<std::string> &tag,
                                 base::UtcTime now, const std::optional<ReadBefore> &before)
{
    using Answer = std::pair<PriceChanges, bool>;
    const auto work = [&](Database &db) -> Result<Answer> {
        const auto row = listRow(db, list, now);
        GPULEDGER_TRY(row);
        if (row->wasReadSince(before))
            return Answer{PriceChanges{0, 0, 0, true}, false};
        const std::int64_t at = std::max(base::toUnix(now), row->newest.value_or(base::toUnix(now)));
        const auto stepped = putSteps(db, *row, offers, steps, at);
        GPULEDGER_TRY(stepped);
        bool isChanged = *stepped > 0;
        auto changes = putOffers(db, *row, offers, at, isChanged);
        GPULEDGER_TRY(changes);
        changes->added += *stepped;
        GPULEDGER_TRY(tag ? markRead(db, *row, now, tag) : markForgotten(db, *row, at));
        if (isChanged)
            GPULEDGER_TRY(store.nextGeneration());
        return Answer{*changes, true};
    };
    return durably<PriceChanges>(store, work, Counts::No);
}

// Lists that have prices now, apart from some.
Result<std::vector<std::string>> listsWithPrices(Connections &store, const std::set<std::string> &butNot)
{
    auto session = ReadSession::begin(store.readers);
    GPULEDGER_TRY(session);
    std::vector<std::string> names;
    Statement s = (*session)->database().statement("SELECT name FROM price_list AS l WHERE EXISTS (SELECT 1 FROM"
                                                   " price_quote WHERE list = l.id AND ended_at IS NULL)");
    GPULEDGER_TRY(s.each([&] {
        if (std::string name = s.text(0); !butNot.contains(name))
            names.push_back(std::move(name));
    }));
    return names;
}

} // namespace

Result<PriceChanges> PriceStore::put(const std::string &list, const std::vector<PriceOffer> &offers,
                                     const std::string &tag, base::UtcTime now, const std::optional<ReadBefore> &before,
                                     const std::vector<PriceStep> &steps)
{
    return storeOffers(m_store, list, offers, steps, tag, now, before);
}

Result<void> PriceStore::confirm(const std::string &list, base::UtcTime now, const std::optional<ReadBefore> &before)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const auto row = listRow(db, list, now);
        GPULEDGER_TRY(row);
        const bool isStillThat = row->readAt && !row->wasReadSince(before);
        if (isStillThat)
            GPULEDGER_TRY(markRead(db, *row, now, std::nullopt));
        return std::pair{true, isStillThat};
    };
    GPULEDGER_TRY(durably<bool>(m_store, work, Counts::No));
    return {};
}

Result<void> PriceStore::fail(const std::string &list, const std::string &problem, base::UtcTime now,
                              const std::optional<ReadBefore> &before)
{
    const auto work = [&](Database &db) -> Result<std::pair<bool, bool>> {
        const auto row = listRow(db, list, now);
        GPULEDGER_TRY(row);
        if (row->wasReadSince(before))
            return std::pair{true, false};
        Statement s = db.statement("UPDATE price_list SET problem = ?2 WHERE id = ?1");
        GPULEDGER_TRY(s.bind(1, row->id).bind(2, problem).run());
        return std::pair{true, true};
    };
    GPULEDGER_TRY(durably<bool>(m_store, work, Counts::No));
    return {};
}

Result<void> PriceStore::keepOnly(const std::set<std::string> &lists, base::UtcTime now)
{
    const auto others = listsWithPrices(m_store, lists);
    GPULEDGER_TRY(others);
    for (const std::string &name : *others)
        GPULEDGER_TRY(storeOffers(m_store, name, {}, {}, std::nullopt, now, std::nullopt));
    return {};
}

} // namespace gpuledger::store
