// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/runner.h"

namespace gpuledger::actions {

// Queries the platforms about actions that a crash or a lost connection left unsettled. Nothing is repeated or started:
// a call that was never sent is reported as failed. An action whose platform can't be reached stays as it is. Returns
// the current records of the actions it looked at. The caller holds the ActionLock. Blocking; call on a worker thread.
// Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<model::ActionRecord>>
settleActions(ActionContext &engine, const std::stop_token &stop, const RunProgress &progress = {});

} // namespace gpuledger::actions
