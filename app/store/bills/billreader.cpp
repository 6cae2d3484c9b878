// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/bills/billreader.h"

#include "app/model/money/billdays.h"
#include "app/store/bills/billcolumns.h"
#include "app/store/bills/billwriter.h"
#include "app/store/codecs/labeltext.h"

#include <algorithm>

namespace gpuledger::store {

using base::Day;
using base::fail;
using base::Result;
using model::BillLine;

namespace {

// Number of items and texts that are cached; the next day has the same ones.
constexpr std::size_t kMostItems = 20'000;
constexpr std::size_t kMostTexts = 50'000;

std::optional<base::Decimal> decimalAt(const Statement &s, int column)
{
    const std::string text = s.text(column);
    if (text.empty())
        return std::nullopt;
    const auto value = base::Decimal::parse(text);
    return value ? std::optional(*value) : std::nullopt;
}

template <typename Word> Word wordAt(const Statement &s, int column)
{
    return static_cast<Word>(s.integer(column));
}

} // namespace

Result<const std::string *> BillReader::textOf(std::optional<std::int64_t> id)
{
    static const std::string kNone;
    if (!id)
        return &kNone;
    if (const auto known = m_texts.find(*id); known != m_texts.end())
        return &known->second;
    std::string text;
    Statement s = m_db.statement("SELECT value FROM text WHERE id = ?1");
    GPULEDGER_TRY(s.bind(1, *id).each([&] { text = s.text(0); }));
    return &m_texts.emplace(*id, std::move(text)).first->second;
}

Result<const BillLine *> BillReader::itemOf(std::int64_t id)
{
    if (const auto known = m_items.find(id); known != m_items.end())
        return &known->second.line;
    if (m_items.size() >= kMostItems)
        m_items.clear();
    if (m_texts.size() >= kMostTexts)
        m_texts.clear();
    Item &item = m_items[id];
    BillLine &line = item.line;
    Statement s = m_db.statement(
        "SELECT p.account, p.period_start, n.name, i.period_end, i.currency, i.category, i.charge_class, i.frequency,"
        " i.pricing, i.commitment_category, i.commitment_status, i.reservation_status, i.list_unit_price,"
        " i.contracted_unit_price, i.account_name, i.account_type, i.sub_account, i.sub_account_name,"
        " i.sub_account_type, i.invoice, i.invoice_issuer, i.pricing_currency, i.description, i.pricing_unit,"
        " i.consumed_unit, i.provider, i.publisher, i.service_category, i.service_subcategory, i.service, i.sku,"
        " i.sku_price, i.sku_meter, i.resource, i.resource_name, i.resource_type, i.region, i.region_name, i.zone,"
        " i.commitment, i.commitment_name, i.commitment_type, i.commitment_unit, i.reservation, i.tags,"
        " i.sku_details, i.extra"
        " FROM bill_item i JOIN bill_part p ON p.id = i.id >> 32 JOIN source n ON n.id = p.source WHERE i.id = ?1");
    GPULEDGER_TRY(s.bind(1, id).each([&]() -> Result<void> {
        line.billingAccountId = s.text(0);
        line.billingPeriod = {base::fromUnix(s.integer(1)), base::fromUnix(s.integer(3))};
        item.source = s.text(2);
        line.billed = line.effective = base::Money(0, currencyOf(s.text(4)));
        line.category = wordAt<model::ChargeCategory>(s, 5);
        line.chargeClass = wordAt<model::ChargeClass>(s, 6);
        line.frequency = wordAt<model::ChargeFrequency>(s, 7);
        line.pricing = wordAt<model::PricingCategory>(s, 8);
        line.commitment.category = wordAt<model::CommitmentCategory>(s, 9);
        line.commitment.status = wordAt<model::UseStatus>(s, 10);
        line.capacityReservation = wordAt<model::UseStatus>(s, 11);
        line.product.listUnitPrice = decimalAt(s, 12);
        line.product.contractedUnitPrice = decimalAt(s, 13);
        int column = 14;
        const auto next = [&]() { return textOf(s.optionalInteger(column++)); };
        for (const BillTextColumn &text : kBillTexts) {
            const auto value = next();
            GPULEDGER_TRY(value);
            text.in(line) = **value;
        }
        for (model::Labels *labels : {&line.tags, &line.product.skuDetails}) {
            const auto value = next();
            GPULEDGER_TRY(value);
            *labels = fromJsonText<std::string>(**value);
        }
        const auto extra = next();
        GPULEDGER_TRY(extra);
        for (const auto &[name, value] : fromJsonText<std::string>(**extra))
            line.extra.push_back({name, value});
        return {};
    }));
    return &line;
}

Result<void> BillReader::onDay(Day day, const BilledVisitor &visit)
{
    Statement s = m_db.statement("SELECT item, whole, billed, effective, quantity, covers, lines FROM bill_day"
                                 " WHERE day = ?1 ORDER BY whole, item");
    return s.bind(1, std::int64_t{day.number}).each([&]() -> Result<void> {
        BilledItem item;
        item.id = s.integer(0);
        item.whole = s.integer(1) != 0;
        item.billed = s.integer(2);
        item.effective = s.integer(3);
        item.quantity = s.optionalInteger(4);
        item.covers = s.integer(5) != 0;
        item.lines = static_cast<std::uint64_t>(s.integer(6));
        const auto line = itemOf(item.id);
        GPULEDGER_TRY(line);
        item.line = *line;
        item.source = m_items.at(item.id).source;
        return visit(item);
    });
}

Result<std::vector<Day>> BillReader::days()
{
    std::vector<Day> all;
    Statement s = m_db.statement("SELECT DISTINCT day FROM bill_sum ORDER BY day");
    GPULEDGER_TRY(s.each([&] { all.push_back({static_cast<std::int32_t>(s.integer(0))}); }));
    return all;
}

Result<BillTotals> BillReader::kept(Day first, Day last)
{
    BillTotals totals;
    Statement s = m_db.statement("SELECT currency, billed, effective FROM bill_sum WHERE day BETWEEN ?1 AND ?2");
    s.bind(1, std::int64_t{first.number}).bind(2, std::int64_t{last.number});
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        BillAmounts &sum = totals[currencyOf(s.text(0))];
        GPULEDGER_TRY(addAmount(sum.billed, s.integer(1)));
        return addAmount(sum.effective, s.integer(2));
    }));
    return totals;
}

