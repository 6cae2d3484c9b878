// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace gpuledger::ui {

// Every hint of base::Error that has a fixed text. The window can translate these (context "gpuledger::ui::Remedy", the
// English text is the key); hints that contain names stay English. The translation lint reports hints in app or
// connectors that are missing here. Pure; any thread.
std::span<const char *const> fixedRemedies();

} // namespace gpuledger::ui
