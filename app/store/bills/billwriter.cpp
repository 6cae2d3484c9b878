// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/bills/billwriter.h"

#include "app/model/money/billdays.h"
#include "app/store/bills/billcolumns.h"
#include "app/store/codecs/labeltext.h"
#include "app/store/sqlite/checksum.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuledger::store {

using base::fail;
using base::Result;
using model::BillLine;

namespace {

constexpr std::size_t kMostItemBytes = 32u << 20; // bytes of cached item keys; an evicted one is written again
constexpr std::size_t kMostTextBytes = 16u << 20;
constexpr std::size_t kMostDays = 100'000; // buffered day shares
constexpr std::size_t kMostSums = 100'000;
std::optional<std::int64_t> millionths(const model::Quantity &quantity)
{
    if (!quantity.amount)
        return std::nullopt;
    const double amount = quantity.amount->toDouble();
    return std::abs(amount) < kMostQuantity ? std::optional<std::int64_t>(std::llround(amount * 1e6)) : std::nullopt;
}

std::optional<std::int64_t> nanosOf(const std::optional<base::Money> &amount)
{
    return amount ? std::optional(amount->nanos()) : std::nullopt;
}

void appendToKey(std::string &key, std::string_view text)
{
    key += text;
    key += '\x1f';
}

void appendToKey(std::string &key, std::int64_t number)
{
    key.append(reinterpret_cast<const char *>(&number), sizeof number);
}

Statement &bindDecimal(Statement &s, int index, const std::optional<base::Decimal> &value)
{
    return value ? s.bind(index, value->toText()) : s.bind(index, std::optional<std::int64_t>());
}

std::string jsonOf(const std::vector<model::ExtraColumn> &columns, bool ofItem)
{
    model::Labels map;
    for (const model::ExtraColumn &column : columns) {
        if (isOfItem(column) == ofItem)
            map.emplace(column.name, column.value);
    }
    return map.empty() ? std::string() : toJsonText(map);
}

std::string joined(const std::vector<std::string> &texts)
{
    std::string all;
    for (const std::string &text : texts)
        all += (all.empty() ? "" : ",") + text;
    return all;
}

} // namespace

BillWriter::BillWriter(Database &database, std::string source)
    : m_db(database)
    , m_source(std::move(source))
    , m_names(std::make_unique<Names>(database))
{
}

Result<bool> BillWriter::knows(Database &database, const std::vector<std::string> &sha256)
{
    std::vector<std::string> sorted = sha256;
    std::sort(sorted.begin(), sorted.end());
    Statement s = database.statement("SELECT 1 FROM bill_delivery WHERE hashes = ?1");
    s.bind(1, joined(sorted));
    return s.step();
}

Result<std::vector<std::string>> BillWriter::pathsOf(Database &database, const std::vector<std::string> &sha256)
{
    std::vector<std::string> sorted = sha256, paths;
    std::sort(sorted.begin(), sorted.end());
    Statement s = database.statement("SELECT path FROM bill_file JOIN bill_delivery ON bill_delivery.id = delivery"
                                     " WHERE hashes = ?1 ORDER BY position");
    GPULEDGER_TRY(s.bind(1, joined(sorted)).each([&] { paths.push_back(s.text(0)); }));
    return paths;
}

std::int64_t BillWriter::chained(std::int64_t before, const BillLine &line)
{
    const std::array<std::int64_t, 4> words{base::toUnix(line.chargePeriod.start), base::toUnix(line.chargePeriod.end),
                                            line.billed.nanos(), line.effective.nanos()};
    return checksum({reinterpret_cast<const char *>(words.data()), sizeof words}, before);
}

