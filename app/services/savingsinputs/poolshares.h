// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// What holders have of a node on one UTC day; internal to capacitypools. Pure; any thread; no errors.
namespace gpuledger::services {

// A device that is held in a bucket, and by whom.
struct PoolHeld {
    std::uint16_t bucket, device; // of the day; of the node
    std::int64_t holder;
};

// The same for buckets that follow each other: `count` of them.
struct PoolRun {
    std::int64_t holder;
    std::uint16_t bucket, device, count;
};

// The ids of holders and of subjects are apart.
inline std::int64_t poolHolderKey(const model::AttributedHolder &who)
{
    return who.holder ? 2 * who.holder.value : 2 * who.subject.value + 1;
}

// The sizes of the shares among held devices of one bucket of a node, which has so many devices: devices with a common
// holder, and holders with a common device, are one share.
std::vector<std::uint16_t> poolShares(const PoolHeld *first, const PoolHeld *end, std::size_t devices);

} // namespace gpuledger::services
