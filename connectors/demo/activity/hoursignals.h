// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "connectors/demo/fleet/workloadplan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

// What the buses, hosts and inference servers of the demo fleet report, for the workloads that stay idle for long: a
// hung job waits for input, a forgotten endpoint serves no request. Every value is a function of (run, device, hour,
// end of the data), for the hours in which the run's devices are nearly idle: syncs that are cut elsewhere tell the
// same.
namespace gpuledger::demo {

struct Holding {
    const Lane &lane;
    const Lane::Member &member;
    const Run &run;
    std::uint32_t subject = 0;
    bool isWholeNode = false; // it holds all devices of its node
    // The activity that the device of a slot reports in a bucket of the run, also outside the range of the batch;
    // std::nullopt: nothing is observed.
    std::function<std::optional<double>(std::size_t slot, std::int64_t bucket)> activity;
};

// Of every hour that both the run and the range touch.
void addHourSignals(ports::FactBatch &batch, const Holding &holding, base::TimeRange range);

// How often pods of training runs write a checkpoint, in the hours in which they work. Of the workloads without a
// label, two thirds do, every 20 or 30 minutes; the others write nothing.
void addWriteBursts(ports::FactBatch &batch, const Holding &holding, base::TimeRange range);

} // namespace gpuledger::demo
