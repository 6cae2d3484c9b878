// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "connectors/demo/workloadplan.h"

#include <cstddef>
#include <cstdint>

// What the buses, hosts and inference servers of the demo fleet report, for the workloads that stay idle for long: a
// hung job waits for input, a forgotten endpoint serves no request. Every value is a function of (run, device, hour),
// for the hours in which the run's devices were nearly idle.
namespace gpuledger::demo {

struct Holding {
    const Lane &lane;
    const Lane::Member &member;
    const Run &run;
    std::uint32_t subject = 0;
    std::size_t firstSeries = 0; // of the batch: this and the following ones are the run's
    bool isWholeNode = false; // it holds all devices of its node
};

void addHourSignals(ports::FactBatch &batch, const Holding &holding, base::TimeRange range);

} // namespace gpuledger::demo
