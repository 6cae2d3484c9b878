// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/billsteps.h"

#include <QString>

namespace gpuledger::ui {

// What a step from the column of teams to the bill is called: "In no bill: estimated". GUI thread, because of the
// language.
QString billStepName(reports::BillStep::Kind kind);

} // namespace gpuledger::ui
