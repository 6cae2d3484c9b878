// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/coreweave/keptcounts.h"
#include "connectors/coreweave/ratecard.h"
#include "connectors/format/monthlybill.h"

#include <set>
#include <string>
#include <vector>

namespace gpuledger::coreweave {

// What a month costs by what was counted in it. Value type.
struct Estimate {
    std::vector<model::BillLine> lines; // one for each kind of node and day
    std::set<std::string> unpriced; // types that ran on a day without a price
    base::Seconds missing{}; // nothing was counted
};

// Amount = price per hour x time of nodes, rounded once to 1e-9, half up. Fails with Overflow.
[[nodiscard]] base::Result<Estimate> estimateOf(const format::AskedMonth &asked, const MonthCounts &counts,
                                                const RateCard &rates);

} // namespace gpuledger::coreweave
