// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"
#include "connectors/format/monthlybill.h"
#include "connectors/lambda/sightings.h"

#include <cstdint>
#include <vector>

namespace gpuledger::lambda {

// Cents x seconds / 3600 in 1e-9 USD, rounded half up.
__extension__ using WideNanos = __int128;
WideNanos costOf(std::int64_t centsPerHour, base::Seconds time);

// A line for each instance, price and UTC day of `asked.days`, in USD. The lines of a span add up to costOf() the span,
// also if it goes on in other months: each is the difference between its cost at the end and at the beginning of the
// day. Time without a price has no line. The GPU time of a line is certain if the number of GPUs is known.
std::vector<model::BillLine> linesOf(const format::AskedMonth &asked, const SeenMonth &seen);

} // namespace gpuledger::lambda
