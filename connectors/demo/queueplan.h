// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/waiting.h"
#include "app/ports/factbatch.h"
#include "connectors/demo/fleetplan.h"

namespace gpuledger::demo {

// The jobs waiting for GPUs of the demo fleet, and the room on its nodes: one job for each reason why a job can be
// waiting. `batch`: the current holders of GPUs. A function of its arguments alone.
model::WaitingFacts queueAt(const FleetPlan &plan, const Options &options, const ports::FactBatch &batch,
                            base::UtcTime at);

} // namespace gpuledger::demo
