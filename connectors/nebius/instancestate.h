// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/action.h"
#include "app/ports/actiontarget.h"
#include "connectors/http/httpclient.h"
#include "connectors/nebius/instancelist.h"

#include <string>

// What an instance's description means for a stop, and what an answer to one does. No calls; values.
namespace gpuledger::nebius {

// Changes with its state, its specification, its labels and its reservation.
std::string versionOf(const InstanceFacts &facts);
// All but `ref.source`, the holders and `readAt`.
model::TargetState stateOf(const InstanceFacts &facts, const std::string &project);
// Whether this is one of its names: its id, its name, or its host name with or without a domain; in lower case.
bool bears(const InstanceFacts &facts, const std::string &wanted);
// Of an answer to a stop or a start. `url` is for its text.
ports::WriteOutcome outcomeOf(const http::Response &response, const std::string &url);

} // namespace gpuledger::nebius
