// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/money/bill.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Assigns a bill line to UTC days, and computes its share on each. Pure; any thread.
namespace gpuledger::model {

// A longer charge period does not describe when something was used.
inline constexpr std::int32_t kMostChargeDays = 3660;
// Days that the ledger has. A line outside them is assigned, as a whole, to the nearest day of its billing period.
inline constexpr base::Day kFirstLedgerDay{7305}; // 1990-01-01
inline constexpr base::Day kLastLedgerDay{84005}; // 2199-12-31
// Usage reported in longer periods (a month of support, a tax) does not show that a bill has arrived for each of its
// days.
inline constexpr base::Seconds kCoveringPeriod{2 * 86400};

// The UTC days that a bill line is assigned to.
struct Placement {
    base::Day first, last;
    // The charge period does not determine days: too long, or out of range. Then first == last.
    bool whole = false;
};
Placement placementOf(const base::TimeRange &chargePeriod, base::UtcTime billingPeriodStart);

// Seconds of the period on each day of the placement; a single 1 if the period is empty.
void secondsPerDay(const base::TimeRange &chargePeriod, const Placement &placement, std::vector<std::int64_t> &out);

bool coversDays(const BillLine &line);

// "aws", "azure", "gcp" or "oci" for the names that bills use for these, else the name in lower case.
std::string cloudOfProvider(std::string_view provider);

} // namespace gpuledger::model
