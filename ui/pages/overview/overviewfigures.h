// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/pages/overview/overviewadapter.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// The overview's figures that can be explained: those of a team's row, or of all teams. Pure; GUI thread.
std::vector<Explained> overviewExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                         const std::optional<std::string> &team);
// For a bar of the spend per day, and for a step of the change: the figures of the two periods compared.
std::vector<Explained> overviewDayExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                            int day);
std::vector<Explained> overviewStepExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                             int step);
// For a row of the hidden costs, and of the unit prices; the snapshot must have a spend.
std::vector<Explained> overviewHiddenExplained(const OverviewSnapshot &snapshot, const QString &rowId);
std::vector<Explained> overviewPriceExplained(const OverviewSnapshot &snapshot, const QString &gpuModel);

} // namespace gpuledger::ui
