// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/usage.h"
#include "connectors/demo/fleet/workloadplan.h"

#include <cstdint>

// The readings of the demo fleet's devices. Every value is a function of (run, slot, bucket) alone.
namespace gpuledger::demo {

// The complete reading of one device or slice in one bucket, except `observed`, which the caller sets. `position`
// counts the slots of a run: its devices stall together and otherwise differ a little.
model::UsageBucket readingOf(const Lane &lane, const Run &run, int position, const GpuKind &gpu, bool slice,
                             std::int64_t memoryMib, std::int64_t bucketNumber);
// The reading of a device or slice without a holder.
model::UsageBucket restingReading(const GpuKind &gpu, bool slice, std::uint64_t deviceKey, std::int64_t bucketNumber);

} // namespace gpuledger::demo
