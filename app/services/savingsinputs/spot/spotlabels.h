// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"
#include "app/savings/spot/spotoffer.h"

namespace gpuledger::services {

// Takes what labels or annotations of a pod say of checkpoints, deadline and interruptions (see spotfacts.h for their
// names). What an earlier pod said stays where this one says nothing, or nothing that can be read. Pure; any thread.
void readSpotLabels(const model::Labels &labels, savings::SpotCandidate &one);

} // namespace gpuledger::services
