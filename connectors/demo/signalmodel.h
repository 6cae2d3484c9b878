// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/usage.h"
#include "connectors/demo/workloadplan.h"

#include <cstdint>

// What the devices of the demo fleet report. Every value is a function of (run, slot, bucket) alone.
namespace gpuledger::demo {

// The whole reading of one device or slice in one bucket, `observed` left to the caller. `position` counts the slots of
// a run: its devices stall together and differ a little otherwise.
model::UsageBucket readingOf(const Lane &lane, const Run &run, int position, const GpuKind &gpu, bool slice,
                             std::int64_t memoryMib, std::int64_t bucketNumber);
// A device or slice that nobody holds.
model::UsageBucket restingReading(const GpuKind &gpu, bool slice, std::uint64_t deviceKey, std::int64_t bucketNumber);

} // namespace gpuledger::demo
