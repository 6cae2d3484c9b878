// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/allocationsource.h"

namespace gpuledger::opencost {

// What a day's answer reveals about the server. Pure.
ports::ProbeReport probeReport(const ports::AllocationAnswer &answer);

} // namespace gpuledger::opencost
