// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/prices/pricequote.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::savings {

using base::Money;

namespace {

bool namedIn(const std::vector<std::string> &names, const std::string &name)
{
    const std::string lowered = loweredName(name);
    return names.empty()
        || std::any_of(names.begin(), names.end(), [&](const std::string &one) { return loweredName(one) == lowered; });
}

// Everything but which list has it and when it was seen. What was paid is not an offer, even at the same price.
auto offerOf(const PriceQuote &q)
{
    const std::string &model = q.gpu.model.empty() ? q.gpuName : q.gpu.model;
    return std::tuple(q.perHour.currency(), perGpuHour(q).value_or(Money()).nanos(), std::tie(q.provider, q.machine),
                      std::tie(model, q.microGpus, q.region, q.zone), q.purchase, q.perHour.nanos(), q.gpu.memoryMib,
                      q.source == kOwnBills, std::tuple(q.termMonths, q.payment, q.upfront.value_or(Money()).nanos()));
}

} // namespace

bool QuoteFilter::matches(const PriceQuote &quote) const
{
    if (!isVariantOf(quote.gpuName, gpuModel) && (quote.gpu.model.empty() || !isVariantOf(quote.gpu.model, gpuModel)))
        return false;
    if (gpus && quote.microGpus != *gpus * kMicroOfGpu)
        return false;
    if (!purchases.empty() && std::find(purchases.begin(), purchases.end(), quote.purchase) == purchases.end())
        return false;
    return namedIn(regions, quote.region) && namedIn(providers, quote.provider);
}

void compareQuotes(QuoteList &list, const QuoteFilter &filter)
{
    std::erase_if(list.quotes, [&](const PriceQuote &quote) { return !filter.matches(quote); });
    // Of two that are the same, the one that was seen last stays.
    std::stable_sort(list.quotes.begin(), list.quotes.end(), [](const PriceQuote &a, const PriceQuote &b) {
        const auto first = offerOf(a), second = offerOf(b);
        return first != second ? first < second : a.seen > b.seen;
    });
    const auto last = std::unique(list.quotes.begin(), list.quotes.end(),
                                  [](const PriceQuote &a, const PriceQuote &b) { return offerOf(a) == offerOf(b); });
    const auto twice = static_cast<std::size_t>(list.quotes.end() - last);
    if (twice > 0)
        list.leftOut[LeftOut::Twice] += twice;
    list.quotes.erase(last, list.quotes.end());
}

} // namespace gpuledger::savings
