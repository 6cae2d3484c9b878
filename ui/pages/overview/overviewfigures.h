// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/pages/overview/overviewadapter.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// The figures of the overview that can be explained: of a team's row, or of all. Pure; GUI thread.
std::vector<Explained> overviewExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                         const std::optional<std::string> &team);
// Of a bar of the spend per day, and of a step of what changed: the figures of the two periods that it is between.
std::vector<Explained> overviewDayExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                            int day);
std::vector<Explained> overviewStepExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                             int step);
// Of a row of the hidden costs, and of the unit prices; the snapshot has a spend.
std::vector<Explained> overviewHiddenExplained(const OverviewSnapshot &snapshot, const QString &rowId);
std::vector<Explained> overviewPriceExplained(const OverviewSnapshot &snapshot, const QString &gpuModel);

} // namespace gpuledger::ui