// By Money::allocate over all days of the line, independently of how the shares were written.
Result<BillReader::DayTotals> BillReader::recomputed(Day first, Day last)
{
    DayTotals totals;
    std::vector<std::int64_t> seconds;
    Statement s = m_db.statement(
        "SELECT l.charge_start, l.charge_end, l.billed, l.effective, i.currency, p.period_start FROM bill_part p"
        " JOIN bill_line l ON l.id BETWEEN p.id << 32 AND p.id << 32 | 4294967295 JOIN bill_item i ON i.id = l.item"
        " WHERE p.id IN (SELECT part FROM bill_sum WHERE day BETWEEN ?1 AND ?2)");
    s.bind(1, std::int64_t{first.number}).bind(2, std::int64_t{last.number});
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        const base::TimeRange charge{base::fromUnix(s.integer(0)), base::fromUnix(s.integer(1))};
        const base::Currency currency = currencyOf(s.text(4));
        const model::Placement at = model::placementOf(charge, base::fromUnix(s.integer(5)));
        if (at.last < first || last < at.first)
            return {};
        model::secondsPerDay(charge, at, seconds);
        const auto billed = base::Money(s.integer(2), currency).allocate(seconds);
        const auto effective = base::Money(s.integer(3), currency).allocate(seconds);
        GPULEDGER_TRY(billed);
        GPULEDGER_TRY(effective);
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            const Day day{at.first.number + static_cast<std::int32_t>(i)};
            if (day < first || last < day)
                continue;
            BillAmounts &sum = totals[day][currency];
            GPULEDGER_TRY(addAmount(sum.billed, (*billed)[i].nanos()));
            GPULEDGER_TRY(addAmount(sum.effective, (*effective)[i].nanos()));
        }
        return {};
    }));
    return totals;
}

Result<std::vector<EffectiveZero>> BillReader::effectiveZero(Day first, Day last)
{
    std::map<std::pair<base::Currency, std::string>, EffectiveZero> found;
    Statement s = m_db.statement(
        "SELECT i.currency, ifnull(t.value, ''), d.billed, d.lines FROM bill_day d JOIN bill_item i ON i.id = d.item"
        " LEFT JOIN text t ON t.id = i.provider"
        " WHERE d.day BETWEEN ?1 AND ?2 AND d.effective = 0 AND d.billed <> 0 AND i.category = 0"
        " AND i.commitment IS NULL");
    s.bind(1, std::int64_t{first.number}).bind(2, std::int64_t{last.number});
    GPULEDGER_TRY(s.each([&]() -> Result<void> {
        const base::Currency currency = currencyOf(s.text(0));
        EffectiveZero &one = found[{currency, s.text(1)}];
        one.currency = currency;
        one.provider = s.text(1);
        one.lines += static_cast<std::uint64_t>(s.integer(3));
        return addAmount(one.billed, s.integer(2));
    }));
    std::vector<EffectiveZero> all;
    for (auto &[key, one] : found)
        all.push_back(std::move(one));
    return all;
}

Result<void> BillReader::checkParts(const std::function<void(const std::string &)> &damaged)
{
    Statement lines = m_db.statement("SELECT charge_start, charge_end, billed, effective FROM bill_line"
                                     " WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    Statement parts = m_db.statement("SELECT id, account, period_start, lines, checksum FROM bill_part");
    return parts.each([&]() -> Result<void> {
        const std::int64_t first = parts.integer(0) << kBillNumberBits;
        std::int64_t count = 0, checksum = 0;
        BillLine line;
        GPULEDGER_TRY(lines.bind(1, first).bind(2, first | 0xFFFFFFFFLL).each([&] {
            line.chargePeriod = {base::fromUnix(lines.integer(0)), base::fromUnix(lines.integer(1))};
            line.billed = base::Money(lines.integer(2), {});
            line.effective = base::Money(lines.integer(3), {});
            checksum = BillWriter::chained(checksum, line);
            ++count;
        }));
        if (count != parts.integer(3) || checksum != parts.integer(4))
            damaged("account " + parts.text(1) + ", billing period of "
                    + base::toRfc3339(base::fromUnix(parts.integer(2))).substr(0, 10));
        return {};
    });
}

} // namespace gpuledger::store
