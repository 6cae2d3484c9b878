// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"

namespace gpuledger::services {

// Budgets of the demo company's teams for a fleet of the usual size, one of which is exceeded, and alert rules without
// targets: nothing is sent. Amounts are made up.
void addDemoBudgets(model::Settings &settings);
void addDemoAlerts(model::Settings &settings);

} // namespace gpuledger::services
