// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/capacity/capacity.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// Nodes that stayed up only because of work that holds at most a quarter of their GPUs and would have fitted on other
// nodes of the pool. It explains a part of what packing gives back, and adds nothing to it. Pure; any thread. Money is
// in nano-units of one currency.
namespace gpuledger::savings {

// The hours of one node that the same work kept up.
struct KeptNode {
    std::size_t node = 0; // index into CapacityPool::nodes
    std::vector<std::uint32_t> work; // indexes into CapacityPool::work, ascending
    std::int64_t hours = 0; // node-hours that a move would have freed
    std::int64_t nanos = 0; // what packing saves in them
};

struct KeptNodes {
    std::vector<KeptNode> nodes; // by falling money, then falling hours, then node
    std::int64_t hours = 0, nanos = 0; // of all of them
    std::int64_t packedHours = 0; // node-hours that are off if packed, beyond those that are off anyway
};

// Indexes of the nodes that moves of whole small holds would have emptied in an hour, all of them at the same time.
// Each share moves as a whole to the node in use with the fewest free GPUs that still holds it; a node that took a
// share stays. Those with the fewest held GPUs go first. Only nodes whose money ends.
std::vector<std::size_t> movableNodes(const CapacityPool &pool, std::size_t hour);

// By hour, as many of the movable nodes as packing has off beyond the plain replay, each with the mean that packing
// saves for a node in that hour, rounded down. So hours and money are never more than what packing adds. `stays` and
// `packed` are replayCapacity() and replayPackedCapacity() under the same policy. Fails with Overflow.
[[nodiscard]] base::Result<KeptNodes> keptNodes(const CapacityPool &pool, const CapacityReplay &stays,
                                                const CapacityReplay &packed);

} // namespace gpuledger::savings
