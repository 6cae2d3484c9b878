// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/overview/overviewviewmodel.h"
#include "widgets/cards/keyfigurecard.h"

namespace gpuledger::ui {

// The figure of what could be saved per month, and what accepted proposals saved. GUI thread, because of the locale.
widgets::KeyFigure overviewFound(const OverviewViewModel &model);
// The same of an answer; `isFiltered`: the rest of the page is not of the whole fleet.
widgets::KeyFigure overviewFound(const OverviewSavings &savings, bool isFiltered);

} // namespace gpuledger::ui
