// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/importreport.h"

#include <optional>

namespace gpuledger::ports {

// The amounts of one row as far as they could be parsed, whether or not the row is accepted.
struct RowMoney {
    base::Currency currency; // none: unknown, and then the amounts are unknown too
    std::optional<base::Decimal> billed, effective;
};

// Adds another tally. Fails with Overflow.
[[nodiscard]] base::Result<void> add(BillTally &tally, const BillTally &more);
// Adds one line. Fails with Overflow.
[[nodiscard]] base::Result<void> add(BillTally &tally, const RowMoney &money);

} // namespace gpuledger::ports
