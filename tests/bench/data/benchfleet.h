// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"

namespace gpuledger::bench {

// A fleet of any size as fact batches: 8 GPUs per node, 12 teams, jobs of 2 to 40 hours, 70 % allocated, some idle, two
// clusters, two models. Every value is a pure function of (seed, device, bucket), with the statistics of the
// development trace (see README.md): activity is in whole percents and mostly repeats, memory changes with the job,
// power follows activity.
// `jobs`: of 2 to 40 hours, about two a day on each device; or of 2 to 8 hours, about five holders a day, as in the
// busiest week of the development trace.
enum class Jobs { Usual, Short };
ports::FactBatch fleetDay(int gpus, base::Day day, Jobs jobs = Jobs::Usual);

} // namespace gpuledger::bench
