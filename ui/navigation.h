// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <vector>

namespace gpuledger::ui {

// Every page that exists, in the order of the rail: one line a page.
std::vector<PageEntry> pages();

} // namespace gpuledger::ui
