// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/waiting.h"
#include "app/ports/factbatch.h"
#include "connectors/demo/fleet/fleetplan.h"

namespace gpuledger::demo {

// The jobs waiting for GPUs of the demo fleet, and the room on its nodes: one job for each reason why a job can be
// waiting. `batch`: the current holders of GPUs. A function of its arguments alone.
model::WaitingFacts queueAt(const FleetPlan &plan, const Options &options, const ports::FactBatch &batch,
                            base::UtcTime at);

// Adds the jobs that waited in the batch's covered time in the clusters of its devices: the same jobs as queueAt().
void addPastWaits(const Options &options, ports::FactBatch &batch);

} // namespace gpuledger::demo
