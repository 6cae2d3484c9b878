// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/spend/ledgerquery.h"

#include <string_view>
#include <vector>

// Says which teams the unowned cost of a month may belong to: those that were seen next to it in that month. Pure; any
// thread.
//
// The rule, the narrowest place with a known team first:
//   - time on GPUs that telemetry saw: teams with time in the same namespace of the cluster; if there is none, on the
//     same GPU model in the cluster; then in the cluster; then any team;
//   - what only a bill names, and time on GPUs of machines that telemetry never saw: teams with cost in the same
//     account of the cloud; if there is none, on bills of the same source; then any team;
//   - commitments (bought and not used), support, tax and credits belong to the organisation, and never to a team.
// So the truth is outside the range of a team that works in a place where others are known but nothing of its own is.
namespace gpuledger::reports {

std::vector<insight::LedgerDimension> neighbourDimensions(); // of the input; start with possibleDimensions()
std::vector<insight::LedgerDimension> possibleDimensions(); // of the result: team, category, state, origin

// `ledger` by neighbourDimensions(), of all teams. Rows of what may belong to each team; those of an unowned line's own
// name are the part of it that may belong to any team. Each row has either amounts >= 0 or amounts <= 0; GPU time is
// not set. Fails with Overflow.
[[nodiscard]] base::Result<insight::LedgerAnswer> possibleOwners(const insight::LedgerAnswer &ledger);

bool isUnowned(std::string_view team); // its name is that of cost which no rule assigned
bool isRealTeam(std::string_view team); // false: of unowned or of shared cost

} // namespace gpuledger::reports
