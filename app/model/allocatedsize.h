// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/allocation.h"

namespace gpuledger::model {

// What an allocator's day comes to, to compare two answers about the same day.
struct AllocatedSize {
    std::uint64_t pricedNodes = 0; // machines with a price
    std::int64_t seconds = 0; // that all machines ran
    std::int64_t gpuSeconds = 0; // the same of their GPUs
    base::Money cost; // of all machines, before the server's own adjustment

    bool operator==(const AllocatedSize &) const = default;
};

// Sums that don't fit end at the largest value. Pure; any thread.
AllocatedSize sizeOf(const AllocationDay &day);

} // namespace gpuledger::model
