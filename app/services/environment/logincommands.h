// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/logincommands.h"

namespace gpuledger::services {

// The programs that would print a credential of this source, named by the configuration itself or by a file that it
// points to, as far as nobody agreed to exactly them yet. Runs nothing; any thread. Fails with what LoginCommands and
// CommandConsent::plan() say.
[[nodiscard]] base::Result<std::vector<ports::CommandPlan>> commandsToAgreeTo(const ports::LoginCommands &logins,
                                                                              ports::CommandConsent &consent,
                                                                              const model::SourceSettings &source);

} // namespace gpuledger::services
