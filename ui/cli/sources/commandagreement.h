// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/session.h"

namespace gpuledger::cli {

// Shows each program that would print a credential of the source, unless the user has already agreed to exactly that
// program, and asks for consent. Without a terminal, only `agreed` (given on the command line) counts as consent. Runs
// nothing. Fails with Forbidden (there is no terminal to ask on), Refused (the answer was no), Cancelled, or with the
// errors of CommandConsent.
[[nodiscard]] base::Result<void> agreeToCommands(Session &session, const model::SourceSettings &source, bool agreed);

} // namespace gpuledger::cli
