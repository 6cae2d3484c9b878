// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/capacity/spotwork.h"

#include <cstdint>

// Closed forms for interruptions at a constant rate (exponential times between them) and capacity that is back at once:
// J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", Future Generation
// Computer Systems 22 (2006) 303-312. Rates are interruptions per hour of running. Pure; any thread.
namespace gpuledger::savings {

// Expected hours from start to end: for each stretch between two checkpoints of length s, (1/l) e^(lR) (e^(ls) - 1).
// Infinite if it does not fit a double.
double dalyHours(const SpotWork &work, double perHour);

// Seconds of work between two checkpoints that cost least time: sqrt(2dM) (1 + sqrt(d/2M)/3 + (d/2M)/9) - d with
// M = 1/l, for d < 2M, otherwise M. At least 1 and at most the whole work; the whole work if nothing interrupts it.
std::int64_t dalyBestInterval(const SpotWork &work, double perHour);

} // namespace gpuledger::savings
