// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/countedtwice.h"
#include "ui/cli/program/jsonrows.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// Accounts that several sources of bills report on the same days.
Json toJson(const std::vector<insight::CountedTwice> &all);
// One sentence each, without a full stop; the last one may stand for all that are left out.
std::vector<std::string> twiceTexts(const std::vector<insight::CountedTwice> &all);

} // namespace gpuledger::cli
