// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/prices/machineprice.h"

#include <limits>

namespace gpuledger::gcp {

using model::LeftOut;
using model::PurchaseOption;

namespace {

constexpr std::int64_t kHoursOfMonth = 730, kMilli = 1000;
__extension__ using Wide = __int128;

std::optional<std::int64_t> termOf(PurchaseOption purchase)
{
    if (purchase == PurchaseOption::OneYear)
        return 12;
    return purchase == PurchaseOption::ThreeYears ? std::optional<std::int64_t>(36) : std::nullopt;
}

struct PartsSum {
    std::int64_t nanos = 0; // of an hour
    std::optional<LeftOut> flaw;
};

// A rate is below 1e15 and a machine has less than 1e9 thousandths of a part: 128 bits are enough.
PartsSum sumOf(const CatalogSkus &skus, const std::vector<MachinePart> &parts, PurchaseOption purchase,
               const std::string &region)
{
    PartsSum out;
    Wide sum = 0; // nanos x kMilli x kHoursOfMonth
    for (const MachinePart &part : parts) {
        const auto rate = skus.rateOf(purchase, part, region);
        if (!rate)
            out.flaw = out.flaw.value_or(LeftOut::WithoutHost);
        else if (!rate->nanos || !part.takes(rate->unit))
            out.flaw = LeftOut::Unreadable;
        else
            sum += Wide(*rate->nanos) * part.milli * (rate->unit == SkuUnit::GibMonth ? 1 : kHoursOfMonth);
    }
    constexpr Wide kDivisor = Wide(kMilli) * kHoursOfMonth;
    const Wide nanos = (sum + kDivisor / 2) / kDivisor; // of positive amounts
    if (nanos > std::numeric_limits<std::int64_t>::max())
        out.flaw = LeftOut::Unreadable;
    else
        out.nanos = static_cast<std::int64_t>(nanos);
    return out;
}

} // namespace

void addMachinePrices(const CatalogSkus &skus, const std::string &type, const ports::KnownMachine &machine,
                      PurchaseOption purchase, model::QuoteList &out)
{
    const std::vector<MachinePart> parts = partsOf(type, machine, purchase);
    if (parts.empty()) {
        ++out.leftOut[LeftOut::NoPrice];
        return;
    }
    for (const std::string &region : skus.regionsOf(purchase, parts.front())) {
        const PartsSum sum = sumOf(skus, parts, purchase, region);
        if (sum.flaw) {
            ++out.leftOut[*sum.flaw];
            continue;
        }
        model::PriceQuote quote;
        quote.region = region;
        quote.machine = type;
        quote.gpuName = machine.gpuName;
        quote.microGpus = machine.microGpus;
        quote.purchase = purchase;
        quote.perHour = base::Money(sum.nanos, base::Currency::usd());
        quote.termMonths = termOf(purchase);
        if (quote.termMonths)
            quote.payment = model::UpfrontPayment::None;
        out.quotes.push_back(std::move(quote));
    }
}

} // namespace gpuledger::gcp
