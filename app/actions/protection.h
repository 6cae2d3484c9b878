// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan.h"
#include "app/model/actionrecord.h"
#include "app/model/settings.h"

#include <vector>

namespace gpuledger::actions {

// Whether anybody asked that this is left alone: rules of the configuration, labels or annotations at the object and
// its namespace as the platform has them now, leases.
Check protection(const PlannedStop &planned, const std::vector<model::Lease> &leases, const model::Settings &settings);

} // namespace gpuledger::actions
