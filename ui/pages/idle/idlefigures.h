// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/viewmodels/idle/idlesnapshot.h"

#include <string>
#include <vector>

namespace gpuledger::ui {

// What can be explained of a row of the idle list. GUI thread.
std::vector<Explained> idleExplained(const IdleSnapshot &snapshot, const std::string &row);

} // namespace gpuledger::ui
