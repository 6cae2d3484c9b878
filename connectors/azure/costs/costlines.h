// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"
#include "app/ports/importreport.h"
#include "connectors/azure/costs/costsettings.h"
#include "connectors/azure/costs/keptmonth.h"

#include <vector>

namespace gpuledger::azure {

// The bill of a month as lines, ascending by day. Fails with Overflow.
[[nodiscard]] base::Result<std::vector<model::BillLine>> linesOf(const KeptMonth &month, const CostSettings &settings);

// What is to be said about it: days that may still change, and days whose groups lack a hundredth or more.
std::vector<ports::BillFinding> findingsOf(const KeptMonth &month, base::UtcTime now);

// What stands for the account that gets the bill: the scope, in lower case.
std::string billingAccountOf(const CostSettings &settings);

} // namespace gpuledger::azure
