// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"

#include <string>

// Outcomes that clouds without preconditions have in common. Pure.
namespace gpuledger::auth {

// Of a change that was not sent.
ports::WriteOutcome notSent(ports::WriteOutcome::Kind kind, std::string text);
// Because the machine could not be read before; NotFound: it is gone.
ports::WriteOutcome notSent(const base::Error &error);
// What the status of an answer to a change means that is no success.
ports::WriteOutcome::Kind endedBy(int status);
// Of a change that was not answered: without a trusted connection nothing is sent, anything else may have happened.
ports::WriteOutcome unanswered(const base::Error &error);
// NotFound or Refused, for so many machines that have a name.
tl::unexpected<base::Error> noneOrSeveral(std::size_t found, const std::string &name);
// Why a holder that is no machine of its own does not end with its machine.
model::Obstacle heldElsewhere(model::SubjectKind holder);

} // namespace gpuledger::auth
