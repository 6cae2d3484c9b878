// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ledger/prices/pricebook.h"
#include "app/model/money/costterms.h"
#include "app/store/facts/factreader.h"

#include <vector>

namespace gpuledger::ledger {

// A machine's bill is looked up on its newest days with usage, at most this many days before the instant.
inline constexpr int kBilledDays = 3, kBillLookbackDays = 45;

// Determines the terms on which devices are paid for; the first that applies wins:
//   1. never: the machine has the labels of an owned one (prices.owned);
//   2. at a date: a bill line names the machine by its id and was paid for by a commitment or reservation, even if only
//      for part of the time, so that avoidable cost is never overstated;
//   3. now: the machine belongs to a cloud, or it has a price that is not an estimate;
//   4. unknown.
// A device without a price gets terms too, although the caller has no amount for it. Fails with Storage… codes.
[[nodiscard]] base::Result<model::CostTerms> costTermsOf(store::FactReader &facts, const PriceBook &prices,
                                                         const std::vector<model::OwnedMachine> &owned,
                                                         const std::vector<model::PlacedDevice> &placed,
                                                         base::UtcTime at);

} // namespace gpuledger::ledger
