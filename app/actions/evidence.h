// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan.h"

#include <string>
#include <vector>

namespace gpuledger::actions {

// What was true when it was confirmed: the checks and the figures of the idle list, as a JSON object.
std::string evidenceOf(const PlannedStop &stop);
// The checks in such an object; empty where there are none.
std::vector<Check> checksIn(const std::string &evidence);

} // namespace gpuledger::actions
