// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/importreport.h"

#include <optional>

namespace gpuledger::ports {

// The money of one row as far as it could be read, whatever becomes of the row.
struct RowMoney {
    base::Currency currency; // none: not known, and then the amounts are unknown too
    std::optional<base::Decimal> billed, effective;
};

// Adds lines that were added up. Fails with Overflow.
[[nodiscard]] base::Result<void> add(BillTally &tally, const BillTally &more);
// Adds one line. Fails with Overflow.
[[nodiscard]] base::Result<void> add(BillTally &tally, const RowMoney &money);

} // namespace gpuledger::ports
