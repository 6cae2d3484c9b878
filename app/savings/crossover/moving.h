// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/prices/pricequote.h"

#include "app/base/result.h"

#include <string>

// What moving data to an offer adds to its price. Pure; any thread.
//
//   total = price of a machine-hour x 730 h x months + GB moved x price of moving a GB
//         + GB x price of keeping a GB for a month x months
namespace gpuledger::savings {

// A GB is 1e9 bytes.
struct Moving {
    std::int64_t megabytes = 0; // 1e6 bytes
    base::Money perGb, perGbMonth; // of moving, and of keeping it there
    std::int64_t months = 1;
    std::string provider, region; // where the data are; an empty region: anywhere at the provider; both: elsewhere
};

struct MovedTotal {
    base::Money machine, transfer, storage, total; // over all months
};
// True: the data are at the offer's place already, so nothing is moved.
bool isAtHome(const Moving &moving, const PriceQuote &quote);
// Of one machine. std::nullopt: the offer is in another currency. Fails with InvalidArgument (an amount below zero, no
// month) and Overflow.
[[nodiscard]] base::Result<std::optional<MovedTotal>> movedTotal(const Moving &moving, const PriceQuote &quote);

} // namespace gpuledger::savings
