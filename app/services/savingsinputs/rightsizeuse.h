// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"
#include "app/savings/rightsize/rightsize.h"

#include <cstdint>

// What a part of a device's time says about its use; internal to rightsizefacts. Pure; any thread.
namespace gpuledger::services {

// Adds what was used of a GPU that `one` held. True if the GPU was in use, or if that is unknown.
bool addSizedUse(savings::RightSizeWorkload &one, const model::UsagePart &part);

// True if somebody may have used a GPU that nobody held, so that its machine has to stay: it was active (at least
// `threshold`, of model::kShareScale), at least kRightSizeIdleMib of its memory was in use, or it was not observed.
bool isUsedByOthers(const model::UsagePart &part, std::uint16_t threshold);

} // namespace gpuledger::services
