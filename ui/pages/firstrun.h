// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "widgets/state/statepanel.h"

// What every page shows before there is anything to show: connect a Prometheus, or explore the demo fleet. GUI thread.
namespace gpuledger::ui {

// Puts it on the panel. Where sources are configured and only a sync is missing, it offers that instead.
void showFirstRun(widgets::StatePanel &panel, const WindowContext &context);
// Lets its buttons do what they say; once for each panel. The context outlives the panel.
void bindFirstRun(widgets::StatePanel &panel, const WindowContext &context);
// Opens the dialog that adds a source. Only where the configuration is a file.
void addSource(const WindowContext &context, QWidget *parent);

} // namespace gpuledger::ui
