// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/documents/billsteps.h"

#include <QString>

namespace gpuledger::ui {

// The name of a step from the teams' total to the bill: "Not billed (estimated)". GUI thread, because of the
// translation.
QString billStepName(reports::BillStep::Kind kind);

} // namespace gpuledger::ui
