// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "connectors/demo/bills/billplan.h"
#include "connectors/demo/fleet/fleetplan.h"

#include <vector>

namespace gpuledger::demo {

// The months with a billed day, ascending, of no cloud in particular: from the first whole month of telemetry on, or
// from `months` whole months before the current one if that is earlier. A day is billed one day after its end.
std::vector<BillMonth> billedMonths(const Options &options, base::UtcTime now);

} // namespace gpuledger::demo
