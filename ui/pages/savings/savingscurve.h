// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/savings/proposals/curve.h"
#include "widgets/charts/bandchart.h"

#include <QString>

namespace gpuledger::ui {

// A curve as the data of a chart, in the language of the window. `target` is what the proposal is about. GUI thread.
widgets::BandLines bandLinesOf(const savings::ProposalCurve &curve, const QString &target, const base::TimeZone &zone);

} // namespace gpuledger::ui
