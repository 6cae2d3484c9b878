// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/ledger/pricebook.h"
#include "app/model/costterms.h"
#include "app/store/facts/factreader.h"

#include <vector>

namespace gpuledger::ledger {

// A machine's bill is looked up on its newest days with usage, within so many days before the instant.
inline constexpr int kBilledDays = 3, kBillLookbackDays = 45;

// On what terms devices are paid for, the first that holds:
//   1. never: their machine has the labels of an owned one (prices.owned);
//   2. at a date: a line of a bill names the machine by its id and was paid for by a commitment or reservation, if only
//      for a part of the time. So avoidable cost is never told too high;
//   3. now: its machine is of a cloud, or it has a price that is no estimate;
//   4. unknown.
// A device without a price is told all the same: who asks has no amount for it.
// Fails with Storage… codes.
[[nodiscard]] base::Result<model::CostTerms> costTermsOf(store::FactReader &facts, const PriceBook &prices,
                                                         const std::vector<model::OwnedMachine> &owned,
                                                         const std::vector<model::PlacedDevice> &placed,
                                                         base::UtcTime at);

} // namespace gpuledger::ledger
