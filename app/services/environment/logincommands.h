// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/logincommands.h"

namespace gpuledger::services {

// The programs that would print a credential for this source, named by the configuration itself or by a file that it
// refers to, unless the user has already agreed to exactly them. Runs nothing; any thread. Fails like LoginCommands and
// CommandConsent::plan().
[[nodiscard]] base::Result<std::vector<ports::CommandPlan>> commandsToAgreeTo(const ports::LoginCommands &logins,
                                                                              ports::CommandConsent &consent,
                                                                              const model::SourceSettings &source);

} // namespace gpuledger::services
