// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/prices/pricerows.h"
#include "app/store/prices/pricestore.h"
#include "app/store/sqlite/connections.h"

#include <nlohmann/json.hpp>

namespace gpuledger::store {

using base::Result;

namespace {

using TextArray = std::optional<std::string>; // JSON; empty: everything

constexpr char kFromQuotes[] = ", name, first_seen, coalesce(last_seen, newest), ended_at FROM price_quote AS q"
                               " JOIN price_list AS l ON l.id = q.list WHERE ";
constexpr char kIsAsked[] = "(?1 IS NULL OR lower(provider) IN (SELECT lower(value) FROM json_each(?1)))"
                            " AND (?2 IS NULL OR lower(region) IN (SELECT lower(value) FROM json_each(?2)))"
                            " AND (?3 IS NULL OR purchase IN (SELECT value FROM json_each(?3)))"
                            " AND (?4 IS NULL OR micro_gpus = ?4)"
                            " AND (?5 IS NULL OR (first_seen < ?6 AND (ended_at IS NULL OR ended_at > ?5)))";
constexpr char kInOrder[] = " ORDER BY name, q.id";

TextArray arrayOf(const std::vector<std::string> &texts)
{
    if (texts.empty())
        return std::nullopt;
    return nlohmann::json(texts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<StoredPrice> storedPriceIn(const Statement &s)
{
    auto offer = offerIn(s);
    GPULEDGER_TRY(offer);
    StoredPrice one;
    one.offer = std::move(*offer);
    one.list = s.text(kOfferColumnCount);
    one.firstSeen = base::fromUnix(s.integer(kOfferColumnCount + 1));
    one.lastSeen = base::fromUnix(s.integer(kOfferColumnCount + 2));
    if (const auto ended = s.optionalInteger(kOfferColumnCount + 3))
        one.endedAt = base::fromUnix(*ended);
    return one;
}

Result<std::vector<StoredPrice>> storedPricesIn(Statement &s)
{
    std::vector<StoredPrice> all;
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        auto one = storedPriceIn(s);
        GPULEDGER_TRY(one);
        all.push_back(std::move(*one));
        return {};
    }));
    return all;
}

// The names of the GPUs that are asked for, with any model.
Result<TextArray> wantedGpus(Database &db, const PriceQuestion &question)
{
    if (!question.wantsGpu)
        return TextArray();
    nlohmann::json names = nlohmann::json::array();
    Statement s = db.statement("SELECT DISTINCT gpu, gpu_model FROM price_quote");
    GPULEDGER_TRY(s.each([&] {
        if (const std::string gpu = s.text(0); question.wantsGpu(gpu, s.text(1)))
            names.push_back(gpu);
    }));
    return TextArray(names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void bindArray(Statement &s, int index, const TextArray &array)
{
    if (array)
        s.bind(index, *array);
    else
        s.bind(index, std::optional<std::int64_t>());
}

} // namespace

Result<PriceOffer> offerIn(const Statement &s)
{
    PriceOffer o;
    int column = 0;
    for (std::string *part : offerTexts(o))
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

Result<std::vector<PriceListState>> PriceStore::lists()
{
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    std::vector<PriceListState> all;
    Statement s = (*session)->database().statement("SELECT name, tried_at, read_at, tag, problem, newest"
                                                   " FROM price_list ORDER BY name");
    GPULEDGER_TRY(s.each([&] {
        PriceListState one;
        one.name = s.text(0);
        one.triedAt = base::fromUnix(s.integer(1));
        if (const auto read = s.optionalInteger(2))
            one.readAt = base::fromUnix(*read);
        one.tag = s.text(3);
        one.problem = s.text(4);
        if (const auto newest = s.optionalInteger(5))
            one.newest = base::fromUnix(*newest);
        all.push_back(std::move(one));
    }));
    return all;
}

Result<std::vector<StoredPrice>> PriceStore::current()
{
    static const std::string kSql =
        std::string("SELECT ") + kOfferColumns + kFromQuotes + "ended_at IS NULL" + kInOrder;
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Statement s = (*session)->database().statement(kSql);
    return storedPricesIn(s);
}

Result<std::vector<StoredPrice>> PriceStore::history(const PriceQuestion &question)
{
    // Two statements, so that the index on the GPU is used.
    static const std::string kAnyGpu = std::string("SELECT ") + kOfferColumns + kFromQuotes + kIsAsked + kInOrder;
    static const std::string kSomeGpus = std::string("SELECT ") + kOfferColumns + kFromQuotes
        + "gpu IN (SELECT value FROM json_each(?7)) AND " + kIsAsked + kInOrder;
    auto session = ReadSession::begin(m_store.readers);
    GPULEDGER_TRY(session);
    Database &db = (*session)->database();
    const auto gpus = wantedGpus(db, question);
    GPULEDGER_TRY(gpus);
    Statement s = db.statement(*gpus ? std::string_view(kSomeGpus) : std::string_view(kAnyGpu));
    bindArray(s, 1, arrayOf(question.providers));
    bindArray(s, 2, arrayOf(question.regions));
    bindArray(s, 3, arrayOf(question.purchases));
    s.bind(4, question.microGpus);
    const auto &range = question.range;
    s.bind(5, range ? std::optional(base::toUnix(range->start)) : std::nullopt);
    s.bind(6, range ? std::optional(base::toUnix(range->end)) : std::nullopt);
    if (*gpus)
        s.bind(7, **gpus);
    return storedPricesIn(s);
}

} // namespace gpuledger::store
