// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "widgets/state/statepanel.h"

// The first-run message that every page shows before there are data: connect a Prometheus, or explore the demo fleet.
// GUI thread.
namespace gpuledger::ui {

// Shows it on the panel. If sources are configured and only a sync is missing, offers that instead, and while one is
// running, shows its progress.
void showFirstRun(widgets::StatePanel &panel, const WindowContext &context);
// Connects its buttons; call once per panel. The context must outlive the panel.
void bindFirstRun(widgets::StatePanel &panel, const WindowContext &context);
// Opens the dialog that adds a source. Only if the configuration is a file.
void addSource(const WindowContext &context, QWidget *parent);

} // namespace gpuledger::ui
