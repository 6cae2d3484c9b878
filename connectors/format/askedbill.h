// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"

#include <stop_token>
#include <string>
#include <vector>

// What the sources have in common that ask a cloud for the bill of one month after another. Plain functions.
namespace gpuledger::format {

// The first instant of the UTC month of `t`, and of the month after it.
base::UtcTime monthStart(base::UtcTime t);
base::UtcTime nextMonthStart(base::UtcTime t);

// The UTC months that reach back `firstSync` from `now`, at most `most` before the current one, ascending. Whole
// months, so that a bill is never replaced by a shorter one when the beginning moves on. The current month is among
// them as soon as one of its days is over.
std::vector<base::TimeRange> monthsToAsk(base::UtcTime now, base::Seconds firstSync, int most);

// Counts all lines, which were all accepted, as one bill of `provider`. Fails with Overflow.
[[nodiscard]] base::Result<void> tallyBill(const std::vector<model::BillLine> &lines, const model::BillKey &key,
                                           const std::string &provider, ports::ImportReport &report);

// Stores the lines, which `report` has the file of, as the whole bill: all or, after an error, nothing. Without lines,
// what was stored of the bill goes. Fails with Cancelled and the errors of the sink.
[[nodiscard]] base::Result<void> storeBill(std::vector<model::BillLine> lines, const model::BillKey &key,
                                           ports::BillSink &sink, const std::stop_token &stop,
                                           ports::ImportReport &report);

} // namespace gpuledger::format
