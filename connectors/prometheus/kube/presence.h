// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gpuledger::prometheus {

// Samples per bucket of one record (a running pod, an existing node), over consecutive buckets.
struct Presence {
    std::int64_t firstBucket = 0;
    std::vector<std::uint16_t> counts;
};

// A shorter outage of the recorder does not end what was there before and after it.
inline constexpr int kBridgedBuckets = 12;

// The times at which the record was present. A sample stands for the scrape interval after it (300 s / `full` samples),
// so a run of buckets starts late in its first bucket and ends early in its last one. `hint` is the known start, used
// only where a single bucket has no neighbour to align with. Clipped to `within`, ascending, merged.
std::vector<base::TimeRange> spansOf(const Presence &presence, std::uint16_t full, std::optional<base::UtcTime> hint,
                                     base::TimeRange within);

} // namespace gpuledger::prometheus
