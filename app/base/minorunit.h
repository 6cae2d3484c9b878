// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Amounts as they are booked: in minor units (cents) of ISO 4217. Pure; any thread.
namespace gpuledger::base {

// Decimals of the currency: 2 for most, 0 for JPY, 3 for KWD. Funds codes and metals have none here: 2.
int minorDigits(Currency currency);

// Amounts of one currency in its minor units. Their sum is the sum of the amounts, rounded half away from zero; who is
// rounded up is told by the largest remainder, ties by the first. So each is less than one minor unit off. Fails with
// Overflow.
[[nodiscard]] Result<std::vector<std::int64_t>> inMinorUnits(std::span<const Money> amounts);

// "1234.50", "-7.25", "100": as many decimals as the currency has.
std::string minorText(std::int64_t units, Currency currency);

} // namespace gpuledger::base
