// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gpuledger::prometheus {

// Samples a bucket of one record (a pod that runs, a node that exists), over consecutive buckets.
struct Presence {
    std::int64_t firstBucket = 0;
    std::vector<std::uint16_t> counts;
};

// An outage of the recorder shorter than this does not end what was there before and after it.
inline constexpr int kBridgedBuckets = 12;

// When the record was there: a sample stands for the scrape interval after it (300 s / `full` samples), so a run of
// buckets begins late in its first and ends early in its last one. `hint` is the known start, used only where a single
// bucket gives no side to lean on. Clipped to `within`, ascending, joined.
std::vector<base::TimeRange> spansOf(const Presence &presence, std::uint16_t full, std::optional<base::UtcTime> hint,
                                     base::TimeRange within);

} // namespace gpuledger::prometheus
