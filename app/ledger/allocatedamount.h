// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/nodeday.h"

#include <cstdint>
#include <optional>

// Arithmetic of amounts that may be unknown, as allocators tell them: what is made of an unknown one is unknown.
namespace gpuledger::ledger {

using Amount = std::optional<std::int64_t>;

inline constexpr std::int64_t kSameAmount = 100; // a hundredth of an amount is no difference

std::int64_t magnitude(std::int64_t value);
// By more than the tolerance-th part of the larger one.
bool differs(std::int64_t a, std::int64_t b, std::int64_t tolerance);
// amount x part / whole, rounded to zero; nothing also where it does not fit.
Amount scaledBy(const Amount &amount, const Amount &part, const Amount &whole);
void addTo(Amount &sum, const Amount &part);
// The machine's own name; empty: it has no record.
const std::string &nameOf(const NodeDay &node);

} // namespace gpuledger::ledger
