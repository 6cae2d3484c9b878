// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/commitments/commitments.h"
#include "app/savings/proposals/freedtime.h"

#include <span>

namespace gpuledger::savings {

// The same question about the demand that remains once this machine time is no longer needed on demand (takeFreed()):
// the rest of each demand that shares a device with it. The hours of a demand end at `input.until`. Pure; any thread.
CommitmentInput remainingDemand(CommitmentInput input, std::span<const FreedTime *const> freed);

} // namespace gpuledger::savings
