// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/countedtwice.h"

#include <QString>

#include <string>
#include <vector>

namespace gpuledger::ui {

// What the card of a source says of the accounts that other sources report as well: the newest month in full. Empty if
// there are none. `all`: SpendService::countedTwice(). GUI thread, because of the texts.
QString twiceTextOf(const std::vector<insight::CountedTwice> &all, const std::string &source);

} // namespace gpuledger::ui
