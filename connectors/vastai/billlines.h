// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/bill.h"
#include "connectors/vastai/charge.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::vastai {

// The bill of a month, all in USD, which is the only currency that Vast.ai bills in.
struct MonthBill {
    base::TimeRange month;
    std::string account; // what stands for the account
    std::vector<Charge> charges;
};

// The hours and the price of one, as the item of a charge states them.
struct PricedHours {
    base::Decimal hours, rate;
};
// From "96.000 hours at $0.389/hour"; std::nullopt: another text.
std::optional<PricedHours> pricedHoursIn(std::string_view description);

// A line for each item of each charge, and one for what they lack of its amount, in their order, without those below
// 1e-9. Labels and GPUs of instances come from `names`. An instance's GPU time is stated if its hours fit into the
// days, hours and price make up the amount within a cent, and the number of its GPUs is known; else it is unknown.
// Fails with Overflow.
[[nodiscard]] base::Result<std::vector<model::BillLine>> linesOf(const MonthBill &bill, const InstanceNames &names);

} // namespace gpuledger::vastai
