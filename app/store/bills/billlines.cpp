// SPDX-License-Identifier: GPL-3.0-or-later
// The part of BillReader that recomputes a day from each bill line.
#include "app/store/bills/billreader.h"

#include "app/model/money/billdays.h"
#include "app/store/bills/billcolumns.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::store {

using base::Day;
using base::Result;

namespace {

constexpr std::int32_t kDaysAtOnce = 8;
// Consumed quantity, in millionths of its unit.
std::optional<std::int64_t> quantityOf(const std::string &text)
{
    const auto value = base::Decimal::parse(text);
    if (text.empty() || !value || std::abs(value->toDouble()) >= kMostQuantity)
        return std::nullopt;
    return std::llround(value->toDouble() * 1e6);
}

} // namespace

Result<void> BillReader::addLine(const Statement &line)
{
    const std::int64_t item = line.integer(0);
    const auto what = itemOf(item);
    GPULEDGER_TRY(what);
    model::BillLine like; // the fields that its days depend on
    like.category = (*what)->category;
    like.chargePeriod = {base::fromUnix(line.integer(1)), base::fromUnix(line.integer(2))};
    const model::Placement at = model::placementOf(like.chargePeriod, (*what)->billingPeriod.start);
    if (at.last < m_sharesFirst || m_sharesLast < at.first)
        return {};
    model::secondsPerDay(like.chargePeriod, at, m_seconds);
    const base::Currency currency = (*what)->billed.currency();
    const auto billed = base::Money(line.integer(3), currency).allocate(m_seconds);
    const auto effective = base::Money(line.integer(4), currency).allocate(m_seconds);
    GPULEDGER_TRY(billed);
    GPULEDGER_TRY(effective);
    const auto quantity = quantityOf(line.text(5));
    const auto consumed = base::allocateInteger(quantity.value_or(0), m_seconds);
    for (std::size_t i = 0; i < m_seconds.size(); ++i) {
        const Day day{at.first.number + static_cast<std::int32_t>(i)};
        if (day < m_sharesFirst || m_sharesLast < day)
            continue;
        LineShare &share = m_shares[{day, at.whole, item}];
        GPULEDGER_TRY(addAmount(share.billed, (*billed)[i].nanos()));
        GPULEDGER_TRY(addAmount(share.effective, (*effective)[i].nanos()));
        const bool fits = !__builtin_add_overflow(share.quantity, consumed[i], &share.quantity);
        share.quantityKnown = share.quantityKnown && quantity && fits;
        share.covers = share.covers || (!at.whole && model::coversDays(like));
        if (share.lines++ == 0) {
            share.file = line.integer(6);
            share.row = line.integer(7);
        }
    }
    return {};
}

Result<void> BillReader::readShares(Day first, Day last)
{
    m_shares.clear();
    m_sharesFirst = first;
    m_sharesLast = last;
    Statement s = m_db.statement(
        "SELECT l.item, l.charge_start, l.charge_end, l.billed, l.effective, l.consumed_quantity, l.file, l.row"
        " FROM bill_part p JOIN bill_line l ON l.id BETWEEN p.id << 32 AND p.id << 32 | 4294967295"
        " WHERE p.id IN (SELECT part FROM bill_sum WHERE day BETWEEN ?1 AND ?2) ORDER BY l.id");
    s.bind(1, std::int64_t{first.number}).bind(2, std::int64_t{last.number});
    const auto read = s.each([&] { return addLine(s); });
    if (!read)
        m_sharesLast = {m_sharesFirst.number - 1}; // nothing is known
    return read;
}

Result<std::string> BillReader::placeOf(std::int64_t item, const LineShare &share)
{
    const std::int64_t part = item >> kBillNumberBits;
    auto known = m_paths.find({part, share.file});
    if (known == m_paths.end()) {
        std::string path;
        Statement s = m_db.statement("SELECT f.path FROM bill_part p JOIN bill_file f ON f.delivery = p.delivery"
                                     " AND f.position = ?2 WHERE p.id = ?1");
        GPULEDGER_TRY(s.bind(1, part).bind(2, share.file).each([&] { path = s.text(0); }));
        known = m_paths.emplace(std::pair(part, share.file), std::move(path)).first;
    }
    return known->second + ':' + std::to_string(share.row);
}

Result<void> BillReader::onDayAnew(Day day, const BilledVisitor &visit)
{
    if (day < m_sharesFirst || m_sharesLast < day)
        GPULEDGER_TRY(readShares(day, {day.number + kDaysAtOnce - 1}));
    const auto end = m_shares.lower_bound({Day{day.number + 1}, false, std::numeric_limits<std::int64_t>::min()});
    for (auto it = m_shares.lower_bound({day, false, std::numeric_limits<std::int64_t>::min()}); it != end; ++it) {
        const LineShare &share = it->second;
        BilledItem item;
        item.id = std::get<2>(it->first);
        item.whole = std::get<1>(it->first);
        item.billed = share.billed;
        item.effective = share.effective;
        if (share.quantityKnown)
            item.quantity = share.quantity;
        item.covers = share.covers;
        item.lines = share.lines;
        const auto line = itemOf(item.id);
        GPULEDGER_TRY(line);
        item.line = *line;
        item.source = m_items.at(item.id).source;
        auto place = placeOf(item.id, share);
        GPULEDGER_TRY(place);
        item.place = std::move(*place);
        GPULEDGER_TRY(visit(item));
    }
    return {};
}

} // namespace gpuledger::store
