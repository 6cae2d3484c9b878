// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/vastai/charge.h"

#include <cstdint>
#include <string>
#include <vector>

// Reads the answers of GET /api/v0/charges/. Amounts are taken from the text of their numbers. Plain functions.
namespace gpuledger::vastai {

inline constexpr std::size_t kMostAmounts = 200'000; // of a month: charges and their items

// An error of an answer that is not what was asked for.
tl::unexpected<base::Error> unreadableCharges(const std::string &what);

// The pages of one question.
struct ChargeList {
    base::TimeRange asked; // whole UTC days
    std::vector<Charge> charges;
    std::int64_t total = -1; // how many charges there are, as the first page says; -1: not read
};

// Appends the charges of a page and returns the token of the next one; empty: there is none. `amounts` counts those
// that were read of the month. Fails with Parse (no such answer, another number of charges than it says, a charge that
// has no source or amount, or days that were not asked), Overflow, or TooMuch above kMostAmounts.
[[nodiscard]] base::Result<std::string> readPage(const std::string &body, ChargeList &list, std::size_t &amounts);

// After the last page. Fails with Parse if there are not as many charges as the first page said, or two of one source.
[[nodiscard]] base::Result<void> checkWhole(const ChargeList &list);

} // namespace gpuledger::vastai
