// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ports/billtally.h"

#include <algorithm>

namespace gpuledger::ports {

namespace {

using base::Decimal;
using base::Result;

BillSum &sumOf(BillTally &tally, base::Currency currency)
{
    const auto at = std::lower_bound(tally.sums.begin(), tally.sums.end(), currency,
                                     [](const BillSum &sum, base::Currency c) { return sum.currency < c; });
    if (at != tally.sums.end() && at->currency == currency)
        return *at;
    BillSum sum;
    sum.currency = currency;
    return *tally.sums.insert(at, sum);
}

// Leaves room below the largest decimal for accepted lines, which amount to far less.
Decimal largestSum()
{
    static const Decimal kLargest = Decimal::parse("9e19").value_or(Decimal());
    return kLargest;
}

Result<void> addAmount(const std::optional<Decimal> &amount, base::Currency currency, Decimal &exact, Decimal &kept,
                       std::uint64_t &unknown)
{
    if (!amount || currency == base::Currency()) {
        ++unknown;
        return {};
    }
    const auto sum = exact.plus(*amount);
    // For lines that were rejected because they are far too large; an unrepresentable sum must not cause the file to be
    // rejected.
    if (!sum || *sum > largestSum() || Decimal().minus(*sum).value_or(Decimal()) > largestSum()) {
        ++unknown;
        return {};
    }
    exact = *sum;
    const auto money = amount->toMoney(currency);
    if (!money) // too large to be stored: the line is rejected for it
        return {};
    const auto keptSum = kept.plus(Decimal::of(*money));
    GPULEDGER_TRY(keptSum);
    kept = *keptSum;
    return {};
}

} // namespace

Result<void> add(BillTally &tally, const BillTally &more)
{
    tally.lines += more.lines;
    for (const BillSum &from : more.sums) {
        BillSum &to = sumOf(tally, from.currency);
        to.lines += from.lines;
        to.unknownBilled += from.unknownBilled;
        to.unknownEffective += from.unknownEffective;
        for (Decimal BillSum::*amount :
             {&BillSum::billed, &BillSum::effective, &BillSum::billedKept, &BillSum::effectiveKept}) {
            const auto sum = (to.*amount).plus(from.*amount);
            GPULEDGER_TRY(sum);
            to.*amount = *sum;
        }
    }
    return {};
}

Result<void> add(BillTally &tally, const RowMoney &money)
{
    ++tally.lines;
    BillSum &sum = sumOf(tally, money.currency);
    ++sum.lines;
    GPULEDGER_TRY(addAmount(money.billed, money.currency, sum.billed, sum.billedKept, sum.unknownBilled));
    return addAmount(money.effective, money.currency, sum.effective, sum.effectiveKept, sum.unknownEffective);
}

} // namespace gpuledger::ports
