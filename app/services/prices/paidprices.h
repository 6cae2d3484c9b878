// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/costview.h"
#include "app/savings/prices/pricelists.h"
#include "app/savings/spot/capacity/spotpublished.h"
#include "app/services/prices/billedcommitments.h"

#include <vector>

namespace gpuledger::services {

// Prices that come with the program. Immutable value.
struct PriceLists {
    ledger::GpuCatalog catalog;
    savings::KnownMachines known;
    savings::MachineSizes sizes;
    savings::QuoteList book;
};
// Reads the embedded files. Any thread. Fails with Parse.
[[nodiscard]] base::Result<PriceLists> priceLists();
// The embedded list of published interruptions and discounts of spot machines. Any thread. Fails with Parse.
[[nodiscard]] base::Result<std::vector<savings::PublishedSpot>> publishedSpot();

// What machines of each type cost per hour by the bills that were read: cost / machine time, for all accounts together.
// In the billed view, time under a commitment has no price of its own, because its fee is on another line; in the list
// view nothing was paid. `prices` gives the GPUs of a type. Pure. Fails with Overflow.
[[nodiscard]] base::Result<savings::QuoteList> paidPrices(const BilledCommitments &bills,
                                                          const ledger::PriceBook &prices,
                                                          const ledger::GpuCatalog &catalog, model::CostView view);

} // namespace gpuledger::services
