// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/pricequote.h"
#include "app/savings/prices/gpunames.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Prices of GPU machines from several sources side by side. Plain values; pure; any thread.
namespace gpuledger::savings {

using model::kMicroOfGpu;
using model::kPurchaseOptions;
using model::LeftOut;
using model::PriceQuote;
using model::purchaseFrom;
using model::PurchaseOption;
using model::QuoteInterruptions;
using model::QuoteList;
using model::toString;
using model::UpfrontPayment;
using model::upfrontPaymentFrom;

inline constexpr std::string_view kOwnBills = "own bills"; // the source of what was paid

// The capacity that is looked for; empty lists and empty values are everything.
struct QuoteFilter {
    std::string gpuModel; // the model, or one of which it is a variant
    std::optional<std::int64_t> gpus; // exactly so many in the machine
    std::vector<std::string> regions, providers; // any case
    std::vector<PurchaseOption> purchases;
    bool matches(const PriceQuote &quote) const;
};

// Drops the offers that do not match, counts those that are there twice, and sorts the rest: by currency, because
// amounts of different currencies have no order, then by the price of a GPU-hour, then by name.
void compareQuotes(QuoteList &list, const QuoteFilter &filter);

} // namespace gpuledger::savings
