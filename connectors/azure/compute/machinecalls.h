// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/compute/machinestate.h"

#include <stop_token>
#include <string>

// What is asked about every machine that can be stopped, and how a change is sent to it, whichever service of Azure
// has it. Blocking; any thread.
namespace gpuledger::azure {

// The address of a resource by its id.
std::string urlOfId(const ComputeApi &api, const std::string &id);
// Parse: the answer is about another machine.
tl::unexpected<base::Error> anotherMachine();
// The locks on it and on what contains it.
Locks locksOf(ComputeApi &api, const std::string &id, const std::stop_token &stop);
// Whether the account has a right on the machine with this id. Fails as ComputeApi::eachPage does.
[[nodiscard]] base::Result<ports::Permission> permissionOn(ComputeApi &api, const std::string &id,
                                                           const model::TargetRef &machine, const std::string &right,
                                                           const std::stop_token &stop);
// POSTs once; `url`: of the change. Of the outcome, the version is missing.
ports::WriteOutcome sendChange(ComputeApi &api, const std::string &url, const std::stop_token &stop);

} // namespace gpuledger::azure
