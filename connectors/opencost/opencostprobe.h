// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/allocationsource.h"

namespace gpuledger::opencost {

// The findings about the server in a day's answer. Pure.
ports::ProbeReport probeReport(const ports::AllocationAnswer &answer);

} // namespace gpuledger::opencost
