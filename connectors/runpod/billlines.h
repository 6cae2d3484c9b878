// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"
#include "connectors/runpod/billrows.h"

#include <string>
#include <vector>

namespace gpuledger::runpod {

// The bill of a month, all in USD, which is the only currency that RunPod bills in.
struct MonthBill {
    base::TimeRange month;
    std::string account; // what stands for the account
    std::vector<BillRow> rows;
};

// One line for each row, in their order, without those below 1e-9. Names of pods come from `names`; the GPU time of a
// pod is not in RunPod's bill and stays unknown. Fails with Overflow.
[[nodiscard]] base::Result<std::vector<model::BillLine>> linesOf(const MonthBill &bill, const PodNames &names);

} // namespace gpuledger::runpod
