// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/ports/textfetch.h"
#include "app/savings/prices/pricequote.h"

#include <cstdint>
#include <functional>
#include <stop_token>

namespace gpuledger::services {

struct PriceLists;

struct RetailPrices {
    savings::QuoteList quotes;
    std::uint64_t bytes = 0; // received
};

using FetchText =
    std::function<base::Result<ports::FetchedText>(const ports::TextRequest &request, const std::stop_token &stop)>;

// Asks Azure for its retail prices in the regions of the list, page by page: all of them, or none. A server that fails
// for the moment is asked twice more, `pause` later. Blocks. Fails with InvalidArgument (what it sent is no price list,
// or leads to another server), TooMuch (above 200 pages of one region), Cancelled, and like `fetch`.
[[nodiscard]] base::Result<RetailPrices> fetchRetailPrices(const model::PriceList &list, const PriceLists &known,
                                                           base::Day today, const FetchText &fetch, base::Seconds pause,
                                                           const std::stop_token &stop);

} // namespace gpuledger::services
