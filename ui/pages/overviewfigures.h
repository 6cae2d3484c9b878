// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/pages/overviewadapter.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// The figures of the overview that can be explained: of a team's row, or of all. Pure; GUI thread.
std::vector<Explained> overviewExplained(const OverviewSnapshot &snapshot, const Scope &scope, OverviewMoney money,
                                         const std::optional<std::string> &team);

} // namespace gpuledger::ui
