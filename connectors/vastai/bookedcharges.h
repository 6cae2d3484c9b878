// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/vastai/charge.h"

#include <vector>

// Which charges are booked on which days, if the month was asked as a whole and day by day. Plain functions.
namespace gpuledger::vastai {

// The days that charges of `month` are for, ascending; none if only one day was asked.
std::vector<base::Day> daysToAsk(const std::vector<Charge> &month, const base::TimeRange &asked);

// The charges of the days, whose period is the day that was asked, and for each contract what they lack of its charge
// for the month, as a charge without items. So they add up to those of `month`. A charge that was answered whole for
// each of its days is booked once, on all of them. Each list has a source once, or once a day. Fails with Overflow,
// and with Parse if a day has a charge that the month lacks, or a whole one also has days that were not asked: nobody
// can tell how much of it belongs to the month.
[[nodiscard]] base::Result<std::vector<Charge>> bookedCharges(std::vector<Charge> month, std::vector<Charge> days);

} // namespace gpuledger::vastai
