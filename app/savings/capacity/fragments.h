// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/savings/capacity/capacity.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// GPUs that were free in pieces too small for what waited. A piece is what was free on one node throughout an hour: its
// GPUs less the most that were held at one time. The caller gives the requests for GPUs of the pool's kind, and those
// for an unknown kind, which are counted apart. Whether a job could have run on the node otherwise (labels, taints,
// memory) is not looked at, so a small request for the kind makes a larger piece fit. Pure; any thread.
namespace gpuledger::savings {

// A request that waited.
struct WaitedFor {
    std::int64_t gpus = 0; // on one node, at least 1
    base::TimeRange range;
    bool isOfKind = true; // it asked for GPUs of the pool's kind; false: unknown
};

// By hour from `start`. `known`: when it was recorded what waited, ascending, disjoint ranges that do not touch; an
// hour counts as known if it is in one of them as a whole, and other hours tell nothing.
std::vector<WaitingHour> waitingHours(std::vector<WaitedFor> waits, std::span<const base::TimeRange> known,
                                      base::UtcTime start, std::size_t hours);

// Summed over the hours in which a node was present and known.
struct PoolPieces {
    std::int64_t hours = 0, knownHours = 0; // knownHours: for which it is known what waited
    std::int64_t freeSeconds = 0; // GPU-seconds that were free while something waited
    std::int64_t tooSmallSeconds = 0; // of these: in pieces smaller than every request that waited in the hour
    std::int64_t smallest = 0; // GPUs that the smallest request asked for; 0: nothing waited
    std::int64_t unknownSeconds = 0; // GPU-seconds that were free while a request for an unknown kind waited
};
PoolPieces poolPieces(const CapacityPool &pool);

} // namespace gpuledger::savings
