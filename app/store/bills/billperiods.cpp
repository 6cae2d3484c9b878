// SPDX-License-Identifier: GPL-3.0-or-later
// The part of BillWriter that sums what was stored before: what a delivery replaces, and the resulting total of a
// billing period.
#include "app/base/money/widemoney.h"
#include "app/base/remedy.h"
#include "app/store/bills/billcolumns.h"
#include "app/store/bills/billwriter.h"

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

struct WideAmounts {
    base::WideMoney billed, effective;

    void add(std::int64_t moreBilled, std::int64_t moreEffective)
    {
        billed.add(moreBilled);
        effective.add(moreEffective);
    }
};

base::Error tooMuch(base::UtcTime period, base::Currency currency, const base::WideMoney::Excess &excess,
                    const char *column)
{
    const std::string code(currency.code());
    return base::Error::make(ErrorCode::Overflow,
                             std::string("with it, the ") + excess.what + " of all bills for the billing period of "
                                 + base::toRfc3339(period).substr(0, 10) + " add up to " + excess.amount + ' ' + code
                                 + " in " + column + ", and a period can't exceed " + base::WideMoney::limitText() + ' '
                                 + code + "; none of it was imported",
                             base::Remedy::CheckBillAmounts);
}

} // namespace

Result<std::vector<std::string>> BillWriter::filesOf(std::int64_t delivery)
{
    std::vector<std::string> paths;
    Statement s = m_db.statement("SELECT path FROM bill_file WHERE delivery = ?1 ORDER BY position");
    GPULEDGER_TRY(s.bind(1, delivery).each([&] { paths.push_back(s.text(0)); }));
    return paths;
}

Result<BillTotals> BillWriter::totalsOf(std::int64_t part)
{
    std::map<base::Currency, WideAmounts> sums;
    Statement s = m_db.statement("SELECT currency, billed, effective FROM bill_sum WHERE part = ?1");
    GPULEDGER_TRY(s.bind(1, part).each([&] { sums[currencyOf(s.text(0))].add(s.integer(1), s.integer(2)); }));
    BillTotals totals;
    for (const auto &[currency, sum] : sums) {
        const auto billed = sum.billed.total(), effective = sum.effective.total();
        if (billed && effective)
            totals[currency] = {*billed, *effective};
    }
    return totals;
}

Result<void> BillWriter::noteReplaced(const model::BillKey &key, std::int64_t part, std::int64_t delivery)
{
    auto before = filesOf(delivery);
    if (!before)
        return fail(std::move(before).error());
    if (*before == m_paths)
        return {};
    auto amounts = totalsOf(part);
    GPULEDGER_TRY(amounts);
    ReplacedBill replaced{key, std::move(*before), m_paths, 0, std::move(*amounts), {}};
    Statement lines = m_db.statement("SELECT lines FROM bill_part WHERE id = ?1");
    GPULEDGER_TRY(lines.bind(1, part).each([&] { replaced.lines = lines.integer(0); }));
    m_replaced.push_back(std::move(replaced));
    return {};
}

// Every sum over a billing period has to fit: an excessive total is rejected here, while it is still known which file
// causes it.
Result<void> BillWriter::checkPeriods()
{
    std::set<base::UtcTime> periods;
    for (const auto &[key, part] : m_parts)
        periods.insert(key.periodStart);
    Statement s = m_db.statement("SELECT b.currency, b.billed, b.effective FROM bill_part p"
                                 " JOIN bill_sum b ON b.part = p.id WHERE p.period_start = ?1");
    for (const base::UtcTime period : periods) {
        std::map<base::Currency, WideAmounts> sums;
        GPULEDGER_TRY(
            s.bind(1, base::toUnix(period)).each([&] { sums[currencyOf(s.text(0))].add(s.integer(1), s.integer(2)); }));
        for (const auto &[currency, sum] : sums) {
            for (const auto &[cost, what] : {std::pair(&sum.billed, "BilledCost"), {&sum.effective, "EffectiveCost"}}) {
                if (const auto excess = cost->excess())
                    return fail(tooMuch(period, currency, *excess, what));
            }
        }
    }
    return {};
}

} // namespace gpuledger::store
