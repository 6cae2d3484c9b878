// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/idle.h"
#include "app/insight/queue/blocked.h"

#include <string>

namespace gpuledger::cli {

// `idle --csv`: one row for each idle, partly idle, unknown and blocked item, by the column `state`. Times are RFC
// 3339, money is in the unit of `currency`; a cell that is unknown, or that makes no sense for the state, is empty.
// Pure; any thread.
std::string idleCsv(const insight::IdleList &list, const insight::BlockedList &blocked);

} // namespace gpuledger::cli
