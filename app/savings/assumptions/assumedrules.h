// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/assumptions/assumptions.h"
#include "app/savings/capacity/capacity.h"
#include "app/savings/commitments/commitments.h"
#include "app/savings/rightsize/rightsize.h"
#include "app/savings/schedule/schedule.h"

// What the engines replay, from what a user assumes; with the defaults, the rules' own. Pure; any thread.
namespace gpuledger::savings {

CapacityPolicy capacityPolicy(const Assumptions &assumed);
ScheduleRules scheduleRules(const Assumptions &assumed);
RightSizeRules rightSizeRules(const Assumptions &assumed);
// Sets what is assumed about future demand.
void assumeDemand(CommitmentInput &input, const Assumptions &assumed);

// Those values of a choice that change proposals of this kind, with all its defaults.
Assumptions assumptionsOf(Kind kind, const Assumptions &assumed);

} // namespace gpuledger::savings
