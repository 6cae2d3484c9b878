// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace gpuledger::ui {

// Every hint of base::Error that is the same each time: what the window can say in other languages (context
// "gpuledger::ui::Remedy", the English text is the key). Hints with names in them stay English. The lint of
// translations finds a hint in app or connectors that is missing here. Pure; any thread.
std::span<const char *const> fixedRemedies();

} // namespace gpuledger::ui
