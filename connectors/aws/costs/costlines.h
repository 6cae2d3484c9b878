// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"
#include "app/ports/importreport.h"
#include "connectors/aws/costs/keptcosts.h"

#include <string>
#include <vector>

namespace gpuledger::aws {

// The bill of a month as lines, ascending by day; rows without an amount and a quantity are left out. `tag`: the key of
// the tag that rows were split by. Fails with Overflow.
[[nodiscard]] base::Result<std::vector<model::BillLine>> linesOf(const KeptMonth &month, const std::string &tag);

// What is to be said about it: days that may still change, and amounts that the parts lack.
std::vector<ports::BillFinding> findingsOf(const KeptMonth &month);

} // namespace gpuledger::aws
