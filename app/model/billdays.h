// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/bill.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// On which UTC days a line of a bill lies, and how much of it on each. Pure; any thread.
namespace gpuledger::model {

// A charge period that is longer is no time in which something was used.
inline constexpr std::int32_t kMostChargeDays = 3660;
// Days that the ledger has. A line outside lies, as a whole, on the day of its billing period nearest to them.
inline constexpr base::Day kFirstLedgerDay{7305}; // 1990-01-01
inline constexpr base::Day kLastLedgerDay{84005}; // 2199-12-31
// Usage that is told in longer pieces (a month's support, a tax) does not say that a bill has arrived for each of its
// days.
inline constexpr base::Seconds kCoveringPeriod{2 * 86400};

struct Placement {
    base::Day first, last;
    // The charge period says nothing of days: too long, or out of range. Then first == last.
    bool whole = false;
};
Placement placementOf(const base::TimeRange &chargePeriod, base::UtcTime billingPeriodStart);

// Seconds of the period on each day of the placement; one 1 where it is of no length.
void secondsPerDay(const base::TimeRange &chargePeriod, const Placement &placement, std::vector<std::int64_t> &out);

bool coversDays(const BillLine &line);

// "aws", "azure", "gcp", "oci" for the ways in which bills name these, else the name in lower case.
std::string cloudOfProvider(std::string_view provider);

} // namespace gpuledger::model
