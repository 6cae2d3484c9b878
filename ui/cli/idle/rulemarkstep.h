// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

namespace gpuledger::cli {

// A step of the watch: marks what is idle where alert rules with `mark` fire, and releases their marks where they no
// longer do. Prints one JSON object for each mark. A failure is reported like an event; the next round tries again.
// Fails with Cancelled, or if the output can't be written.
[[nodiscard]] base::Result<void> markForAlerts(Session &session, services::Workspace &workspace);

} // namespace gpuledger::cli
