// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/costchange.h"
#include "app/reports/statement.h"

namespace gpuledger::reports {

// Whether all that documents add up or subtract of these figures fits: sums over any of the lines, teams and
// adjustments, and differences to the month before and to the bill. Charges and credits each have to, so that no order
// of adding matters. Fails with Overflow. Pure.
[[nodiscard]] base::Result<void> checkRange(const CurrencyStatement &currency);
// The same of what a change is explained by, before it is.
[[nodiscard]] base::Result<void> checkRange(const std::vector<insight::CostGroup> &groups);

} // namespace gpuledger::reports
