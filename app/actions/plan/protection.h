// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/plan.h"
#include "app/model/actionrecord.h"
#include "app/model/settings.h"

#include <vector>

namespace gpuledger::actions {

// Checks whether the object is protected: by rules of the configuration, by the current labels or annotations of the
// object and its namespace, by an owner who keeps it until later than `now`, or by leases.
Check protection(const PlannedStop &planned, const std::vector<model::Lease> &leases, const model::Settings &settings,
                 base::UtcTime now);

} // namespace gpuledger::actions
