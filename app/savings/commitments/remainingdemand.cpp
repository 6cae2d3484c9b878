// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/remainingdemand.h"

#include <cstdint>

namespace gpuledger::savings {

CommitmentInput remainingDemand(CommitmentInput input, std::span<const FreedTime *const> freed)
{
    for (CommitmentDemand &demand : input.demand) {
        const base::UtcTime start = input.until - base::Seconds{3600} * static_cast<std::int64_t>(demand.hours.size());
        takeFreed(freed, demand.resources, start, demand.hours);
    }
    return input;
}

} // namespace gpuledger::savings
