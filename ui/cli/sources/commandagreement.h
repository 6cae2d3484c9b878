// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/session.h"

namespace gpuledger::cli {

// Shows each program that would print a credential of the source, unless the user agreed to that very one before, and
// asks. Without a terminal only `agreed` (the user said so on the command line) counts as a yes. Runs nothing. Fails
// with Forbidden (nobody can be asked), Refused (the answer was no), Cancelled, or what CommandConsent says.
[[nodiscard]] base::Result<void> agreeToCommands(Session &session, const model::SourceSettings &source, bool agreed);

} // namespace gpuledger::cli
