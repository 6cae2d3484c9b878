// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Amounts as they are booked: in minor units (cents) of ISO 4217. Pure; any thread.
namespace gpuledger::base {

// Decimals of the currency: 2 for most, 0 for JPY, 3 for KWD. Funds codes and metals, which define none, get 2.
int minorDigits(Currency currency);

// Converts amounts of one currency to its minor units. Their sum is the sum of the amounts, rounded half away from
// zero; the largest remainders are rounded up, ties go to the first. So each is off by less than one minor unit. Fails
// with Overflow.
[[nodiscard]] Result<std::vector<std::int64_t>> inMinorUnits(std::span<const Money> amounts);

// "1234.50", "-7.25", "100": as many decimals as the currency has.
std::string minorText(std::int64_t units, Currency currency);

} // namespace gpuledger::base
