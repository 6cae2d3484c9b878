// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/costchange.h"
#include "app/reports/statement/statement.h"

namespace gpuledger::reports {

// Checks that everything that documents add up or subtract from these figures fits: sums over any of the lines, teams
// and adjustments, and differences from the preceding month and the bill. Charges and credits each have to fit, so that
// the order of addition does not matter. Fails with Overflow. Pure.
[[nodiscard]] base::Result<void> checkRange(const CurrencyStatement &currency);
// The same for the inputs of a change's explanation, before it is computed.
[[nodiscard]] base::Result<void> checkRange(const std::vector<insight::CostGroup> &groups);

} // namespace gpuledger::reports
