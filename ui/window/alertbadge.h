// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/navigationrail.h"

namespace gpuledger::ui {

// The rail of a window, with the number of alerts that fire on its page Alerts. The context must outlive it; GUI
// thread.
NavigationRail *railWithAlerts(const WindowContext &context, const std::vector<PageEntry> &pages);

} // namespace gpuledger::ui
