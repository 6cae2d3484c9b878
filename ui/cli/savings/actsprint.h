// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/services/savings/proposalacts.h"
#include "ui/cli/program/jsonrows.h"

#include <string>

// Prints which actions of this program do something about a proposal, for `savings`. Pure; any thread.
namespace gpuledger::cli {

// {"stop": [ids], "mark": [ids], "stopped": [{"action", "at"}]}; null: there is no action, and none was done.
Json actJson(const services::ProposalAct &act);
// The commands to run, and what was stopped already with the command that undoes it; empty: there is none. An id that a
// terminal can't show is in no command.
std::string actText(const services::ProposalAct &act, const base::TimeZone &zone);

} // namespace gpuledger::cli
