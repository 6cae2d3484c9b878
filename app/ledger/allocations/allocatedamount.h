// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/bills/nodeday.h"

#include <cstdint>
#include <optional>

// Arithmetic on amounts that may be unknown, as cost allocators report them: an unknown operand makes the result
// unknown.
namespace gpuledger::ledger {

using Amount = std::optional<std::int64_t>;

inline constexpr std::int64_t kSameAmount = 100; // differences up to 1/100 of an amount are ignored

std::int64_t magnitude(std::int64_t value);
// True if they differ by more than 1/tolerance of the larger one.
bool differs(std::int64_t a, std::int64_t b, std::int64_t tolerance);
// amount x part / whole, rounded towards zero; std::nullopt also if the result overflows.
Amount scaledBy(const Amount &amount, const Amount &part, const Amount &whole);
void addTo(Amount &sum, const Amount &part);
// The node's own name; empty if there is no record of the node.
const std::string &nameOf(const NodeDay &node);

} // namespace gpuledger::ledger
