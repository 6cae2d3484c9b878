// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/costs/costsettings.h"

#include <set>
#include <vector>

namespace gpuledger::azure {

// Makes the rows of days from both views: the usage of machines by meter, everything else by service, and what the
// groups lack as CostPart::Rest. The rows of a day and currency add up to its total, exactly, in either view.
// `tags`: cells by resource and tag, empty without a tag; a resource with two values on a day has none. Ascending by
// day. Fails with Overflow.
[[nodiscard]] base::Result<std::vector<CostRow>> combine(const CostAnswers &billed, const CostAnswers &effective,
                                                         const CostCells &tags, const CostSettings &settings);

// The days of `total` that cost something and that `grouped` has nothing of: Azure may leave days out of a long answer.
std::set<base::Day> missingDays(const CostCells &total, const CostCells &grouped);

} // namespace gpuledger::azure
