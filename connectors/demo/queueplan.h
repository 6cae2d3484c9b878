// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/waiting.h"
#include "app/ports/factbatch.h"
#include "connectors/demo/fleetplan.h"

namespace gpuledger::demo {

// What waits for GPUs of the demo fleet, and the room that its nodes have: one job for each thing that can keep a job
// waiting. `batch`: who holds GPUs at the moment. A function of these alone.
model::WaitingFacts queueAt(const FleetPlan &plan, const Options &options, const ports::FactBatch &batch,
                            base::UtcTime at);

} // namespace gpuledger::demo
