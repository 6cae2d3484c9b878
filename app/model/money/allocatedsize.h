// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/allocation.h"

namespace gpuledger::model {

// The totals of an allocator's day, to compare two answers for the same day.
struct AllocatedSize {
    std::uint64_t pricedNodes = 0; // machines with a price
    std::int64_t seconds = 0; // total run time of all machines
    std::int64_t gpuSeconds = 0; // total run time of their GPUs
    base::Money cost; // of all machines, before the server's own adjustment

    bool operator==(const AllocatedSize &) const = default;
};

// Sums that do not fit saturate at the largest value. Pure; any thread.
AllocatedSize sizeOf(const AllocationDay &day);

} // namespace gpuledger::model
