// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/allocatedsize.h"

#include <algorithm>
#include <limits>

namespace gpuledger::model {

namespace {

__extension__ using Wide = __int128;

std::int64_t narrowed(Wide value)
{
    constexpr Wide kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::clamp(value, kLeast, kMost));
}

} // namespace

AllocatedSize sizeOf(const AllocationDay &day)
{
    AllocatedSize size;
    Wide seconds = 0, gpuSeconds = 0, cost = 0;
    for (const AllocatedNode &node : day.nodes) {
        seconds += node.seconds.value_or(0);
        gpuSeconds += node.gpuSeconds.value_or(0);
        if (!node.total)
            continue;
        ++size.pricedNodes;
        cost += static_cast<Wide>(*node.total) - node.adjustment.value_or(0);
    }
    size.seconds = narrowed(seconds);
    size.gpuSeconds = narrowed(gpuSeconds);
    size.cost = base::Money(narrowed(cost), day.currency);
    return size;
}

} // namespace gpuledger::model
