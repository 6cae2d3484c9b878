// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/bills/billgrowth.h"

#include "app/model/money/ledgerline.h"
#include "app/store/sqlite/database.h"

#include <string>
#include <utility>

namespace gpuledger::store {

using base::Day;
using base::Result;

namespace {

// Statistics: a sum that does not fit is cut, so that it stops no import. What is billed has the prices of others
// beside it (priced, allocated), which are no cost.
constexpr char kAmountsOfDay[] =
    "SELECT k.currency, CAST(max(min(total(CASE k.origin WHEN ?3 THEN l.effective WHEN ?4 THEN l.allocated"
    " ELSE l.priced END), 9e18), -9e18) AS INTEGER)"
    " FROM ledger_line l JOIN ledger_key k ON k.id = l.key WHERE l.day = ?1 AND k.category = ?2 GROUP BY k.currency";

Result<void> keepAmount(Database &database, Day day, const std::string &currency, std::int64_t amount, Day at)
{
    std::optional<std::int64_t> last;
    Statement find = database.statement("SELECT amount FROM bill_growth WHERE day = ?1 AND currency = ?2"
                                        " ORDER BY at_day DESC LIMIT 1");
    GPULEDGER_TRY(find.bind(1, std::int64_t{day.number}).bind(2, currency).each([&] { last = find.integer(0); }));
    if (last == amount)
        return {};
    Statement put = database.statement("INSERT INTO bill_growth (day, currency, at_day, amount)"
                                       " VALUES (?1, ?2, ?3, ?4)"
                                       " ON CONFLICT (day, currency, at_day) DO UPDATE SET amount = excluded.amount");
    put.bind(1, std::int64_t{day.number}).bind(2, currency).bind(3, std::int64_t{at.number});
    return put.bind(4, amount).run();
}

} // namespace

Result<void> keepGrowth(Database &database, const std::set<Day> &days, base::UtcTime now)
{
    const Day today = base::dayOf(now);
    Statement ahead = database.statement("DELETE FROM bill_growth WHERE at_day > ?1");
    GPULEDGER_TRY(ahead.bind(1, std::int64_t{today.number}).run());
    for (const Day day : days) {
        if (today < day)
            break;
        std::vector<std::pair<std::string, std::int64_t>> amounts;
        Statement sums = database.statement(kAmountsOfDay);
        sums.bind(1, std::int64_t{day.number}).bind(2, static_cast<std::int64_t>(model::LedgerCategory::Gpu));
        sums.bind(3, static_cast<std::int64_t>(model::LedgerOrigin::Billed));
        sums.bind(4, static_cast<std::int64_t>(model::LedgerOrigin::Allocated));
        GPULEDGER_TRY(sums.each([&] { amounts.emplace_back(sums.text(0), sums.integer(1)); }));
        for (const auto &[currency, amount] : amounts)
            GPULEDGER_TRY(keepAmount(database, day, currency, amount, today));
    }
    Statement old = database.statement("DELETE FROM bill_growth WHERE day < (SELECT max(day) FROM bill_growth) - ?1");
    return old.bind(1, std::int64_t{kGrowthKeptDays}).run();
}

Result<BillGrowth> readGrowth(Database &database)
{
    BillGrowth out;
    Statement last = database.statement("SELECT max(imported_at) FROM bill_delivery");
    GPULEDGER_TRY(last.each([&] {
        if (const auto at = last.optionalInteger(0))
            out.imported = base::dayOf(base::fromUnix(*at));
    }));
    Statement rows =
        database.statement("SELECT day, currency, at_day, amount FROM bill_growth ORDER BY day, currency, at_day");
    GPULEDGER_TRY(rows.each([&] {
        const auto currency = base::Currency::parse(rows.text(1));
        if (!currency)
            return;
        const Day day{static_cast<std::int32_t>(rows.integer(0))};
        if (out.days.empty() || out.days.back().day != day || out.days.back().currency != *currency)
            out.days.push_back({day, *currency, {}});
        out.days.back().known.push_back({Day{static_cast<std::int32_t>(rows.integer(2))}, rows.integer(3)});
    }));
    return out;
}

} // namespace gpuledger::store
