// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <vector>

namespace gpuledger::actions {
struct MarkingRule;
}

namespace gpuledger::cli {

class EventLines;

// A step of the watch: marks what is idle where alert rules with `mark` fire, and releases their marks where they no
// longer do. Prints one JSON object for each mark. A failure is reported like an event; the next round tries again.
// Fails with Cancelled, or if the output can't be written.
// `rules`: where those with `mark` fire after the evaluation of this round. Without any, all marks of rules are
// released.
[[nodiscard]] base::Result<void> markForAlerts(Session &session, services::Workspace &workspace,
                                               const std::vector<actions::MarkingRule> &rules, EventLines &lines);

} // namespace gpuledger::cli