Result<void> BillWriter::begin(const std::vector<ports::BillFile> &files, base::UtcTime now)
{
    Statement source = m_db.statement("INSERT INTO source (name) VALUES (?1) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(source.bind(1, m_source).run());
    Statement find = m_db.statement("SELECT id FROM source WHERE name = ?1");
    GPULEDGER_TRY(find.bind(1, m_source).each([&] { m_sourceId = find.integer(0); }));
    std::vector<std::string> hashes;
    for (const ports::BillFile &file : files)
        hashes.push_back(file.sha256);
    std::sort(hashes.begin(), hashes.end());
    Statement add = m_db.statement("INSERT INTO bill_delivery (source, hashes, imported_at) VALUES (?1, ?2, ?3)");
    GPULEDGER_TRY(add.bind(1, m_sourceId).bind(2, joined(hashes)).bind(3, base::toUnix(now)).run());
    m_delivery = m_db.lastInsertId();
    Statement file = m_db.statement("INSERT INTO bill_file (delivery, position, path, sha256, bytes)"
                                    " VALUES (?1, ?2, ?3, ?4, ?5)");
    for (std::size_t i = 0; i < files.size(); ++i) {
        file.bind(1, m_delivery).bind(2, static_cast<std::int64_t>(i)).bind(3, files[i].path);
        file.bind(4, files[i].sha256).bind(5, static_cast<std::int64_t>(files[i].bytes));
        GPULEDGER_TRY(file.run());
        m_paths.push_back(files[i].path);
    }
    return {};
}

Result<BillWriter::Part *> BillWriter::partOf(const model::BillKey &key)
{
    const auto [it, isNew] = m_parts.try_emplace(key);
    Part &part = it->second;
    if (!isNew)
        return &part;
    std::int64_t old = 0, delivery = 0;
    Statement find = m_db.statement("SELECT p.id, p.delivery, p.source, s.name FROM bill_part p"
                                    " JOIN source s ON s.id = p.source WHERE p.account = ?1 AND p.period_start = ?2");
    GPULEDGER_TRY(find.bind(1, key.billingAccountId).bind(2, base::toUnix(key.periodStart)).each([&] {
        if (find.integer(2) == m_sourceId) {
            old = find.integer(0);
            delivery = find.integer(1);
        } else {
            m_twice.emplace_back(key, find.text(3));
        }
    }));
    if (old != 0) {
        GPULEDGER_TRY(noteReplaced(key, old, delivery));
        auto digests = digestsOf(m_db, old);
        GPULEDGER_TRY(digests);
        part.before = std::move(*digests);
        GPULEDGER_TRY(removePart(old));
    }
    Statement add = m_db.statement("INSERT INTO bill_part (source, account, period_start, delivery, lines, checksum)"
                                   " VALUES (?1, ?2, ?3, ?4, 0, 0)");
    add.bind(1, m_sourceId).bind(2, key.billingAccountId).bind(3, base::toUnix(key.periodStart)).bind(4, m_delivery);
    GPULEDGER_TRY(add.run());
    part.id = m_db.lastInsertId();
    return &part;
}

Result<void> BillWriter::removePart(std::int64_t part)
{
    const std::int64_t first = part << kBillNumberBits, last = first | 0xFFFFFFFFLL;
    const auto days = daysOf(m_db, part);
    GPULEDGER_TRY(days);
    Statement day = m_db.statement("DELETE FROM bill_day WHERE day = ?1 AND item BETWEEN ?2 AND ?3");
    for (const base::Day one : *days)
        GPULEDGER_TRY(day.bind(1, std::int64_t{one.number}).bind(2, first).bind(3, last).run());
    Statement lines = m_db.statement("DELETE FROM bill_line WHERE id BETWEEN ?1 AND ?2");
    GPULEDGER_TRY(lines.bind(1, first).bind(2, last).run());
    Statement items = m_db.statement("DELETE FROM bill_item WHERE id BETWEEN ?1 AND ?2");
    GPULEDGER_TRY(items.bind(1, first).bind(2, last).run());
    Statement sums = m_db.statement("DELETE FROM bill_sum WHERE part = ?1");
    GPULEDGER_TRY(sums.bind(1, part).run());
    Statement row = m_db.statement("DELETE FROM bill_part WHERE id = ?1");
    return row.bind(1, part).run();
}

Result<void> BillWriter::accept(const ports::BillBatch &batch)
{
    const auto part = partOf(batch.key);
    if (!part)
        return fail(part.error());
    for (const BillLine &line : batch.lines)
        GPULEDGER_TRY(put(**part, line));
    return {};
}

Result<void> BillWriter::put(Part &part, const BillLine &line)
{
    const auto item = itemOf(part, line);
    if (!item)
        return fail(item.error());
    Statement s = m_db.statement("INSERT INTO bill_line (id, item, file, row, charge_start, charge_end, billed,"
                                 " effective, list, contracted, pricing_quantity, consumed_quantity,"
                                 " commitment_quantity, extra)"
                                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");
    s.bind(1, part.id << kBillNumberBits | part.lines).bind(2, *item).bind(3, std::int64_t{line.file});
    s.bind(4, static_cast<std::int64_t>(line.row));
    s.bind(5, base::toUnix(line.chargePeriod.start)).bind(6, base::toUnix(line.chargePeriod.end));
    s.bind(7, line.billed.nanos()).bind(8, line.effective.nanos());
    s.bind(9, nanosOf(line.list)).bind(10, nanosOf(line.contracted));
    bindDecimal(s, 11, line.pricingQuantity.amount);
    bindDecimal(s, 12, line.consumedQuantity.amount);
    bindDecimal(s, 13, line.commitment.quantity.amount);
    const std::string extra = jsonOf(line.extra, false);
    if (extra.empty())
        s.bind(14, std::optional<std::int64_t>());
    else
        s.bind(14, extra);
    GPULEDGER_TRY(s.run());
    ++part.lines;
    part.checksum = chained(part.checksum, line);
    return addDays(part, *item, line);
}

void BillWriter::makeItemKey(const Part &part, const BillLine &line)
{
    std::string &key = m_itemKey;
    key.clear();
    appendToKey(key, part.id);
    appendToKey(key, base::toUnix(line.billingPeriod.end));
    key += line.billed.currency().code();
    for (const int word :
         {static_cast<int>(line.category), static_cast<int>(line.chargeClass), static_cast<int>(line.frequency),
          static_cast<int>(line.pricing), static_cast<int>(line.commitment.category),
          static_cast<int>(line.commitment.status), static_cast<int>(line.capacityReservation)})
        key += static_cast<char>('0' + word);
    for (const auto &price : {line.product.listUnitPrice, line.product.contractedUnitPrice})
        appendToKey(key, price ? price->toText() : std::string());
    for (const BillTextColumn &column : kBillTexts)
        appendToKey(key, column.of(line));
    for (const model::Labels *labels : {&line.tags, &line.product.skuDetails}) {
        for (const auto &[name, value] : *labels) {
            appendToKey(key, name);
            appendToKey(key, value);
        }
        key += '\x1e';
    }
    for (const model::ExtraColumn &extra : line.extra) {
        if (isOfItem(extra)) {
            appendToKey(key, extra.name);
            appendToKey(key, extra.value);
        }
    }
}

Result<std::int64_t> BillWriter::itemOf(Part &part, const BillLine &line)
{
    makeItemKey(part, line);
    if (const auto known = m_items.find(std::string_view(m_itemKey)); known != m_items.end())
        return known->second;
    const std::int64_t id = part.id << kBillNumberBits | part.items;
    GPULEDGER_TRY(putItem(id, line));
    ++part.items;
    m_itemBytes += m_itemKey.size();
    if (m_itemBytes > kMostItemBytes) {
        m_items.clear();
        m_itemBytes = m_itemKey.size();
    }
    m_items.emplace(m_itemKey, id);
    return id;
}

Result<std::optional<std::int64_t>> BillWriter::textId(const std::string &text)
{
    m_textBytes += text.size();
    return m_names->text(text);
}

Result<void> BillWriter::putItem(std::int64_t id, const BillLine &line)
{
    Statement s = m_db.statement(
        "INSERT INTO bill_item (id, period_end, currency, category, charge_class, frequency, pricing,"
        " commitment_category, commitment_status, reservation_status, list_unit_price, contracted_unit_price,"
        " account_name, account_type, sub_account, sub_account_name, sub_account_type, invoice, invoice_issuer,"
        " pricing_currency, description, pricing_unit, consumed_unit, provider, publisher, service_category,"
        " service_subcategory, service, sku, sku_price, sku_meter, resource, resource_name, resource_type, region,"
        " region_name, zone, commitment, commitment_name, commitment_type, commitment_unit, reservation, tags,"
        " sku_details, extra)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,"
        " ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41, ?42, ?43,"
        " ?44, ?45)");
    s.bind(1, id).bind(2, base::toUnix(line.billingPeriod.end)).bind(3, std::string(line.billed.currency().code()));
    s.bind(4, static_cast<std::int64_t>(line.category)).bind(5, static_cast<std::int64_t>(line.chargeClass));
    s.bind(6, static_cast<std::int64_t>(line.frequency)).bind(7, static_cast<std::int64_t>(line.pricing));
    s.bind(8, static_cast<std::int64_t>(line.commitment.category));
    s.bind(9, static_cast<std::int64_t>(line.commitment.status));
    s.bind(10, static_cast<std::int64_t>(line.capacityReservation));
    bindDecimal(s, 11, line.product.listUnitPrice);
    bindDecimal(s, 12, line.product.contractedUnitPrice);
    if (m_textBytes > kMostTextBytes) {
        m_names = std::make_unique<Names>(m_db);
        m_textBytes = 0;
    }
    int column = 13;
    const auto bindText = [&](const std::string &text) -> Result<void> {
        const auto text_id = textId(text);
        if (!text_id)
            return fail(text_id.error());
        s.bind(column++, *text_id);
        return {};
    };
    for (const BillTextColumn &text : kBillTexts)
        GPULEDGER_TRY(bindText(text.of(line)));
    for (const model::Labels *labels : {&line.tags, &line.product.skuDetails})
        GPULEDGER_TRY(bindText(labels->empty() ? std::string() : toJsonText(*labels)));
    GPULEDGER_TRY(bindText(jsonOf(line.extra, true)));
    return s.run();
}

Result<void> BillWriter::addDays(const Part &part, std::int64_t item, const BillLine &line)
{
    const model::Placement at = model::placementOf(line.chargePeriod, line.billingPeriod.start);
    const auto quantity = millionths(line.consumedQuantity);
    const bool covers = !at.whole && model::coversDays(line);
    model::secondsPerDay(line.chargePeriod, at, m_seconds);
    const bool one = m_seconds.size() == 1;
    const auto split = [&](std::int64_t whole) {
        return one ? std::vector{whole} : base::allocateInteger(whole, m_seconds);
    };
    const auto billed = split(line.billed.nanos()), effective = split(line.effective.nanos()),
               consumed = split(quantity.value_or(0));
    for (std::size_t i = 0; i < m_seconds.size(); ++i) {
        const base::Day day{at.first.number + static_cast<std::int32_t>(i)};
        DayShare &share = m_days[{day.number, item, at.whole}];
        BillAmounts &sum = m_sums[{part.id, day.number, line.billed.currency()}];
        for (BillAmounts *to : {&share.amounts, &sum}) {
            GPULEDGER_TRY(addAmount(to->billed, billed[i]));
            GPULEDGER_TRY(addAmount(to->effective, effective[i]));
        }
        const bool fits = !__builtin_add_overflow(share.quantity, consumed[i], &share.quantity);
        share.quantityKnown = share.quantityKnown && quantity && fits;
        share.covers = share.covers || covers;
        ++share.lines;
    }
    return m_days.size() > kMostDays || m_sums.size() > kMostSums ? flushDays() : Result<void>();
}

Result<void> BillWriter::flushDays()
{
    Statement day =
        m_db.statement("INSERT INTO bill_day (day, item, whole, billed, effective, quantity, covers, lines)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (day, item, whole) DO UPDATE SET"
                       " billed = billed + excluded.billed, effective = effective + excluded.effective,"
                       " quantity = CASE typeof(quantity + excluded.quantity) WHEN 'integer' THEN quantity + "
                       "excluded.quantity END," // SQLite turns a sum that does not fit into a floating-point number
                       " covers = max(covers, excluded.covers), lines = lines + excluded.lines");
    for (const auto &[key, share] : m_days) {
        const auto &[number, item, whole] = key;
        day.bind(1, std::int64_t{number}).bind(2, item).bind(3, std::int64_t{whole}).bind(4, share.amounts.billed);
        day.bind(5, share.amounts.effective);
        day.bind(6, share.quantityKnown ? std::optional(share.quantity) : std::nullopt);
        GPULEDGER_TRY(day.bind(7, std::int64_t{share.covers}).bind(8, share.lines).run());
    }
    m_days.clear();
    Statement sum =
        m_db.statement("INSERT INTO bill_sum (part, day, currency, billed, effective) VALUES (?1, ?2, ?3, ?4, ?5)"
                       " ON CONFLICT (part, day, currency) DO UPDATE SET"
                       " billed = billed + excluded.billed, effective = effective + excluded.effective");
    for (const auto &[key, amounts] : m_sums) {
        const auto &[part, number, currency] = key;
        sum.bind(1, part).bind(2, std::int64_t{number}).bind(3, std::string(currency.code()));
        GPULEDGER_TRY(sum.bind(4, amounts.billed).bind(5, amounts.effective).run());
    }
    m_sums.clear();
    return {};
}

Result<void> BillWriter::finish()
{
    GPULEDGER_TRY(flushDays());
    GPULEDGER_TRY(checkPeriods());
    Statement s = m_db.statement("UPDATE bill_part SET lines = ?2, checksum = ?3 WHERE id = ?1");
    for (const auto &[key, part] : m_parts)
        GPULEDGER_TRY(s.bind(1, part.id).bind(2, part.lines).bind(3, part.checksum).run());
    return findTouched();
}

Result<void> BillWriter::findTouched()
{
    for (const auto &[key, part] : m_parts) {
        if (part.before.empty()) {
            auto days = daysOf(m_db, part.id);
            GPULEDGER_TRY(days);
            m_touched.merge(*days);
            continue;
        }
        const auto now = digestsOf(m_db, part.id);
        GPULEDGER_TRY(now);
        m_touched.merge(changedDays(part.before, *now));
    }
    return {};
}

} // namespace gpuledger::store
