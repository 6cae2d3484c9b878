// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/runner.h"

namespace gpuledger::actions {

// Asks the platforms what became of actions that are not settled, after a crash or a lost connection. Nothing is
// repeated, and nothing new is begun: what never left is told as failed. One that can't be asked stays as it is.
// Whoever calls holds the ActionLock. Blocking; a worker thread. Those that it looked at, as they are now. Fails with
// Storage… codes.
[[nodiscard]] base::Result<std::vector<model::ActionRecord>>
settleActions(ActionContext &engine, const std::stop_token &stop, const RunProgress &progress = {});

} // namespace gpuledger::actions
